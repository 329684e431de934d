package views

// compareRegister adds the screens of this package.
func compareRegister(s *Screens) {
	s.FileDiff, s.RecordDiff, s.DiffChoice = NewFileDiff, NewRecordDiff, ScreenOf(NewDiffChoice)
}
