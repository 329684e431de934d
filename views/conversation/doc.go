// Package conversation has the tabs of a conversation but its health: messages, summaries, context, files, focus briefs and
// what a host prepares; reading, and where a message or a sentence of a summary came from. The tabs show rows of each
// other, so they are one package.
package conversation

import "lcm-tui/views"

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.Tabs[views.TabMessages], s.Tabs[views.TabSummaries], s.Tabs[views.TabContext] = NewMessages, NewSummaries, NewContext
	s.Tabs[views.TabFiles], s.Tabs[views.TabFocus], s.Tabs[views.TabPending] = NewFiles, NewFocus, NewPending
}
