// Package compare has what differs between two files, or between now and before a change.
package compare

import "lcm-tui/views"

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.FileDiff, s.RecordDiff, s.DiffChoice = NewFileDiff, NewRecordDiff, views.ScreenOf(NewDiffChoice)
}
