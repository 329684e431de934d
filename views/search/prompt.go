package search

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/ui"
)

// queryPrompt is the line in which the query is typed.
type queryPrompt struct {
	*ui.Input
	replaces bool // The next character that is typed begins another query.
}

// edit takes a key or a paste, and reports whether it changed the query.
func (p *queryPrompt) edit(msg tea.Msg) bool {
	before := p.Value()
	if p.replaces && startsAnother(msg) {
		p.Open("")
	}
	p.replaces = false
	p.Update(msg)
	return p.Value() != before
}

// startsAnother reports whether a key or a paste replaces the query of the last time, as it
// would replace a selected text.
func startsAnother(msg tea.Msg) bool {
	m, ok := msg.(tea.KeyPressMsg)
	return !ok || m.Text != "" || m.String() == "backspace"
}

// set puts another query there. Who types goes on typing.
func (p *queryPrompt) set(text string) {
	typing := p.Typing()
	p.Open(text)
	if !typing {
		p.Close()
	}
}

// has reports whether the query has a filter.
func (p *queryPrompt) has(filter string) bool {
	return slices.Contains(strings.Fields(p.Value()), filter)
}

// toggled returns the query with a filter, or without it where it has it.
func (p *queryPrompt) toggled(filter string) string {
	if !p.has(filter) {
		return strings.TrimSpace(p.Value() + " " + filter)
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(p.Value()), func(w string) bool { return w == filter }), " ")
}
