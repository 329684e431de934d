// Package ingest turns a message of a session file into what a host stores of it: the row,
// its parts, and the payloads that go into files. So an import writes what the host would
// have written.
//
// It must not read or write anything: it takes a message and returns values.
package ingest
