package ui

import (
	"slices"
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

func (p *Pager) searchInput(msg tea.Msg) {
	switch p.input.Update(msg) {
	case Accepted:
		p.needle, p.note = p.input.Value(), ""
		p.find(p.offset, 1)
	case Dropped:
		p.needle, p.note = "", ""
	}
}

// find goes from the match before it in steps of by to the next line with a match, around
// the ends. Matches across a line break are not found.
func (p *Pager) find(from, by int) {
	if p.needle == "" || len(p.lines) == 0 {
		return
	}
	hits := p.hits()
	if len(hits) == 0 {
		p.note = "nothing matches " + p.needle
		return
	}
	i, exact := slices.BinarySearch(hits, from)
	if by < 0 && !exact {
		i--
	}
	i = (i + len(hits)) % len(hits)
	p.match, p.offset = hits[i], hits[i]
	p.note = "match " + Num(int64(i+1)) + " of " + Num(int64(len(hits))) + " · esc clears"
	p.clamp()
}

// findNext goes to the match after the one that was gone to last, or, where the user has
// scrolled away from that, to the next one from the top of the screen.
func (p *Pager) findNext() {
	from := p.offset
	if p.matchVisible() {
		from = p.match + 1
	}
	p.find(from, 1)
}

// findPrevious works as findNext upwards.
func (p *Pager) findPrevious() {
	from := p.offset - 1
	if p.matchVisible() {
		from = p.match - 1
	}
	p.find(from, -1)
}

func (p *Pager) matchVisible() bool { return p.match >= p.offset && p.match < p.offset+p.height }

// hits returns the lines with a match.
func (p *Pager) hits() (out []int) {
	needle := strings.ToLower(p.needle)
	for i, l := range p.lines {
		if strings.Contains(strings.ToLower(ansi.Strip(l)), needle) {
			out = append(out, i)
		}
	}
	return out
}
