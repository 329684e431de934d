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
	alike               bool // One line became the other.
}

// lineSide is a line of one version of a text, in pieces.
type lineSide struct {
	pieces  []ops.Piece
	changed bool
}

// add adds a piece of the line.
func (l *lineSide) add(mark ops.Mark, text string) {
	if text != "" {
		l.pieces = append(l.pieces, ops.Piece{Mark: mark, Text: text})
		l.changed = l.changed || mark != ops.Same
	}
}

// text returns the line with the words that differ in a style.
func (l *lineSide) text(words lipgloss.Style) string {
	var b strings.Builder
	for _, p := range l.pieces {
		if p.Mark != ops.Same {
			p.Text = words.Render(p.Text)
		}
		b.WriteString(p.Text)
	}
	return b.String()
}

// same returns what of the line is in the other version too, without blanks.
func (l *lineSide) same() string {
	var b strings.Builder
	for _, p := range l.pieces {
		if p.Mark == ops.Same {
			b.WriteString(strings.Join(strings.Fields(p.Text), ""))
		}
	}
	return b.String()
}

// mostlySame reports whether at least half of the line is in the other version too.
func (l *lineSide) mostlySame() bool {
	all := len(strings.Join(strings.Fields(l.text(lipgloss.NewStyle())), ""))
	return all > 0 && 2*len(l.same()) >= all
}

// becomes reports whether a line of the other version is this one with some words changed.
func (l *lineSide) becomes(other *lineSide) bool {
	return l.same() == other.same() && (l.mostlySame() || other.mostlySame())
}

// marked returns the line with the words marked that differ. Where nearly all differ, marks would say nothing: the sign
// before the line is enough.
func (l *lineSide) marked(words lipgloss.Style, alike bool) string {
	if !alike && !l.mostlySame() {
		words = lipgloss.NewStyle()
	}
	return l.text(words)
}

// diffLines gathers the lines of a difference.
type diffLines struct {
	styles         *ui.Styles
	rows           []DiffRow
	removed, added []lineSide // Lines that differ and wait for their counterparts.
	before, after  lineSide   // The present lines.
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
	if len(d.before.pieces) > 0 || len(d.after.pieces) > 0 {
		d.end(ops.Same)
	}
	d.flush()
	return d.rows
}

// write adds a piece of a line to the sides on which it stands.
func (d *diffLines) write(mark ops.Mark, text string) {
	if mark != ops.Added {
		d.before.add(mark, text)
	}
	if mark != ops.Removed {
		d.after.add(mark, text)
	}
}

// end ends the line on the sides that a mark is on.
func (d *diffLines) end(mark ops.Mark) {
	plain := lipgloss.NewStyle()
	if mark == ops.Same && !d.before.changed && !d.after.changed && d.before.text(plain) == d.after.text(plain) {
		d.flush()
		text := d.after.text(plain)
		d.rows = append(d.rows, DiffRow{before: text, after: text, hasBefore: true, hasAfter: true, same: true})
		d.before, d.after = lineSide{}, lineSide{}
		return
	}
	if mark != ops.Added {
		d.removed = append(d.removed, d.before)
		d.before = lineSide{}
	}
	if mark != ops.Removed {
		d.added = append(d.added, d.after)
		d.after = lineSide{}
	}
	// The rest of a line of which one side has ended differs by that.
	d.before.changed = d.before.changed || mark == ops.Added && len(d.before.pieces) > 0
	d.after.changed = d.after.changed || mark == ops.Removed && len(d.after.pieces) > 0
}

// flush puts the lines that differ beside each other.
func (d *diffLines) flush() {
	for i := range max(len(d.removed), len(d.added)) {
		r := DiffRow{hasBefore: i < len(d.removed), hasAfter: i < len(d.added)}
		r.alike = r.hasBefore && r.hasAfter && d.removed[i].becomes(&d.added[i])
		if r.hasBefore {
			r.before = d.removed[i].marked(d.styles.RemovedWord, r.alike)
		}
		if r.hasAfter {
			r.after = d.added[i].marked(d.styles.AddedWord, r.alike)
		}
		d.rows = append(d.rows, r)
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

// SideBySide returns the rows in two columns. Lines of which one became the other begin at one height; of others each
// column goes on by itself, without blank lines.
func SideBySide(rows []DiffRow, width int, s *ui.Styles) string {
	half := (width - 3) / 2
	var b strings.Builder
	var left, right []string
	flush := func() {
		for i := range max(len(left), len(right)) {
			b.WriteString(ui.Pad(LineAt(left, i), half) + s.Faint.Render(" │ ") + LineAt(right, i) + "\n")
		}
		left, right = nil, nil
	}
	apart := false
	for _, r := range rows {
		if now := !r.same && !r.alike; !now || !apart {
			flush()
			apart = now
		}
		left = append(left, signedLines(r.before, SignRemoved, s.Removed, r.hasBefore, r.same, half)...)
		right = append(right, signedLines(r.after, SignAdded, s.Added, r.hasAfter, r.same, half)...)
	}
	flush()
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
