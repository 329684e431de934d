package cli

import (
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// Column is one column of a table.
type Column struct {
	Title string
	Right bool // Numbers stand at the right.
	Grows bool // It takes what is left, and is cut first.
	Spare bool // It is left out where there is no room for it.
	Style lipgloss.Style
}

// Table writes rows below their titles, aligned by what is seen of them. Cells are
// clean already, and may be styled.
func (p *Printer) Table(columns []Column, rows [][]string) {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = ansi.StringWidth(c.Title)
		for _, r := range rows {
			widths[i] = max(widths[i], ansi.StringWidth(r[i]))
		}
	}
	columns, widths, rows = p.spare(columns, widths, rows)
	p.squeeze(columns, widths)
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = p.Styles.Muted.Render(c.Title)
	}
	p.row(columns, widths, titles)
	for _, r := range rows {
		cells := make([]string, len(r))
		for i, cell := range r {
			cells[i] = Styled(columns[i].Style, ui.Cut(cell, widths[i]))
		}
		p.row(columns, widths, cells)
	}
}

// spare leaves out spare columns, the last first, until the others fit the terminal.
func (p *Printer) spare(columns []Column, widths []int, rows [][]string) ([]Column, []int, [][]string) {
	for i := len(columns) - 1; i >= 0 && p.Width > 0; i-- {
		if !columns[i].Spare || tableWidth(columns, widths) <= p.Width {
			continue
		}
		columns, widths, rows = WithoutIndex(columns, i), WithoutIndex(widths, i), slices.Clone(rows)
		for j, r := range rows {
			rows[j] = WithoutIndex(r, i)
		}
	}
	return columns, widths, rows
}

// tableWidth returns how many cells a row takes at least, if it is to be of use.
func tableWidth(columns []Column, widths []int) int {
	total := 2 * (len(widths) - 1)
	for i, w := range widths {
		if columns[i].Grows {
			w = min(w, 20)
		}
		total += w
	}
	return total
}

// WithoutIndex leaves one element out.
func WithoutIndex[T any](list []T, i int) []T { return slices.Concat(list[:i], list[i+1:]) }

// squeeze narrows the columns that grow until the row fits the terminal.
func (p *Printer) squeeze(columns []Column, widths []int) {
	if p.Width == 0 {
		return
	}
	over := 2*(len(widths)-1) - p.Width
	for _, w := range widths {
		over += w
	}
	const least = 8
	for i, c := range columns {
		if c.Grows && over > 0 {
			less := min(over, max(0, widths[i]-least))
			widths[i] -= less
			over -= less
		}
	}
}

func (p *Printer) row(columns []Column, widths []int, cells []string) {
	line := ""
	for i, cell := range cells {
		if i > 0 {
			line += "  "
		}
		switch last := i == len(cells)-1; {
		case columns[i].Right:
			line += ui.PadLeft(cell, widths[i])
		case last:
			line += cell
		default:
			line += ui.Pad(cell, widths[i])
		}
	}
	p.Line(line)
}
