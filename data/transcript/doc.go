// Package transcript reads transcripts: session files of OpenClaw, Claude Code and Codex, which
// have one JSON value a line, and sessions in a transcript database of OpenClaw. It returns their
// messages in the form of OpenClaw's engine.
//
// It reads a transcript as a stream, at most three times, and holds one line (of a database, a
// few megabytes) and some bytes for each entry. A line that can't be read is skipped and
// reported. The package must not write, and knows nothing of lcm.db.
package transcript
