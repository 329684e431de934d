package views

import (
	"strconv"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

// Column is one column of a list. A width of 0 takes what the others leave.
type Column struct {
	Title string
	Width int
	Right bool
	// from is the list's width from which the column is shown.
	From int
}

// Columns is the columns that fit a width, with their widths.
type Columns []Column

// Lay returns the columns that a row of this width has room for.
func Lay(columns []Column, width int) Columns {
	var out Columns
	left := width
	for _, c := range columns {
		if width < c.From {
			continue
		}
		out = append(out, c)
		left -= c.Width + 1
	}
	for i := range out {
		if out[i].Width == 0 {
			out[i].Width = max(8, left)
		}
	}
	return out
}

// Without leaves out a column on a condition.
func (l Columns) Without(leave bool, title string) Columns {
	var out Columns
	spare := 0
	for _, c := range l {
		if leave && c.Title == title {
			spare = c.Width + 1
			continue
		}
		out = append(out, c)
	}
	for i := range out {
		if out[i].Title == "conversation" {
			out[i].Width += spare
		}
	}
	return out
}

// Width returns that of a column, or 0.
func (l Columns) Width(title string) int {
	for _, c := range l {
		if c.Title == title {
			return c.Width
		}
	}
	return 0
}

// Line sets cells, by column title, in one line.
func (l Columns) Line(cell func(title string) string) string {
	parts := make([]string, 0, len(l))
	for _, c := range l {
		s := ui.Cut(cell(c.Title), c.Width)
		if c.Right {
			parts = append(parts, ui.PadLeft(s, c.Width))
			continue
		}
		parts = append(parts, ui.Pad(s, c.Width))
	}
	return strings.TrimRight(strings.Join(parts, " "), " ")
}

// Head returns the line of titles.
func (l Columns) Head(style lipgloss.Style) string {
	return style.Render(l.Line(func(title string) string { return title }))
}

// Itoa returns a number without separators, as ids and ordinals are written.
func Itoa(n int64) string { return strconv.FormatInt(n, 10) }
