package home

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data/lcm"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Lifecycle offers what a host does when a session begins or ends, for a conversation: to empty its context, to
// reset it, to end it. What isn't possible is listed with the reason. Nothing is written without a review.
type Lifecycle struct {
	views.ListScreen[*sessionKeyRow, views.NoDetail]
	env    *views.Env
	target lcm.Conversation
	depth  int    // Of lifecycleDepths; 0 is as configured.
	reason int    // Of sessionkey.EndReasons.
	begin  string // The row that is opened as soon as the rows are read; empty opens none.
}

var _ ui.Screen = (*Lifecycle)(nil)

// The rows of the screen.
const (
	lifecycleNew   = "new"
	lifecycleReset = "reset"
	lifecycleEnd   = "end"
)

// lifecycleDepths are the depths from which on /new keeps summaries; the first stands for the one of the settings.
var lifecycleDepths = []sessionkey.Depth{0, sessionkey.KeepAll, 1, 2, 3, sessionkey.KeepNone}

// newLifecycle returns the screen for a conversation. begin is the row that is opened at once; empty opens none.
func newLifecycle(env *views.Env, target lcm.Conversation, begin string) *Lifecycle {
	v := &Lifecycle{env: env, target: target, begin: begin}
	id := func(r *sessionKeyRow) string { return r.id }
	list := ui.NewList(env.Styles, id, v.render, func(r *sessionKeyRow) string { return r.name })
	list.Empty = "looking what is possible"
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, id, v.describe)
	return v
}

// Title implements ui.Screen.
func (v *Lifecycle) Title() string { return v.env.Name(v.target) + " › Begin or end" }

// Purpose implements ui.Screen.
func (v *Lifecycle) Purpose() string {
	return "What a host does when a session begins or ends. Enter shows what would change; nothing is written from here, and no message is deleted."
}

var (
	keyPlanLifecycle = ui.Act("enter", "⏎", "review it")
	keyRetainDepth   = ui.Act("d", "d", "other depth of summaries that stay")
	keyEndReason     = ui.Act("c", "c", "other reason of the end")
)

// OwnActions implements views.ListOwner.
func (v *Lifecycle) OwnActions() []views.Action {
	r, some := v.List.Selected()
	why := views.FirstNonEmpty(views.TextWhen(!some, "it is being looked what is possible"), v.env.ReadOnly())
	if some {
		why = views.FirstNonEmpty(r.why, why)
	}
	next := func(choice *int, n int) func() tea.Cmd {
		return func() tea.Cmd { *choice = (*choice + 1) % n; return v.Load() }
	}
	return []views.Action{
		{Action: keyPlanLifecycle.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.open(r) }},
		{Action: keyRetainDepth.In("Change").InFooter(), Run: next(&v.depth, len(lifecycleDepths))},
		{Action: keyEndReason.In("Change").InFooter(), Run: next(&v.reason, len(sessionkey.EndReasons))},
	}
}

// open reviews what a row stands for.
func (v *Lifecycle) open(r *sessionKeyRow) tea.Cmd {
	return v.env.Planned(v, "session "+r.id, r.find)
}

// retain returns the depth that was chosen.
func (v *Lifecycle) retain() sessionkey.Depth {
	if v.depth > 0 {
		return lifecycleDepths[v.depth]
	}
	set, ok := v.env.KnownSettings()
	if !ok {
		return 2 // As hosts that nobody has configured.
	}
	return sessionkey.Depth(set.RetainDepth())
}

