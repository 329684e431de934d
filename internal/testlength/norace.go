//go:build !race

package testlength

// Race says that the race detector watches.
const Race = false
