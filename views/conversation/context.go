package conversation

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/pending"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Context is what the model sees of a conversation: the items in order, where the
// budget goes, and what would fall out of another budget.
type Context struct {
	views.Tab
	views.ListScreen[*contextRow, *fullText]
	items   []lcm.ContextItem
	counted []lcm.ContextItem // The items with the tokens that the fresh tail is measured by.
	// batch is the one on which the host works, or nil; prepared are the states of its ordinals.
	batch    *pendingBatch
	prepared map[int64]string
	marks    map[string]summarize.Marker
	loaded   bool

	budget     int64         // Tokens; differs from the hub's in a what-if.
	tailCount  int           // Messages of the fresh tail; differs from configured in a what-if.
	configured assemble.Tail // The fresh tail of the settings.
	target     string        // The ordinal to go to once the items are there.
	sums       contextSums
	budgetIn   *ui.Input // Takes a budget,
	tailIn     *ui.Input // and a fresh tail.
}

// contextRow is an item, and what becomes of it under the present budget.
type contextRow struct {
	lcm.ContextItem
	key   string // The item and which mention of it this is.
	index int
	kept  bool
	tail  bool // In the fresh tail.
	// prepared is whether a summary of it is prepared or planned, as a state of a stretch; else empty.
	prepared string
}

var _ ui.Screen = (*Context)(nil)

// NewContext returns the tab of what the model sees.
func NewContext(t views.Tab) ui.Screen {
	v := &Context{Tab: t, budget: t.Hub.Budget}
	v.budgetIn = ui.NewInput(v.Env().Styles, "budget in tokens:")
	v.tailIn = ui.NewInput(v.Env().Styles, "fresh tail in messages:")
	v.configured = v.Env().FreshTail()
	v.tailCount = v.configured.Count
	list := ui.NewList(v.Env().Styles, func(r *contextRow) string { return r.key }, v.render, (*contextRow).text)
	list.Divider = v.divider
	list.Empty = "reading the context"
	v.ListScreen = views.NewListScreen(v, v.Env(), 0.56, list, func(r *contextRow) string { return r.Ref() }, v.describe)
	v.Tabs = &v.Tab
	v.ReadDetailOf, v.HeaderLines = v.readFullText, v.header
	return v
}

func (r *contextRow) text() string {
	return strings.Join([]string{r.Ref(), r.Role, "#" + views.Itoa(r.Seq), "d" + views.Itoa(r.Depth), r.Preview}, " ")
}

// Purpose implements ui.Screen.
func (v *Context) Purpose() string {
	return "What the model is shown of the conversation, in order, and which part of the token budget each item takes."
}

// contextMsg is a context, and its items with the tokens that the fresh tail is measured by.
type contextMsg struct{ items, counted []lcm.ContextItem }

// Load implements views.ListOwner.
func (v *Context) Load() tea.Cmd {
	db, conv, tail := v.Env().DB, v.Hub.Row.ID, v.configured
	return v.Env().Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m contextMsg, err error) {
		if m.items, err = lcm.Context(ctx, db, conv); err == nil {
			m.counted, err = tail.Counted(ctx, db, conv, m.items)
		}
		return m, err
	}))
}

// loadRest reads what belongs to the items, once they are there to be seen or can't be read.
func (v *Context) loadRest() tea.Cmd {
	return tea.Batch(loadMarks(v, &v.Tab), v.Label(v), v.loadPending())
}

// loadPending reads on which batch the host works.
func (v *Context) loadPending() tea.Cmd {
	env, db, conv := v.Env(), v.Env().DB, v.Hub.Row.ID
	if !lcm.HasPendingTables(db.Schema()) {
		return nil
	}
	return env.Jobs.Quiet(v, "pending", views.Read(func(ctx context.Context) (m activeBatchMsg, err error) {
		batches, err := pending.ReadActive(ctx, db, conv)
		for _, b := range batches {
			m.batches = append(m.batches, judge(env, b))
		}
		return m, err
	}))
}

type activeBatchMsg struct{ batches []*pendingBatch }

// Receive implements views.ListOwner.
func (v *Context) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case contextMsg:
		v.items, v.counted, v.loaded = msg.items, msg.counted, true
		v.List.Empty = "the context is empty: the host fills it with the conversation's messages"
		v.buildRows()
		v.goToTarget()
		return v.loadRest()
	case ui.FailedMsg:
		if msg.Name == "load" {
			return v.loadRest()
		}
	case marksMsg:
		v.marks = msg
	case activeBatchMsg:
		if v.batch, v.prepared = activeOf(msg.batches), nil; v.batch != nil {
			v.prepared = v.batch.preparedOrdinals()
		}
		v.buildRows()
	}
	return nil
}

// readFullText reads the text of an item.
func (v *Context) readFullText(r *contextRow) views.DetailReader[*fullText] {
	switch {
	case r.Missing:
		return nil
	case r.IsSummary():
		return summaryFullText(v.Env(), r.Summary, false, v.Rendered.Width)
	}
	return messageFullText(v.Env().DB, r.Message)
}

// buildRows makes the rows from the items, under the budget and the fresh tail of the
// screen.
func (v *Context) buildRows() {
	tail := assemble.FreshTail(v.counted, v.whatIfTail())
	kept := assemble.Select(v.items, v.budget, tail)
	rows, mentions := make([]*contextRow, len(v.items)), map[string]int64{}
	for i, it := range v.items {
		ref := it.Type + " " + it.Ref()
		rows[i] = &contextRow{ContextItem: it, key: ref + " " + views.Itoa(mentions[ref]), index: i, kept: kept[i], tail: i >= tail, prepared: v.prepared[it.Ordinal]}
		mentions[ref]++
	}
	v.sums = sumContext(rows)
	v.List.SetItems(rows)
}

// whatIfTail returns the fresh tail of the screen.
func (v *Context) whatIfTail() assemble.Tail {
	return assemble.Tail{Count: v.tailCount, MaxTokens: v.configured.MaxTokens}
}

// goToTarget goes to the item that another screen asked for.
func (v *Context) goToTarget() {
	for _, r := range v.List.Items() {
		if views.Itoa(r.Ordinal) == v.target {
			v.List.Escape()
			v.List.Select(r.key)
			v.target = ""
			return
		}
	}
}

// divider returns the line above the fresh tail.
func (v *Context) divider(prev, next *contextRow) string {
	if prev.tail || !next.tail {
		return ""
	}
	s := v.Env().Styles
	width, _ := v.ListSize()
	what := " " + plural.Count(v.sums.tailMessages, "message", "messages") + ", never folded, never left out "
	rule := max(0, width-1-ansi.StringWidth("── fresh tail:"+what))
	return s.Accent.Render("── fresh tail:") + what + s.Accent.Render(strings.Repeat("─", rule))
}

// GoTo puts the cursor on the item of an ordinal.
func (v *Context) GoTo(to views.Target) tea.Cmd {
	v.target = to.ID
	v.goToTarget()
	return nil
}
