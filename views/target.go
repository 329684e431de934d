package views

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/ui"
)

// Target is a row of a conversation that is to be shown.
type Target struct {
	Tab int
	// ID is a message's id, a summary's, a file's, a focus brief's, that of a pending batch or node,
	// or the ordinal of a context item. Empty is the tab as it is.
	ID     string
	Seq    *int64 // Of a message, where it is known: what is around it can be read at once.
	Needle string // What is marked in a message; empty marks nothing.
	// Marked says that the row is a hit of a search, so that its text is scrolled to its first mark.
	Marked bool
	// Snippet is the text around the hit, where its row may not hold that.
	Snippet string
}

// targeted is a tab that can put its cursor on a row.
type targeted interface {
	GoTo(to Target) tea.Cmd
}

// GoTo puts the cursor of a tab on a row. The tab may not be shown yet.
func (c *Conversation) GoTo(to Target) tea.Cmd {
	if s, ok := c.Tab(to.Tab).(targeted); ok && to.ID != "" {
		return s.GoTo(to)
	}
	return nil
}

// TargetMsg brings the conversation of a row that is to be shown.
type TargetMsg struct {
	hub *Conversation
	to  Target
}

// Visit opens a row of a conversation over owner, which passes the targetMsg that follows to arrive.
func (e *Env) Visit(owner ui.Screen, conv int64, to Target) tea.Cmd {
	return e.Jobs.Open(owner, "open", Read(func(ctx context.Context) (TargetMsg, error) {
		hub, err := e.Open(ctx, conv)
		return TargetMsg{hub, to}, err
	}))
}

// Arrive shows a row in its tab; esc comes back.
func (e *Env) Arrive(m TargetMsg) tea.Cmd {
	return tea.Batch(push(m.hub.Tab(m.to.Tab)), m.hub.GoTo(m.to))
}

// Open reads a conversation, whose screens can be shown then.
func (e *Env) Open(ctx context.Context, id int64) (*Conversation, error) {
	row, err := lcm.ReadConversation(ctx, e.DB, id)
	if err != nil {
		return nil, err
	}
	budget, err := lcm.Budget(ctx, e.DB, id)
	if budget == 0 {
		budget = assemble.DefaultBudget
	}
	return NewConversation(e, row, budget), err
}
