package views

import (
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/ops"
	"lcm-tui/ui"
)

// The signs before the lines of a difference: what differs is known without colour.
const (
	signSame    = "  "
	SignRemoved = "− "
	SignAdded   = "+ "
)

// DiffRow is a line of two versions of a text: the same on both sides, or lines that
// stand beside each other, of which one may be absent.
type DiffRow struct {
	before, after       string // Styled.
	hasBefore, hasAfter bool
	same                bool
}

// diffLines gathers the lines of a difference.
type diffLines struct {
	styles              *ui.Styles
	rows                []DiffRow
	removed, added      []string // Lines that differ and wait for their counterparts.
	before, after       strings.Builder
	dirtyLeft, dirtyNew bool // The present lines differ.
}

// DiffRows returns the lines of the pieces of a difference, those that differ with their
// words marked.
func DiffRows(pieces []ops.Piece, s *ui.Styles) []DiffRow {
	d := diffLines{styles: s}
	for _, p := range pieces {
		for i, text := range strings.Split(ui.Sanitize(p.Text), "\n") {
			if i > 0 {
				d.end(p.Mark)
			}
			d.write(p.Mark, text)
		}
	}
	if d.before.Len() > 0 || d.after.Len() > 0 {
		d.end(ops.Same)
	}
	d.flush()
	return d.rows
}

// write adds a piece of a line to the sides on which it stands.
func (d *diffLines) write(mark ops.Mark, text string) {
	styled := func(s lipgloss.Style) string {
		if text == "" {
			return ""
		}
		return s.Render(text)
	}
	switch mark {
	case ops.Removed:
		d.before.WriteString(styled(d.styles.RemovedWord))
		d.dirtyLeft = d.dirtyLeft || text != ""
	case ops.Added:
		d.after.WriteString(styled(d.styles.AddedWord))
		d.dirtyNew = d.dirtyNew || text != ""
	default:
		d.before.WriteString(text)
		d.after.WriteString(text)
	}
}

// end ends the line on the sides that a mark is on.
func (d *diffLines) end(mark ops.Mark) {
	if mark == ops.Same && !d.dirtyLeft && !d.dirtyNew && d.before.String() == d.after.String() {
		d.flush()
		d.rows = append(d.rows, DiffRow{d.before.String(), d.after.String(), true, true, true})
		d.before.Reset()
		d.after.Reset()
		return
	}
	if mark != ops.Added {
		d.removed = append(d.removed, d.before.String())
		d.before.Reset()
		d.dirtyLeft = false
	}
	if mark != ops.Removed {
		d.added = append(d.added, d.after.String())
		d.after.Reset()
		d.dirtyNew = false
	}
	// The rest of a line of which one side has ended differs by that.
	d.dirtyLeft = d.dirtyLeft || mark == ops.Added && d.before.Len() > 0
	d.dirtyNew = d.dirtyNew || mark == ops.Removed && d.after.Len() > 0
}

// flush puts the lines that differ beside each other.
func (d *diffLines) flush() {
	for i := range max(len(d.removed), len(d.added)) {
		d.rows = append(d.rows, DiffRow{
			before: LineAt(d.removed, i), after: LineAt(d.added, i), hasBefore: i < len(d.removed), hasAfter: i < len(d.added),
		})
	}
	d.removed, d.added = nil, nil
}

// Unified returns the rows below each other: of those that differ first what goes, then what
// comes.
func Unified(rows []DiffRow, width int, s *ui.Styles) string {
	var b, added strings.Builder
	line := func(to *strings.Builder, sign, text string, style lipgloss.Style) {
		for _, l := range ui.WrapLines(text, width-len(signSame)) {
			to.WriteString(style.Render(sign) + l + "\n")
		}
	}
	for _, r := range rows {
		if r.same {
			b.WriteString(added.String())
			added.Reset()
			line(&b, signSame, r.after, lipgloss.NewStyle())
			continue
		}
		if r.hasBefore {
			line(&b, SignRemoved, r.before, s.Removed)
		}
		if r.hasAfter {
			line(&added, SignAdded, r.after, s.Added)
		}
	}
	return b.String() + added.String()
}

// SideBySide returns the rows in two columns.
func SideBySide(rows []DiffRow, width int, s *ui.Styles) string {
	half := (width - 3) / 2
	var b strings.Builder
	for _, r := range rows {
		left := signedLines(r.before, SignRemoved, s.Removed, r.hasBefore, r.same, half)
		right := signedLines(r.after, SignAdded, s.Added, r.hasAfter, r.same, half)
		for i := range max(len(left), len(right)) {
			b.WriteString(ui.Pad(LineAt(left, i), half) + s.Faint.Render(" │ ") + LineAt(right, i) + "\n")
		}
	}
	return b.String()
}

// signedLines returns one side of a row, wrapped, with its sign before every line.
func signedLines(text, sign string, style lipgloss.Style, there, same bool, width int) (out []string) {
	if !there {
		return nil
	}
	if same {
		sign, style = signSame, lipgloss.NewStyle()
	}
	for _, l := range ui.WrapLines(text, width-len(signSame)) {
		out = append(out, style.Render(sign)+l)
	}
	return out
}

// BesideSource returns a new text beside what it is made from, or above it where there is too
// little room.
func BesideSource(source, made string, wide bool, width int, s *ui.Styles) string {
	source, text := muted(s, source), ui.Sanitize(made)
	if !wide {
		return text + "\n\n" + s.Muted.Render("made from") + "\n\n" + source + "\n"
	}
	half := (width - 3) / 2
	left, right := ui.WrapLines(source, half), ui.WrapLines(text, half)
	b := strings.Builder{}
	for i := range max(len(left), len(right)) {
		b.WriteString(ui.Pad(LineAt(left, i), half) + s.Faint.Render(" │ ") + LineAt(right, i) + "\n")
	}
	return b.String()
}

// muted returns a stored text in the colour of what matters less, line by line.
func muted(s *ui.Styles, text string) string {
	lines := strings.Split(ui.Sanitize(text), "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = s.Muted.Render(l)
		}
	}
	return strings.Join(lines, "\n")
}

// LineAt returns a line, or nothing behind the last.
func LineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return ""
}
