// Package home opens homes: databases of PostgreSQL in which conversations live, with this program as their host. It makes their
// schema, and its connections take statements in SQLite's language that read and that write. What a write locks, when it is begun
// again, and what became of a COMMIT whose answer was lost, is decided here.
//
// It knows nothing of what is written. Nothing is kept in a session of the server, so that poolers work.
package home
