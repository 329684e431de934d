package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
)

const minSplitWidth = 100

// Wide reports whether a width has room for two panes side by side.
func Wide(width int) bool { return width >= minSplitWidth }

// Panes returns the sizes of the panes of Split: the columns of the left and of the right pane, and
// their rows. The line and a blank before it take two columns, the line above takes a row.
func Panes(width, height int, leftShare float64) (left, right, rows int) {
	left = int(float64(width)*clampShare(leftShare) + 0.5)
	left = min(max(left, 4), max(4, width-4))
	return left - 2, max(0, width-left), max(0, height-1)
}

// Split draws two panes side by side under a line, with a line between them. Above the pane with the focus
// the line is heavy, so that colour is not needed. Make left and right in the sizes that
// Panes tells; use it only when Wide.
func Split(s *Styles, left, right string, width, height int, leftShare float64, focusRight bool) string {
	lw, rw, rows := Panes(width, height, leftShare)
	top := s.Focus.Render(strings.Repeat("━", lw+1)) + s.Border.Render("┭"+strings.Repeat("─", rw))
	if focusRight {
		top = s.Border.Render(strings.Repeat("─", lw+1)+"┮") + s.Focus.Render(strings.Repeat("━", rw))
	}
	between := s.Border.Render(" │")
	lefts, rights := strings.Split(Fit(left, lw, rows), "\n"), strings.Split(Fit(right, rw, rows), "\n")
	lines := []string{top}
	for i := range min(rows, len(lefts), len(rights)) {
		lines = append(lines, Pad(lefts[i], lw)+between+rights[i])
	}
	return strings.Join(lines, "\n")
}

// Frame draws content, cut to width and height, in a rounded frame that adds one cell on each side.
func Frame(s *Styles, content string, width, height int) string {
	return lipgloss.NewStyle().Border(lipgloss.RoundedBorder()).BorderForeground(s.Focus.GetForeground()).
		Width(width + 2).Height(height + 2).Render(Fit(content, width, height))
}
