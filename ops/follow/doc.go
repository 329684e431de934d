// Package follow imports the transcripts of agents that have no host, while they are written: what an agent
// appends is in the database within a second. It reads only where a file grew. It never imports the transcripts
// of OpenClaw, whose host stores them itself.
package follow
