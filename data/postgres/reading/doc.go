// Package reading opens a source of a replica in PostgreSQL as a data.DB, so that everything that reads an lcm.db reads it.
//
// A driver for database/sql stands between: it takes statements in SQLite's language, translates them, puts the rows of the
// one source in the place of each table, and returns values as SQLite does. It keeps nothing in a session of the server, so
// that it works behind a pooler that gives each transaction another one.
//
// It must not write, decide what a file would answer otherwise than by its rows, or know what statements are for.
package reading