// rows returns what can be done.
func (v *Lifecycle) rows() []*sessionKeyRow {
	id, env, retain, reason := v.target.ID, v.env, v.retain(), sessionkey.EndReasons[v.reason]
	how := sessionkey.Lifecycle{}
	if set, ok := env.KnownSettings(); ok {
		how.Filter, how.HistoryTokens = set.SessionFilter(), set.BootstrapTokens()
	}
	find := func(op func(sessionkey.Lifecycle) ops.Op) findOp {
		return func(context.Context) (ops.Op, error) {
			how := how
			how.Host = sessionHost(env)
			return op(how), nil
		}
	}
	return []*sessionKeyRow{
		{
			id: lifecycleNew, name: "new: empty the context", about: "As /new in a host: all messages leave the context, and " + retain.String() + ". The conversation goes on.",
			find: find(func(l sessionkey.Lifecycle) ops.Op {
				return &sessionkey.New{Conversation: id, Retain: retain, Lifecycle: l}
			}),
		},
		{
			id: lifecycleReset, name: "reset: begin another one", about: "As /reset in a host: the conversation is archived, and another one begins under its session key.",
			find: find(func(l sessionkey.Lifecycle) ops.Op { return &sessionkey.Reset{Conversation: id, Lifecycle: l} }),
		},
		{
			id: lifecycleEnd, name: "end the session", about: "As a host at the end of a session, for the reason " + reason + ": it " + sessionkey.EndText(reason) + ".",
			find: find(func(l sessionkey.Lifecycle) ops.Op {
				return &sessionkey.End{Conversation: id, Reason: reason, Lifecycle: l}
			}),
		},
	}
}

// lifecycleMsg is what is possible.
type lifecycleMsg struct{ rows []*sessionKeyRow }

// Load implements views.ListOwner.
func (v *Lifecycle) Load() tea.Cmd {
	db, rows, readOnly := v.env.DB, v.rows(), v.env.ReadOnly()
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (lifecycleMsg, error) {
		for _, r := range rows {
			if r.why = readOnly; r.why != "" {
				continue
			}
			if err := r.look(ctx, db, 0); err != nil {
				return lifecycleMsg{}, err
			}
		}
		return lifecycleMsg{rows}, nil
	}))
}

// Receive implements views.ListOwner.
func (v *Lifecycle) Receive(msg tea.Msg) tea.Cmd {
	m, ok := msg.(lifecycleMsg)
	if !ok {
		return nil
	}
	v.List.SetItems(m.rows)
	v.Invalidate()
	begin := v.begin
	v.begin = ""
	i := slices.IndexFunc(m.rows, func(r *sessionKeyRow) bool { return r.id == begin })
	if i < 0 {
		return nil
	}
	v.List.Select(begin)
	if why := views.FirstNonEmpty(m.rows[i].why, v.env.ReadOnly()); why != "" {
		return ui.Say(ui.StatusMsg{Text: m.rows[i].name + " – " + why, Kind: ui.Warn})
	}
	return v.open(m.rows[i])
}

func (v *Lifecycle) render(r *sessionKeyRow, width int, _ bool) string {
	s := v.env.Styles
	const room = 28
	if r.why != "" {
		return ui.Cut(s.Faint.Render(ui.Pad(r.name, room)+"not possible: "+ui.Line(r.why)), width)
	}
	what := ""
	switch r.id {
	case lifecycleNew:
		what = v.retain().String()
	case lifecycleEnd:
		what = "reason: " + sessionkey.EndReasons[v.reason]
	}
	return ui.Cut(s.Title.Render(ui.Pad(r.name, room))+s.Muted.Render(what), width)
}

// describe says what a row does, what its plan says of it, or why it isn't possible.
func (v *Lifecycle) describe(r *sessionKeyRow, _ views.NoDetail, width int) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(r.name), "", r.about}
	if r.why != "" {
		lines = append(lines, "", s.Warn.Render("~ not possible: ")+ui.Line(r.why))
		if r.next != "" {
			lines = append(lines, s.Muted.Render("what to do: ")+ui.Line(r.next))
		}
	}
	for i, n := range r.notes {
		if i == 0 {
			lines = append(lines, "")
		}
		lines = append(lines, "· "+ui.Line(n))
	}
	for i, line := range lines {
		lines[i] = ansi.Wrap(line, max(1, width), " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// lifecycleCommands returns each thing that the screen can do, by its name.
func lifecycleCommands(c *Conversations) (out []ui.Command) {
	r, some := c.List.Selected()
	for _, one := range []struct{ word, name string }{
		{lifecycleNew, "empty the context of the conversation, as /new"}, {lifecycleReset, "reset the conversation, as /reset"}, {lifecycleEnd, "end the session of the conversation"},
	} {
		out = append(out, ui.Command{
			Name: one.name, Kind: "Session", Word: one.word, Why: views.FirstNonEmpty(views.TextWhen(!some, "there is no conversation"), c.env.ReadOnly()),
			Run: func() tea.Cmd { return c.push(newLifecycle(c.env, r.Conversation, one.word)) },
		})
	}
	return out
}
