package cli

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// Printer is text for people on its way to standard output. Whoever writes on it has
// cleaned what came from a database.
type Printer struct {
	out    *lineBuffer
	bare   io.Writer // Standard output itself.
	Styles ui.Styles
	Width  int    // Of the terminal; 0 for a pipe, where nothing is cut.
	Raw    []byte // Written as it is instead of all else.
	err    error

	damaged bool // A read met damage, so an empty list isn't known to be empty.
}

// Flush writes what is waiting.
func (p *Printer) Flush() error {
	if p.Raw != nil {
		_, err := p.bare.Write(p.Raw)
		return err
	}
	if err := p.out.Flush(); p.err == nil {
		p.err = err
	}
	return p.err
}

// Line writes one line, cut to the terminal.
func (p *Printer) Line(s string) {
	if p.Width > 0 {
		s = ui.Cut(s, p.Width)
	}
	p.Write(s + "\n")
}

// Linef writes a line by a format.
func (p *Printer) Linef(format string, args ...any) { p.Line(fmt.Sprintf(format, args...)) }

// Block writes text of any number of lines, whole.
func (p *Printer) Block(text string) { p.Write(strings.TrimSuffix(text, "\n") + "\n") }

func (p *Printer) Write(s string) {
	if err := p.out.WriteString(s); err != nil && p.err == nil {
		p.err = err
	}
}

// Answer writes the answer of an agent tool: as it is where a program reads it, and on a terminal
// with control characters made visible.
func (p *Printer) Answer(text string) {
	if IsTerminal(p.bare) {
		p.Write(EndLine(ui.Sanitize(text)))
		return
	}
	p.Raw = []byte(EndLine(text))
}

// Title writes a heading.
func (p *Printer) Title(s string) { p.Line(p.Styles.Title.Render(s)) }

// Muted writes a line that matters less.
func (p *Printer) Muted(s string) { p.Line(p.Styles.Muted.Render(s)) }

// None says that a list is empty, or that nothing of it can be read.
func (p *Printer) None(what, where string) {
	if p.damaged {
		p.Linef("no %s%s can be read; there may be some where the file is damaged", what, where)
		return
	}
	p.Linef("no %s%s", what, where)
}

// Fact writes a name and its value.
func (p *Printer) Fact(name, value string) {
	p.Line(p.Styles.Muted.Render(ui.Pad(name, 14)) + " " + value)
}

// Preview returns stored text on one line: as long as the terminal lets it be, which a
// table sees to, and of a length that can be read in a pipe.
func Preview(s string) string { return ui.LineN(s, 120) }

// Styled renders text, and leaves alone what is empty.
func Styled(st lipgloss.Style, s string) string {
	if s == "" {
		return s
	}
	return st.Render(s)
}

// When returns a stored time as people read it, or what is stored in its place.
func When(t data.Time) string {
	switch {
	case t.Valid():
		return ui.Timestamp(t.Time)
	case t.Null:
		return "–"
	}
	return ui.LineN(t.Raw, 24)
}
