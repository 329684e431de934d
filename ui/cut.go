package ui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Cut shortens s, which may be styled, to width cells; what was cut shows as …, also where it was cut before.
func Cut(s string, width int) string {
	if width <= 0 {
		return ""
	}
	cut := ansi.Truncate(s, width, "…")
	if i := strings.LastIndex(cut, "……"); i >= 0 && cut != s && strings.HasSuffix(ansi.Strip(cut), "……") {
		return cut[:i] + cut[i+len("…"):]
	}
	return cut
}

// CutMiddle shortens s to width cells by taking out its middle, which suits
// ids: sum_b4f8…d4ea. The head gets about twice as much as the tail.
func CutMiddle(s string, width int) string {
	total := ansi.StringWidth(s)
	if total <= width {
		return s
	}
	if width < 3 {
		return Cut(s, width)
	}
	tail := (width - 1) / 3
	head := strings.TrimSuffix(ansi.Truncate(s, width-1-tail, ""), "…")
	for n := total - tail; ; n++ { // A wide rune may straddle the cut.
		if end := ansi.TruncateLeft(s, n, ""); ansi.StringWidth(end) <= tail {
			return head + "…" + end
		}
	}
}

// Pad returns s, which may be styled, in exactly width cells.
func Pad(s string, width int) string {
	s = Cut(s, width)
	return s + strings.Repeat(" ", max(0, width-ansi.StringWidth(s)))
}

// PadLeft works as Pad for numbers: what is short is filled on the left.
func PadLeft(s string, width int) string {
	s = Cut(s, width)
	return strings.Repeat(" ", max(0, width-ansi.StringWidth(s))) + s
}

// Fit returns s in exactly height lines of at most width cells.
func Fit(s string, width, height int) string {
	if height <= 0 {
		return ""
	}
	lines := strings.SplitN(s, "\n", height+1)
	lines = lines[:min(len(lines), height)]
	for i, l := range lines {
		if ansi.StringWidth(l) > width {
			lines[i] = ansi.Truncate(l, width, "…")
		}
	}
	return strings.Join(lines, "\n") + strings.Repeat("\n", height-len(lines))
}

// Justify puts left at the left and right at the right end of a line of width
// cells; when they do not both fit, left is cut first, but not below keep.
func Justify(left, right string, width, keep int) string {
	room := width - ansi.StringWidth(right) - 1
	if room < keep {
		right = Cut(right, max(0, width-keep-1))
		room = width - ansi.StringWidth(right) - 1
	}
	if right == "" {
		return Cut(left, width)
	}
	return Pad(left, max(0, room)) + " " + right
}
