package views

// reviewRegister adds the screens of this package.
func reviewRegister(s *Screens) {
	s.Review, s.Compaction, s.History = OpenReview, NewCompaction, ScreenOf(NewHistory)
}
