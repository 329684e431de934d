// Package sessiondb reads openclaw-agent.sqlite, the transcript database: in it OpenClaw keeps
// the sessions of an agent since 2026.7, the events of their transcripts, archived transcripts,
// and the sign-ins to model providers. It goes by the tables and columns that a file has, not
// by its version alone.
//
// The host may be writing all the time. The package opens the file read-only with its -wal,
// and ends each statement after a few megabytes, so that no lock and no snapshot lasts. It must
// not write, checkpoint or copy anything back, and it knows nothing of lcm.db, nor of what the
// events of a transcript mean.
package sessiondb
