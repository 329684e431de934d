// Package export writes conversations as files that others read: transcripts of OpenClaw and of
// Claude Code, chat messages for models, Markdown and HTML for people, graphs of the summaries,
// and rows for scripts.
//
// It reads the database as a stream and writes to what it is given: it must not hold a whole
// conversation, write to the database, ask a model, or print.
package export
