// Package ingest is what a host makes of a message when it takes it in: the row,
// its parts, and the payloads that go into files. What an import writes is so what
// the host would have written.
//
// It must not read or write anything: it is given a message, and gives values.
package ingest
