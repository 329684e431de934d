// Package eventlog writes what processes do that nobody watches, as lines of JSON with the same few keys everywhere.
//
// No line has a text that anyone wrote, or a key of a vendor: what has no place among the keys is left out. It must not
// know what is done.
package eventlog
