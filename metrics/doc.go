// Package metrics gives numbers about a database to Prometheus: as text, as a file for a collector, and over HTTP. They
// come from what is stored, since most processes of this program live for milliseconds: the database, the records of
// this program in it, and what is noted beside it.
//
// No label has a text, a path or the id of a session. The package writes nothing to the database, and decides nobody's
// access: who serves its handler does.
package metrics
