// Package memory has the screens of what coding agents are remembered by: what hooks kept, did and handed over, the
// session files, the work that waits, and the entries of promoted memory. They read the notes beside the database,
// and write entries only through a review. What runs for long, such as a compaction, is a process of its own.
package memory

import (
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register fills in the screens of this package.
func Register(s *views.Screens) {
	s.Memory = func(e *views.Env) ui.Screen { return New(e) }
	s.Entries = func(e *views.Env) ui.Screen { return NewEntries(e) }
}
