package views

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
)

// Context is what the model sees of a conversation: the items in order, where the
// budget goes, and what would fall out of another budget.
type Context struct {
	tab
	pane[*contextRow, passage]
	items  []data.ContextItem
	marks  map[string]summarize.Marker
	loaded bool

	budget int64         // Present one; differs from the hub's in a what-if.
	fresh  int           // Messages in the fresh tail.
	usual  assemble.Tail // What the settings say.
	wanted string        // The place to go to when it's loaded.
	sums   contextSums
}

// contextRow is an item, and what becomes of it under the present budget.
type contextRow struct {
	data.ContextItem
	key   string // The item and which mention of it this is.
	index int
	kept  bool
	tail  bool // In the fresh tail.
}

var _ ui.Screen = (*Context)(nil)

func newContext(t tab) ui.Screen {
	v := &Context{tab: t, budget: t.hub.budget}
	v.usual = v.env().freshTail()
	v.fresh = v.usual.Count
	list := ui.NewList(v.env().Styles, func(r *contextRow) string { return r.key }, v.render, (*contextRow).text)
	list.Divider = v.divider
	list.Empty = "reading the context"
	v.pane = newPane(v, v.env(), 0.56, list, func(r *contextRow) string { return r.Ref() }, v.describe)
	v.tabs, v.searchable, v.frameless = &v.tab, true, true
	v.readDetailOf, v.headerLines = v.passage, v.header
	return v
}

func (r *contextRow) text() string {
	return strings.Join([]string{r.Ref(), r.Role, "#" + itoa(r.Seq), "d" + itoa(r.Depth), r.Preview}, " ")
}

// Purpose implements ui.Screen.
func (v *Context) Purpose() string {
	return "What the model is shown of the conversation, in order, and which part of the token budget each item takes."
}

type contextMsg []data.ContextItem

func (v *Context) load() tea.Cmd {
	env, db, conv := v.env(), v.env().DB, v.hub.row.ID
	return tea.Batch(
		env.Jobs.Read(v, "load", read(func(ctx context.Context) (contextMsg, error) {
			items, err := db.Context(ctx, conv)
			return items, err
		})),
		env.Jobs.Quiet(v, "marks", read(func(ctx context.Context) (marksMsg, error) {
			m, err := summarize.Marked(ctx, db, conv)
			return m, err
		})),
		v.label(v),
	)
}

func (v *Context) receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case contextMsg:
		v.items, v.loaded = msg, true
		v.list.Empty = "the context is empty: the host fills it with the conversation's messages"
		v.set()
		v.point()
	case marksMsg:
		v.marks = msg
	}
	return nil
}

// passage reads the text of an item.
func (v *Context) passage(r *contextRow) detailReader[passage] {
	switch {
	case r.Missing:
		return nil
	case r.IsSummary():
		return summaryPassage(v.env(), r.Summary, false, v.rendered.width)
	}
	return messagePassage(v.env().DB, r.Message)
}

// set makes the rows anew, from the items and what is supposed.
func (v *Context) set() {
	tail := assemble.FreshTail(v.items, v.wouldKeep())
	kept := assemble.Select(v.items, v.budget, tail)
	rows, mentions := make([]*contextRow, len(v.items)), map[string]int64{}
	for i, it := range v.items {
		ref := it.Type + " " + it.Ref()
		rows[i] = &contextRow{ContextItem: it, key: ref + " " + itoa(mentions[ref]), index: i, kept: kept[i], tail: i >= tail}
		mentions[ref]++
	}
	v.sums = sumUp(rows)
	v.list.SetItems(rows)
}

// wouldKeep is the fresh tail with as many messages as are supposed.
func (v *Context) wouldKeep() assemble.Tail {
	return assemble.Tail{Count: v.fresh, MaxTokens: v.usual.MaxTokens}
}

// point goes to the place that is wanted.
func (v *Context) point() {
	for _, r := range v.list.Items() {
		if itoa(r.Ordinal) == v.wanted {
			v.list.Escape()
			v.list.Select(r.key)
			v.wanted = ""
			return
		}
	}
}

// divider is the line above the fresh tail.
func (v *Context) divider(prev, next *contextRow) string {
	if prev.tail || !next.tail {
		return ""
	}
	s := v.env().Styles
	width, _ := v.listSize()
	what := " " + ui.Count(v.sums.tailMessages, "message", "messages") + ", never folded, never left out "
	rule := max(0, width-1-ansi.StringWidth("── fresh tail:"+what))
	return s.Accent.Render("── fresh tail:") + what + s.Accent.Render(strings.Repeat("─", rule))
}
