// Package fakehost plays the host program on an open lcm.db, by the host's own rules:
// turns, compactions that choose, wait for a model and write later, the replay of a
// history, catching up with a transcript, /new, /reset, and the pending batches of 1.0.
// Tests let it write beside our program to see what the two do to each other.
//
// It must not be kinder than the host: it checks nothing that the host doesn't check.
// Nothing but tests may import it.
package fakehost
