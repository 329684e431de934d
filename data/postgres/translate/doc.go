// Package translate turns the SQL in which this program reads an lcm.db into SQL of PostgreSQL with the same answers.
//
// It knows the part of SQLite's language that the statements of this program use, and refuses what it doesn't know. It
// works on the text alone: it asks no server, and what stands in the place of a table its caller says. What it returns
// needs no setting of a session.
//
// SQLite's meaning is kept where the two differ: conditions are the numbers 0 and 1, NULL is the smallest value, IS compares
// any two values, LIKE and lower() know the case of letters of ASCII only, and sizes are those of bytes where a text is
// cast to a BLOB.
package translate
