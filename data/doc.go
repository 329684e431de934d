// Package data opens one lcm.db: it finds the file, knows what it can do (its schema level), reads rows
// through connections that SQLite itself refuses to write with, and gives the writer its transactions. The
// packages below read it noun by noun (lcm) and change it (change).
//
// The file is open for writing by Transact only, for as long as that takes.
//
// The package must not know what a row means, decide what should change (operations do), or render
// anything. While a handle is open it never touches lcm.db,
// its -wal or its -shm by ordinary file calls other than stat: closing such a
// file descriptor drops SQLite's own locks and loses other programs' rows.
package data
