// Package sessionkey changes which session a conversation belongs to: its session key, whether it is
// active, and which transcript its host follows for it. These stand in several rows that must agree,
// and a host finds a conversation by its key first, then by its session id. It also does what a host does
// when a session begins or ends: New, Reset, End, and Reap for sessions that their programs deleted.
//
// It must not delete the row in which a host notes the transcript: a conversation that has messages
// and no such row is never written by its host again. An empty path in that row is safe instead: the
// host finds the transcript again by itself, and goes on in the same conversation.
package sessionkey
