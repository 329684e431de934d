// Package data is the only package that speaks SQL. It finds and opens an
// lcm.db, knows what this one file can do (its schema level), reads it into
// plain structs, and writes row images in one transaction that is recorded in
// the same file and can be undone.
//
// Browsing never writes: a handle reads through connections that SQLite itself
// refuses to write with. The file is opened for writing by Write and Undo only,
// for as long as they take.
//
// The package must not decide what should change (operations do), estimate
// tokens, or render anything. While a handle is open it never touches lcm.db,
// its -wal or its -shm by ordinary file calls other than stat: closing such a
// file descriptor drops SQLite's own locks and loses other programs' rows.
package data
