// Package hook answers the hooks of coding agents: it keeps what a session said, and puts recorded history into the
// context of a new one. Every text that it hands over is escaped, masked and framed as history. It never blocks a
// client and never fails a turn: what goes wrong is noted, not shown.
package hook
