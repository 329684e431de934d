package views

import (
	"context"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
)

// enter unfolds what holds more, and goes to the place of a finding.
func (v *Health) enter(a *healthRow) tea.Cmd {
	if a.finding == nil {
		return v.fold(a, !a.open)
	}
	return v.visit(a.finding)
}

// fold folds or unfolds a row; of a row that can't be folded the one above it is folded.
func (v *Health) fold(a *healthRow, open bool) tea.Cmd {
	key, now := a.key, a.open
	switch {
	case a.finding != nil:
		key, now, open = a.above, true, false
	case !open && !a.open && a.fault.ID != "":
		key, now = string(a.symptom.ID), true
	}
	if now != open {
		v.toggled[key] = !v.toggled[key]
	}
	v.set()
	v.list.Select(key)
	return nil
}

// next goes to the next row that is more than good to know.
func (v *Health) next() tea.Cmd {
	items, at := v.list.Items(), v.list.Index()
	for i := range items {
		a := items[(at+1+i)%len(items)]
		if a.fault.ID != "" && integrity.Worst(a.list).AtLeast(integrity.Warn) {
			v.list.Select(a.key)
			return nil
		}
	}
	return ui.Say(ui.StatusMsg{Text: "no damage was found, only what is good to know"})
}

// leads reports whether a finding has a place to go to.
func (v *Health) leads(a *healthRow) bool {
	_, ok := tabOf(a.finding)
	return ok && a.finding.Conversation != 0 && (v.tab == nil || a.finding.Conversation == v.conv())
}

// tabOf is the tab in which a finding's row is seen.
func tabOf(f *integrity.Finding) (tab int, ok bool) {
	switch f.Table {
	case "messages", "message_parts", "conversations":
		return tabMessages, true
	case "summaries", "summary_parents", "summary_messages":
		return tabSummaries, true
	case "context_items":
		return tabContext, true
	case "large_files":
		return tabFiles, true
	case "focus_briefs":
		return tabFocus, true
	case data.PendingBatchTable, data.PendingNodeTable, data.PendingNodeMessageTable, data.PendingNodeChildTable:
		return tabPending, true
	}
	return 0, false
}

// visit shows the row of a finding: in its tab, or in its conversation where that
// isn't the one shown.
func (v *Health) visit(f *integrity.Finding) tea.Cmd {
	if v.tab != nil {
		return v.tab.hub.point(f, v.tab.hub.show)
	}
	env, conv := v.env, f.Conversation
	return env.Jobs.Start(v, "open", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		row, budget, err := env.conversation(ctx, conv)
		return visitMsg{f, row, budget}, err
	})
}

// visitMsg brings the conversation of a finding.
type visitMsg struct {
	finding *integrity.Finding
	row     lcm.Conversation
	budget  int64
}

// arrive opens a conversation at a finding.
func (v *Health) arrive(m visitMsg) tea.Cmd {
	hub := NewConversation(v.env, m.row, m.budget)
	return hub.point(m.finding, func(i int) tea.Cmd { return ui.Say(ui.PushMsg{Screen: hub.Tab(i)}) })
}

// point goes to the row of a finding, in a tab that show opens.
func (c *Conversation) point(f *integrity.Finding, show func(tab int) tea.Cmd) tea.Cmd {
	i, _ := tabOf(f)
	shown := show(i)
	switch s := c.Tab(i).(type) {
	case *Messages:
		if id, ok := messageOf(f); ok {
			return tea.Batch(shown, s.jumpToID(id))
		}
	case *Summaries:
		s.show(f.Row)
	case *Context:
		s.target = f.Row
		s.goToTarget()
	case *Files:
		s.list.Select(f.Row)
	case *Focus:
		s.list.Select(f.Row)
	case *Pending:
		s.show(f.Row)
	}
	return shown
}

// messageOf is the message that a finding is about: its row, or that of its part.
func messageOf(f *integrity.Finding) (int64, bool) {
	for _, row := range append([]string{f.Row}, f.Rows...) {
		if id, err := strconv.ParseInt(row, 10, 64); err == nil && f.Table != "conversations" {
			return id, true
		}
	}
	return 0, false
}
