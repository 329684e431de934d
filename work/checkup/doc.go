// Package checkup looks whether a database is whole, by itself: the file now and then, the context and the links of a
// conversation after each write, and what hosts did to contexts after writes. It notes what it finds beside the
// database, with plans of the repairs in files if that is wanted. It never applies one, and never writes to the
// database.
package checkup
