// Package destination decides whether a file may be written to a path that a user names: never in the place of a
// file of a database or of its host, and never under a name that SQLite takes for a part of a database. It
// writes nothing, and opens no file of the database in hand.
package destination
