package views

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// visitRowMsg brings the conversation of a row that is to be shown.
type visitRowMsg struct {
	conversation lcm.Conversation
	budget       int64
	tab          int
	row          string // A message's id, a summary's id, or the ordinal of a context item.
	needle       string // What is marked in a message, or empty.
}

// visitRow opens a row of a conversation's tab over owner, which passes the visitRowMsg that
// follows to arriveAt.
func (e *Env) visitRow(owner ui.Screen, conv int64, tab int, row, needle string) tea.Cmd {
	return e.Jobs.Start(owner, "open", read(func(ctx context.Context) (visitRowMsg, error) {
		c, budget, err := e.conversation(ctx, conv)
		return visitRowMsg{c, budget, tab, row, needle}, err
	}))
}

// arriveAt shows a row in its tab; esc comes back.
func (e *Env) arriveAt(m visitRowMsg) tea.Cmd {
	shown := NewConversation(e, m.conversation, m.budget).Tab(m.tab)
	push := ui.Say(ui.PushMsg{Screen: shown})
	switch s := shown.(type) {
	case *Messages:
		s.needle = m.needle
		if id, err := strconv.ParseInt(m.row, 10, 64); err == nil {
			return tea.Batch(push, s.jumpToID(id))
		}
	case *Summaries:
		s.show(m.row)
	case *Context:
		s.target = m.row
	case *Pending:
		s.show(m.row)
	}
	return push
}
