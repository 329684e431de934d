package cli

import (
	"fmt"
	"io"
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/data"
	"lcm-tui/ui"
)

// printer is text for people on its way to standard output. Whoever writes on it has
// cleaned what came from a database.
type printer struct {
	out    *lineBuffer
	bare   io.Writer // Standard output itself.
	styles ui.Styles
	width  int    // Of the terminal; 0 for a pipe, where nothing is cut.
	raw    []byte // Written as it is instead of all else.
	err    error

	damaged bool // A read met damage, so an empty list isn't known to be empty.
}

func (p *printer) flush() error {
	if p.raw != nil {
		_, err := p.bare.Write(p.raw)
		return err
	}
	if err := p.out.Flush(); p.err == nil {
		p.err = err
	}
	return p.err
}

// line writes one line, cut to the terminal.
func (p *printer) line(s string) {
	if p.width > 0 {
		s = ui.Cut(s, p.width)
	}
	p.write(s + "\n")
}

func (p *printer) linef(format string, args ...any) { p.line(fmt.Sprintf(format, args...)) }

// block writes text of any number of lines, whole.
func (p *printer) block(text string) { p.write(strings.TrimSuffix(text, "\n") + "\n") }

func (p *printer) write(s string) {
	if err := p.out.WriteString(s); err != nil && p.err == nil {
		p.err = err
	}
}

// answer writes the answer of an agent tool: as it is where a program reads it, and on a terminal
// with control characters made visible.
func (p *printer) answer(text string) {
	if terminal(p.bare) {
		p.write(endLine(ui.Sanitize(text)))
		return
	}
	p.raw = []byte(endLine(text))
}

// title writes a heading.
func (p *printer) title(s string) { p.line(p.styles.Title.Render(s)) }

// muted writes a line that matters less.
func (p *printer) muted(s string) { p.line(p.styles.Muted.Render(s)) }

// none says that a list is empty, or that nothing of it can be read.
func (p *printer) none(what, where string) {
	if p.damaged {
		p.linef("no %s%s can be read; there may be some where the file is damaged", what, where)
		return
	}
	p.linef("no %s%s", what, where)
}

// fact writes a name and its value.
func (p *printer) fact(name, value string) {
	p.line(p.styles.Muted.Render(ui.Pad(name, 14)) + " " + value)
}

// preview is stored text on one line: as long as the terminal lets it be, which a
// table sees to, and of a length that can be read in a pipe.
func preview(s string) string { return ui.LineN(s, 120) }

// styled renders text, and leaves alone what is empty.
func styled(st lipgloss.Style, s string) string {
	if s == "" {
		return s
	}
	return st.Render(s)
}

// when is a stored time as people read it, or what is stored in its place.
func when(t data.Time) string {
	switch {
	case t.Valid():
		return ui.Timestamp(t.Time)
	case t.Null:
		return "–"
	}
	return ui.LineN(t.Raw, 24)
}
