package cli

import (
	"slices"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// column is one column of a table.
type column struct {
	title string
	right bool // Numbers stand at the right.
	grows bool // It takes what is left, and is cut first.
	spare bool // It is left out where there is no room for it.
	style lipgloss.Style
}

// table writes rows below their titles, aligned by what is seen of them. Cells are
// clean already, and may be styled.
func (p *printer) table(columns []column, rows [][]string) {
	widths := make([]int, len(columns))
	for i, c := range columns {
		widths[i] = ansi.StringWidth(c.title)
		for _, r := range rows {
			widths[i] = max(widths[i], ansi.StringWidth(r[i]))
		}
	}
	columns, widths, rows = p.spare(columns, widths, rows)
	p.squeeze(columns, widths)
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i] = p.styles.Muted.Render(c.title)
	}
	p.row(columns, widths, titles)
	for _, r := range rows {
		cells := make([]string, len(r))
		for i, cell := range r {
			cells[i] = styled(columns[i].style, ui.Cut(cell, widths[i]))
		}
		p.row(columns, widths, cells)
	}
}

// spare leaves out spare columns, the last first, until the others fit the terminal.
func (p *printer) spare(columns []column, widths []int, rows [][]string) ([]column, []int, [][]string) {
	for i := len(columns) - 1; i >= 0 && p.width > 0; i-- {
		if !columns[i].spare || tableWidth(columns, widths) <= p.width {
			continue
		}
		columns, widths, rows = withoutIndex(columns, i), withoutIndex(widths, i), slices.Clone(rows)
		for j, r := range rows {
			rows[j] = withoutIndex(r, i)
		}
	}
	return columns, widths, rows
}

// tableWidth is how many cells a row takes at least, if it is to be of use.
func tableWidth(columns []column, widths []int) int {
	total := 2 * (len(widths) - 1)
	for i, w := range widths {
		if columns[i].grows {
			w = min(w, 20)
		}
		total += w
	}
	return total
}

func withoutIndex[T any](list []T, i int) []T { return slices.Concat(list[:i], list[i+1:]) }

// squeeze narrows the columns that grow until the row fits the terminal.
func (p *printer) squeeze(columns []column, widths []int) {
	if p.width == 0 {
		return
	}
	over := 2*(len(widths)-1) - p.width
	for _, w := range widths {
		over += w
	}
	const least = 8
	for i, c := range columns {
		if c.grows && over > 0 {
			less := min(over, max(0, widths[i]-least))
			widths[i] -= less
			over -= less
		}
	}
}

func (p *printer) row(columns []column, widths []int, cells []string) {
	line := ""
	for i, cell := range cells {
		if i > 0 {
			line += "  "
		}
		switch last := i == len(cells)-1; {
		case columns[i].right:
			line += ui.PadLeft(cell, widths[i])
		case last:
			line += cell
		default:
			line += ui.Pad(cell, widths[i])
		}
	}
	p.line(line)
}
