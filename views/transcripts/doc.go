// Package transcripts has what is kept beside the file: session files to import, the transcript of a conversation beside its
// messages, exports, slices and bug reports.
package transcripts

import (
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.SessionFiles = views.ScreenOf(NewSessionFiles)
	s.Comparison = func(e *views.Env, conv lcm.Conversation) ui.Screen { return NewComparison(e, conv, "") }
	s.Slice = func(e *views.Env, chosen []int64) ui.Screen { return NewSlice(e, chosen) }
	s.Bundle = views.ScreenOf(NewBundle)
	s.Export = func(e *views.Env, conv lcm.Conversation, title string) ui.Screen { return NewExport(e, conv, title) }
}
