// Package transcript reads what agents' hosts write of a conversation, one JSON
// value a line: OpenClaw, Claude Code and Codex. Whatever the host, it gives the
// messages in the form that OpenClaw's engine takes them in.
//
// A file is read as a stream, twice at most, and no more of it is held than a line
// and some bytes for each entry. A line that can't be read costs only itself. The
// package only reads, and knows nothing of lcm.db.
package transcript
