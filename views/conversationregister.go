package views

// conversationRegister adds the screens of this package.
func conversationRegister(s *Screens) {
	s.Tabs[tabMessages], s.Tabs[tabSummaries], s.Tabs[tabContext] = NewMessages, NewSummaries, NewContext
	s.Tabs[tabFiles], s.Tabs[tabFocus], s.Tabs[tabPending] = NewFiles, NewFocus, NewPending
}
