package views

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

// column is one column of a list. A width of 0 takes what the others leave.
type Column struct {
	title string
	width int
	right bool
	// from is the list's width from which the column is shown.
	from int
}

// layout is the columns that fit a width, with their widths.
type Columns []Column

func Lay(columns []Column, width int) Columns {
	var out Columns
	left := width
	for _, c := range columns {
		if width < c.from {
			continue
		}
		out = append(out, c)
		left -= c.width + 1
	}
	for i := range out {
		if out[i].width == 0 {
			out[i].width = max(8, left)
		}
	}
	return out
}

// without leaves out a column on a condition.
func (l Columns) without(leave bool, title string) Columns {
	var out Columns
	spare := 0
	for _, c := range l {
		if leave && c.title == title {
			spare = c.width + 1
			continue
		}
		out = append(out, c)
	}
	for i := range out {
		if out[i].title == "conversation" {
			out[i].width += spare
		}
	}
	return out
}

// width is that of a column, or 0.
func (l Columns) width(title string) int {
	for _, c := range l {
		if c.title == title {
			return c.width
		}
	}
	return 0
}

// line sets cells, by column title, in one line.
func (l Columns) line(cell func(title string) string) string {
	parts := make([]string, 0, len(l))
	for _, c := range l {
		s := ui.Cut(cell(c.title), c.width)
		if c.right {
			parts = append(parts, ui.PadLeft(s, c.width))
			continue
		}
		parts = append(parts, ui.Pad(s, c.width))
	}
	return strings.TrimRight(strings.Join(parts, " "), " ")
}

// head is the line of titles.
func (l Columns) head(style lipgloss.Style) string {
	return style.Render(l.line(func(title string) string { return title }))
}

// itoa is a number without separators, as ids and ordinals are written.
func itoa(n int64) string { return strconv.FormatInt(n, 10) }
