package ui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// Typing reports whether a search is being typed: give the pager every key.
func (p *Pager) Typing() bool { return p.input.Typing() }

// Searched reports whether there is something to go from match to match of.
func (p *Pager) Searched() bool { return p.needle != "" }

// Escape ends the search and reports whether there was one.
func (p *Pager) Escape() bool {
	if p.needle == "" && p.note == "" && !p.Typing() {
		return false
	}
	p.input.Reset()
	p.needle, p.note = "", ""
	return true
}

func (p *Pager) typed(msg tea.Msg) {
	switch p.input.Update(msg) {
	case Accepted:
		p.needle, p.note = p.input.Value(), ""
		p.find(p.offset, 1)
	case Dropped:
		p.needle, p.note = "", ""
	}
}

// find goes from a line in steps of by to the next line with a match, around
// the ends. Matches across a line break are not found.
func (p *Pager) find(from, by int) {
	needle, n := strings.ToLower(p.needle), len(p.lines)
	if needle == "" || n == 0 {
		return
	}
	for i := range n {
		at := ((from+by*i)%n + n) % n
		if strings.Contains(strings.ToLower(ansi.Strip(p.lines[at])), needle) {
			p.note = ""
			p.offset = at
			p.clamp()
			return
		}
	}
	p.note = "nothing matches " + p.needle
}
