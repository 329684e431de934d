package ui

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

const wheelRows = 3

// listLine is one line on screen: a row, or a divider when row is -1.
type listLine struct {
	row     int
	divider string
}

// View draws the list in width times height cells.
func (l *List[T]) View(width, height int) string {
	lines := l.headLines(width)
	l.top = len(lines)
	l.height = max(1, height-l.top)
	if len(l.shown.rows) == 0 {
		return Fit(strings.Join(append(lines, l.emptyText(width)), "\n"), width, height)
	}
	l.scroll()
	for _, ln := range l.layout() {
		lines = append(lines, l.line(ln, width))
	}
	return Fit(strings.Join(lines, "\n"), width, height)
}

// Count returns how many rows there are: "4,147", or "12 of 4,147" by a filter.
func (l *List[T]) Count() string {
	if l.shown.needle == "" {
		return Num(int64(len(l.shown.items)))
	}
	return fmt.Sprintf("%s of %s", Num(int64(len(l.shown.rows))), Num(int64(len(l.shown.items))))
}

// headLines returns the filter and the head.
func (l *List[T]) headLines(width int) []string {
	var out []string
	switch {
	case l.Typing():
		count := l.styles.Muted.Render(l.Count() + " ")
		out = append(out, Justify(" "+l.input.View(max(4, width-ansi.StringWidth(count)-2)), count, width, 4))
	case l.shown.needle != "":
		left := l.styles.Accent.Render(" /") + " " + LineN(l.shown.needle, width)
		out = append(out, Justify(left, l.styles.Muted.Render(l.Count()+"  esc clears "), width, 4))
	}
	if l.Head != "" {
		out = append(out, " "+Cut(l.Head, width-1))
	}
	return out
}

// emptyText returns what an empty list says.
func (l *List[T]) emptyText(width int) string {
	say := l.Empty
	if l.shown.needle != "" && len(l.shown.items) > 0 {
		say = "nothing matches " + LineN(l.shown.needle, width/2) + " · esc clears the filter"
	}
	return l.styles.Muted.Render(Indent(ansi.Wrap(say, max(1, width-2), "")))
}

// Indent puts a blank before each line.
func Indent(s string) string { return " " + strings.ReplaceAll(s, "\n", "\n ") }

func (l *List[T]) line(ln listLine, width int) string {
	if ln.row < 0 {
		return " " + Cut(ln.divider, width-1)
	}
	on := ln.row == l.cursor
	s := UnderlineMatches(l.render(l.shown.at(ln.row), max(0, width-1), on), l.shown.needle)
	if !on {
		return " " + s
	}
	gutter, style := l.styles.Accent.Render("▌"), l.styles.Cursor
	if l.Blurred {
		gutter, style = l.styles.Faint.Render("▏"), l.styles.Blurred
	}
	return paintBackground(gutter+Pad(s, max(0, width-1)), style)
}

// paintBackground lays the background of style under s, also where a style inside s ends.
func paintBackground(s string, style lipgloss.Style) string {
	open, end, _ := strings.Cut(style.Render("x"), "x")
	s = strings.ReplaceAll(s, "\x1b[m", "\x1b[m"+open)
	s = strings.ReplaceAll(s, "\x1b[0m", "\x1b[0m"+open)
	return open + s + end
}

// layout returns the lines that fit below the offset.
func (l *List[T]) layout() []listLine {
	out := make([]listLine, 0, l.height)
	for i := l.offset; i < len(l.shown.rows) && len(out) < l.height; i++ {
		if d := l.dividerAbove(i); d != "" && i > l.offset {
			out = append(out, listLine{-1, d})
		}
		if len(out) < l.height {
			out = append(out, listLine{row: i})
		}
	}
	return out
}

func (l *List[T]) dividerAbove(i int) string {
	if l.Divider == nil || i == 0 {
		return ""
	}
	return l.Divider(l.shown.at(i-1), l.shown.at(i))
}

// scroll moves the offset so that the cursor is on screen and no line is
// wasted below the last row.
func (l *List[T]) scroll() {
	l.offset = min(l.offset, l.cursor, l.firstRowFor(len(l.shown.rows)-1))
	l.offset = max(l.offset, l.firstRowFor(l.cursor), 0)
}

// firstRowFor returns the smallest offset with which row last is still on screen.
func (l *List[T]) firstRowFor(last int) int {
	lines := 1
	for i := last; i > 0; i-- {
		need := 1
		if l.dividerAbove(i) != "" {
			need = 2
		}
		if lines += need; lines > l.height {
			return i
		}
	}
	return 0
}

// wheel scrolls, and takes the cursor along when it would leave the screen.
func (l *List[T]) wheel(m tea.MouseWheelMsg) {
	if len(l.shown.rows) == 0 {
		return
	}
	switch m.Button {
	case tea.MouseWheelUp:
		l.offset = max(0, l.offset-wheelRows)
	case tea.MouseWheelDown:
		l.offset = min(l.offset+wheelRows, l.firstRowFor(len(l.shown.rows)-1))
	default:
		return
	}
	lines := l.layout()
	first, last := l.offset, l.offset
	for _, ln := range lines {
		last = max(last, ln.row)
	}
	if at := min(max(l.cursor, first), last); at != l.cursor {
		l.goTo(at)
	}
}

func (l *List[T]) click(m tea.MouseClickMsg) tea.Cmd {
	lines, at := l.layout(), m.Y-l.top
	if m.Button != tea.MouseLeft || at < 0 || at >= len(lines) || lines[at].row < 0 {
		return nil
	}
	if row := lines[at].row; row != l.cursor {
		l.goTo(row)
		return nil
	}
	it, _ := l.Selected()
	return Say(OpenMsg{ID: l.id(it)})
}
