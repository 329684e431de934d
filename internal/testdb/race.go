//go:build race

package testdb

// Race says that the race detector watches: everything takes five times as long, so the
// widest tests take a part of their cases.
const Race = true
