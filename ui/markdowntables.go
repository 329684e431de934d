package ui

import (
	"bytes"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/yuin/goldmark/ast"
	extensionast "github.com/yuin/goldmark/extension/ast"
)

const (
	// minColumn is how many cells a column has at least; a table with narrower ones is written as lists.
	minColumn      = 4
	separatorCells = 3 // Between two columns.
	// maxColumnName is how many cells of a column's name stand before each of its cells in a list.
	maxColumnName = 24
)

// markdownTable is a table whose first row is its header. All rows have the same length.
type markdownTable struct {
	rows       [][][]span // Of each row its cells.
	alignments []extensionast.Alignment
}

// table draws a table in the width that is left: its widest columns are narrowed and their cells wrapped.
func (w *markdownWriter) table(n *extensionast.Table) {
	t := w.readTable(n)
	columns := len(t.rows[0])
	widths := fitColumns(t.naturalWidths(), w.rest()-separatorCells*(columns-1))
	if widths == nil {
		w.tableAsLists(t)
		return
	}
	for i, row := range t.rows {
		w.tableRow(row, widths, t.alignments)
		if i == 0 {
			rules := make([]string, columns)
			for c, width := range widths {
				rules[c] = strings.Repeat("─", width)
			}
			w.line(w.palette.render(strings.Join(rules, "─┼─"), spanStyle{role: roleFrame}))
		}
	}
}

func (w *markdownWriter) readTable(n *extensionast.Table) markdownTable {
	t := markdownTable{alignments: n.Alignments}
	columns := 1
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		style := spanStyle{bold: row.Kind() == extensionast.KindTableHeader}
		var cells [][]span
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, w.inlines(cell, style))
		}
		cells = append(cells, w.surplusCells(row, len(n.Alignments))...)
		t.rows, columns = append(t.rows, cells), max(columns, len(cells))
	}
	for i, row := range t.rows {
		t.rows[i] = append(row, make([][]span, columns-len(row))...)
	}
	t.alignments = append(slices.Clip(t.alignments), make([]extensionast.Alignment, columns-len(t.alignments))...)
	return t
}

// surplusCells returns what a row has behind the last column of the header, which the parser leaves out, as one
// cell or none.
func (w *markdownWriter) surplusCells(row ast.Node, columns int) (cells [][]span) {
	last := row.LastChild()
	if row.ChildCount() < columns || last == nil || last.Lines().Len() == 0 {
		return nil
	}
	line, _, _ := bytes.Cut(w.source[last.Lines().At(0).Stop:], []byte("\n"))
	rest := strings.Trim(string(line), " ")
	rest = strings.TrimPrefix(rest, "|")
	if strings.TrimSpace(rest) == "" {
		return nil
	}
	rest = strings.TrimSpace(strings.TrimSuffix(rest, "|"))
	return [][]span{{{rest, spanStyle{}}}}
}

func (t *markdownTable) naturalWidths() []int {
	widths := make([]int, len(t.rows[0]))
	for _, row := range t.rows {
		for c, spans := range row {
			widths[c] = max(1, widths[c], spansWidth(spans))
		}
	}
	return widths
}

// isEmptyColumn reports whether column has a name only.
func (t *markdownTable) isEmptyColumn(column int) bool {
	return !slices.ContainsFunc(t.rows[1:], func(row [][]span) bool { return len(row[column]) > 0 })
}

func spansText(spans []span) string {
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return b.String()
}

func spansWidth(spans []span) (cells int) {
	for _, s := range spans {
		cells += ansi.StringWidth(s.text)
	}
	return cells
}

// fitColumns narrows the widest columns until all of them need no more than room; nil if there is
// less than minColumn for one that needs it.
func fitColumns(natural []int, room int) []int {
	sum := func(limit int) (n int) {
		for _, width := range natural {
			n += min(width, limit)
		}
		return n
	}
	limit := slices.Max(natural)
	if sum(limit) <= room {
		return natural
	}
	if sum(minColumn) > room {
		return nil
	}
	low, high := minColumn, limit // The widths of low fit, those of high don't.
	for high-low > 1 {
		if middle := (low + high) / 2; sum(middle) <= room {
			low = middle
		} else {
			high = middle
		}
	}
	spare, widths := room-sum(low), make([]int, len(natural))
	for c, width := range natural {
		widths[c] = min(width, low)
		if width > low && spare > 0 {
			widths[c], spare = widths[c]+1, spare-1
		}
	}
	return widths
}

// cellLine is one line of a cell.
type cellLine struct {
	styled string
	cells  int
}

func (w *markdownWriter) tableRow(row [][]span, widths []int, alignments []extensionast.Alignment) {
	height, cells := 1, make([][]cellLine, len(row))
	for c, spans := range row {
		wrap := wrapper{palette: &w.palette, width: widths[c], emit: func(line string, n int) {
			cells[c] = append(cells[c], cellLine{line, n})
		}}
		wrap.wrap(spans)
		height = max(height, len(cells[c]))
	}
	separator := w.palette.render(" │ ", spanStyle{role: roleFrame})
	for i := range height {
		var line strings.Builder
		for c, lines := range cells {
			if c > 0 {
				line.WriteString(separator)
			}
			var text cellLine
			if i < len(lines) {
				text = lines[i]
			}
			before, after := padCell(widths[c]-text.cells, alignments[c])
			if c == len(cells)-1 {
				after = 0
			}
			line.WriteString(strings.Repeat(" ", before) + text.styled + strings.Repeat(" ", after))
		}
		w.line(line.String())
	}
}

// padCell divides the blanks of a cell between its two sides.
func padCell(blanks int, alignment extensionast.Alignment) (before, after int) {
	blanks = max(0, blanks)
	switch alignment {
	case extensionast.AlignRight:
		return blanks, 0
	case extensionast.AlignCenter:
		return blanks / 2, blanks - blanks/2
	}
	return 0, blanks
}

// tableAsLists writes each row as lines of a column's name and its cell, for tables that have no room.
// Names are cut there; if one is too long, or no cell follows it, the names come first, whole.
func (w *markdownWriter) tableAsLists(t markdownTable) {
	names, long := make([]string, len(t.rows[0])), len(t.rows) == 1
	for c, spans := range t.rows[0] {
		name := spansText(spans)
		names[c] = ansi.Truncate(name, maxColumnName, "…")
		long = long || names[c] != name || t.isEmptyColumn(c)
	}
	if long {
		for _, spans := range t.rows[0] {
			w.wrapped(spans)
		}
	}
	for i, row := range t.rows[1:] {
		if i > 0 || long {
			w.line("")
		}
		for c, spans := range row {
			if names[c] != "" && len(spans) > 0 {
				spans = append([]span{{names[c] + ": ", spanStyle{bold: true}}}, spans...)
			}
			if len(spans) > 0 {
				w.wrapped(spans)
			}
		}
	}
}
