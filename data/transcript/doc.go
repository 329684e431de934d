// Package transcript reads session files, which have one JSON value a line, of OpenClaw, Claude
// Code and Codex. It returns their messages in the form of OpenClaw's engine.
//
// It reads a file as a stream, at most twice, and holds one line and some bytes for each entry.
// A line that can't be read is skipped and reported. The package must not write, and knows
// nothing of lcm.db.
package transcript
