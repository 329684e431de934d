// Package sessiontexts finds the texts in openclaw-agent.sqlite, the database in which OpenClaw keeps transcripts, and
// replaces them while no host has it open: events, what is noted with sessions, the index of texts, and archived
// transcripts.
//
// It must not change what it isn't sure about: a file of another version than the one that was tried, or with
// another layout, or of a host that still owes turns, is refused.
package sessiontexts
