// Package review has the review of a plan – its pages, the run of a model, apply, undo and redo – the dialog of a compaction
// and the history of changes.
package review

import "lcm-tui/views"

// Register adds the screens of this package.
func Register(s *views.Screens) {
	s.Review, s.Compaction, s.History = OpenReview, NewCompaction, views.ScreenOf(NewHistory)
}
