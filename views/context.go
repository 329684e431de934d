package views

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
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
	list   *ui.List[*contextRow]
	detail *reading
	items  []data.ContextItem
	marks  map[string]summarize.Marker
	loaded bool

	budget int64 // Present one; differs from the hub's in a what-if.
	fresh  int   // Messages in the fresh tail.
	sums   contextSums

	width, top, room int // Of the last View: its width, the lines above the list, the width of a row.
}

// contextRow is an item, and what becomes of it under the present budget.
type contextRow struct {
	data.ContextItem
	key   string // The item and which mention of it this is.
	index int
	kept  bool
	tail  bool // In the fresh tail.
}

var (
	_ ui.Screen  = (*Context)(nil)
	_ ui.Typer   = (*Context)(nil)
	_ ui.Escaper = (*Context)(nil)
	_ ui.Copier  = (*Context)(nil)
)

func newContext(t tab) ui.Screen {
	v := &Context{tab: t, budget: t.hub.budget, fresh: assemble.DefaultFreshTail}
	v.detail = newReading(v.env())
	v.list = ui.NewList(v.env().Styles, func(r *contextRow) string { return r.key }, v.render, (*contextRow).text)
	v.list.Divider = v.divider
	v.list.Empty = "reading the context"
	return v
}

func (r *contextRow) text() string {
	return strings.Join([]string{r.Ref(), r.Role, "#" + itoa(r.Seq), "d" + itoa(r.Depth), r.Preview}, " ")
}

// Purpose implements ui.Screen.
func (v *Context) Purpose() string {
	return "What the model is shown of the conversation, in order, and which part of the token budget each item takes."
}

// Init implements ui.Screen.
func (v *Context) Init() tea.Cmd { return v.load() }

type contextMsg []data.ContextItem

func (v *Context) load() tea.Cmd {
	env, db, conv := v.env(), v.env().DB, v.hub.row.ID
	v.detail.forget()
	return tea.Batch(
		env.Jobs.Start(v, "load", read(func(ctx context.Context) (contextMsg, error) {
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

// Typing implements ui.Typer.
func (v *Context) Typing() bool { return v.list.Typing() || v.detail.focus && v.detail.pager.Typing() }

// Escape implements ui.Escaper.
func (v *Context) Escape() bool { return v.detail.escape() || v.list.Escape() }

// Copy implements ui.Copier.
func (v *Context) Copy() string {
	r, ok := v.list.Selected()
	if !ok {
		return ""
	}
	return r.Ref()
}

// Update implements ui.Screen.
func (v *Context) Update(msg tea.Msg) tea.Cmd {
	var cmd tea.Cmd
	switch msg := msg.(type) {
	case contextMsg:
		v.items, v.loaded = msg, true
		v.list.Empty = "the context is empty: the host fills it with the conversation's messages"
		v.set()
	case marksMsg:
		v.marks = msg
	case *passage:
		v.detail.take(msg)
	case labelsMsg:
		v.hear(msg)
	case ui.ChangedMsg:
		return v.load()
	case ui.FailedMsg:
		v.detail.failed(msg)
		if msg.Name == "load" && !v.loaded {
			v.list.Empty = "the context could not be read"
		}
	case ui.OpenMsg:
		if r, ok := v.list.Selected(); ok && !r.Missing {
			cmd = v.jump(r)
		}
	case tea.KeyPressMsg:
		cmd = v.key(msg)
	case tea.MouseClickMsg, tea.MouseWheelMsg:
		cmd = v.mouse(msg)
	default:
		cmd = tea.Batch(v.list.Update(msg), v.detail.pager.Update(msg))
	}
	return tea.Batch(cmd, v.rest())
}

func (v *Context) key(msg tea.KeyPressMsg) tea.Cmd {
	if v.list.Typing() {
		return v.list.Update(msg)
	}
	if v.Typing() {
		return v.detail.key(msg)
	}
	if cmd := v.tabKey(msg); cmd != nil {
		return cmd
	}
	for _, d := range v.deeds() {
		if key.Matches(msg, d.Key) {
			return d.do()
		}
	}
	cmd := v.detail.key(msg)
	if !v.detail.focus {
		cmd = tea.Batch(cmd, v.list.Update(msg))
	}
	return cmd
}

func (v *Context) mouse(msg tea.Msg) tea.Cmd {
	if cmd, ok := v.tabClick(msg, v.width); ok {
		return cmd
	}
	toDetail, toList := v.detail.mouse(msg, v.width, v.top, contextShare)
	if toDetail != nil {
		return v.detail.pager.Update(toDetail)
	}
	return v.list.Update(toList)
}

// rest has the text under the cursor loaded.
func (v *Context) rest() tea.Cmd {
	r, ok := v.list.Selected()
	if !ok || r.Missing {
		return nil
	}
	db, item := v.env().DB, r.ContextItem
	return v.detail.load(v, item.Ref(), func(ctx context.Context) (*passage, error) {
		if item.IsSummary() {
			return summaryPassage(ctx, db, item.Summary, false)
		}
		return messagePassage(ctx, db, item.Message)
	})
}

// set makes the rows anew, from the items and what is supposed.
func (v *Context) set() {
	tail := assemble.FreshTail(v.items, assemble.Tail{Count: v.fresh})
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

// divider is the line above the fresh tail.
func (v *Context) divider(prev, next *contextRow) string {
	if prev.tail || !next.tail {
		return ""
	}
	s := v.env().Styles
	what := " " + ui.Count(v.sums.tailMessages, "message", "messages") + ", never folded, never left out "
	rule := max(0, v.room-ansi.StringWidth("── fresh tail:"+what))
	return s.Accent.Render("── fresh tail:") + what + s.Accent.Render(strings.Repeat("─", rule))
}

const contextShare = 0.56

// View implements ui.Screen.
func (v *Context) View(width, height int) string {
	v.width = width
	lines := []string{v.tabLine(width)}
	page := v.detail.focus && !ui.Wide(width)
	if !page && v.loaded {
		lines = append(lines, v.header(width, height)...)
	}
	v.top = len(lines)
	rest := max(1, height-v.top)
	v.list.Blurred = v.detail.focus
	switch {
	case page:
		lines = append(lines, v.text(width-1, rest))
	case ui.Wide(width):
		left, right, rows := ui.Panes(width, rest, contextShare)
		v.room = left - 1
		lines = append(lines, ui.Split(v.env().Styles, v.list.View(left, rows), v.text(right, rows), width, rest, contextShare, v.detail.focus))
	default:
		v.room = width - 1
		lines = append(lines, v.list.View(width, rest))
	}
	return strings.Join(lines, "\n")
}

func (v *Context) text(width, height int) string {
	r, ok := v.list.Selected()
	if !ok {
		return ""
	}
	return v.detail.view(r.Ref(), width, height, func(p *passage, _ int) string { return v.describe(r, p) })
}
