package ui

import "charm.land/lipgloss/v2"

const minSplitWidth = 100

// Wide reports whether a width has room for two panes side by side.
func Wide(width int) bool { return width >= minSplitWidth }

// Panes returns the sizes inside the frames of Split: the columns of the left
// and of the right pane, and their rows.
func Panes(width, height int, leftShare float64) (left, right, rows int) {
	outer := int(float64(width)*clampShare(leftShare) + 0.5)
	outer = min(max(outer, 4), max(4, width-4))
	return outer - 2, max(0, width-outer-2), max(0, height-2)
}

// Split draws two panes side by side in rounded frames, the one with focus
// in the focus style. Make left and right in the
// sizes that Panes tells; use it only when Wide.
func Split(s *Styles, left, right string, width, height int, leftShare float64, focusRight bool) string {
	lw, rw, rows := Panes(width, height, leftShare)
	return lipgloss.JoinHorizontal(lipgloss.Top,
		Frame(s, left, lw, rows, !focusRight), Frame(s, right, rw, rows, focusRight))
}

// Frame draws content, cut to width and height, in a rounded frame that adds
// one cell on each side. With the focus its top and bottom are heavy, so that colour is not needed.
func Frame(s *Styles, content string, width, height int, focus bool) string {
	box, style := lipgloss.RoundedBorder(), s.Border
	if focus {
		box.Top, box.Bottom = "━", "━"
		style = s.Focus
	}
	return lipgloss.NewStyle().Border(box).BorderForeground(style.GetForeground()).
		Width(width + 2).Height(height + 2).Render(Fit(content, width, height))
}
