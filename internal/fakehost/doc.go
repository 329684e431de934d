// Package fakehost plays the host program, by the host's own rules. A Writer makes
// lcm.db files of any schema level and writes conversations, messages, summaries and
// large files into them; a Host is a live process on such a file: turns, compactions
// that choose, wait for a model and write later, the replay of a history, catching up
// with a transcript, /new, /reset, and the pending batches of 1.0. Tests let it write
// beside our program to see what the two do to each other; the demonstration is written
// by a Writer.
//
// It must not be kinder than the host: it checks nothing that the host doesn't check.
// It plans, previews and records nothing, so it must not touch a file that anyone needs.
package fakehost
