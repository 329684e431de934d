// Package replica keeps a replica of a database in a PostgreSQL server equal to the file: it reads what changed since
// the last time, sends that, and compares every cell when asked to. It also makes a file of a replica again.
//
// It stands in ops because it works on a file as a whole, as restore and slice do. The package must not write to the
// file, and has no SQL of the server's tables that belongs to one table alone: data/postgres describes these.
package replica
