package views

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/comparison"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// Rollout is the session file that Codex wrote of a conversation, beside what the
// context holds of it.
type Rollout struct {
	pane[*comparison.Row, noDetail]
	env   *Env
	conv  data.Conversation
	found *comparison.Comparison
}

var _ ui.Screen = (*Rollout)(nil)

// NewRollout is the screen of a conversation's rollout.
func NewRollout(env *Env, conv data.Conversation) *Rollout {
	v := &Rollout{env: env, conv: conv}
	id := func(r *comparison.Row) string { return itoa(r.Line) + "/" + itoa(r.Message) }
	text := func(r *comparison.Row) string {
		return r.Role + " " + r.Preview + " " + string(r.Place) + " " + r.Summary
	}
	list := ui.NewList(env.Styles, id, v.row, text)
	v.pane = newPane(v, env, 0.6, list, id, v.describe)
	v.layoutColumns, v.headerLines = v.columns, v.summary
	return v
}

// Title implements ui.Screen.
func (v *Rollout) Title() string { return v.env.name(v.conv) + " › Codex rollout" }

// Purpose implements ui.Screen.
func (v *Rollout) Purpose() string {
	return "What Codex wrote of this conversation, item by item, beside the context item that holds it or the summary that covers it; + stands in the context only."
}

// keyRollout is that of the context; in the lists of conversations and messages v has
// another use.
var (
	keyRollout     = ui.Act("x v", "x", "Codex rollout")
	keyRolloutList = ui.Act("x", "x", "Codex rollout")
)

// rollout opens the screen of a conversation's rollout.
func (e *Env) rollout(conv data.Conversation) tea.Cmd {
	return ui.Say(ui.PushMsg{Screen: NewRollout(e, conv)})
}

func (v *Rollout) actions() []action { return []action{v.readAction("there is no rollout")} }

type rolloutMsg struct{ *comparison.Comparison }

func (v *Rollout) load() tea.Cmd {
	env, conv := v.env, v.conv
	return env.Jobs.Start(v, "compare", read(func(ctx context.Context) (rolloutMsg, error) {
		path, err := comparison.Find(env.Sessions, conv)
		if err != nil {
			return rolloutMsg{}, err
		}
		c, err := comparison.Compare(ctx, env.DB, conv.ID, path)
		return rolloutMsg{c}, err
	}))
}

func (v *Rollout) receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case rolloutMsg:
		v.found = m.Comparison
		v.list.Empty = "the rollout holds no message"
		v.setRows(pointersTo(m.Rows))
	case ui.FailedMsg:
		v.list.Empty = "there is no Codex rollout of this conversation on this machine"
	}
	return nil
}

// summary says what the comparison comes to.
func (v *Rollout) summary(width, _ int) []string {
	c := v.found
	if c == nil {
		return nil
	}
	text := plural.Count(c.Aligned, "item", "items") + " stored, " + ui.Num(int64(len(c.Missing))) + " missing, " +
		ui.Num(int64(len(c.Redacted))) + " without text, " + ui.Num(int64(len(c.Extra))) + " stored that it lacks"
	return []string{v.env.Styles.Muted.Render(ui.Cut(" "+text, width))}
}

func (v *Rollout) columns(width int) layout {
	return lay([]column{
		{title: "line", width: 6, right: true},
		{title: "role", width: 10},
		{title: "rollout"},
		{title: "context", width: 26},
	}, width)
}

func (v *Rollout) row(r *comparison.Row, width int, _ bool) string {
	s := v.env.Styles
	return v.columns(width).line(func(title string) string {
		switch title {
		case "line":
			if r.Line == 0 {
				return ""
			}
			return s.Faint.Render(ui.Num(r.Line))
		case "role":
			return s.Role(r.Role).Render(ui.LineN(r.Role, 10))
		case "context":
			return v.place(r)
		}
		if r.Place == comparison.Extra {
			return ""
		}
		return ui.LineN(r.Preview, width)
	})
}

// place is what of the context holds an item, with a mark.
func (v *Rollout) place(r *comparison.Row) string {
	s, ordinal, doubt := v.env.Styles, "", ""
	if r.Ordinal != nil {
		ordinal = itoa(*r.Ordinal) + " "
	}
	if r.Ambiguous {
		doubt = "~ "
	}
	switch r.Place {
	case comparison.InContext:
		return doubt + ordinal + "#" + itoa(r.Message)
	case comparison.Covered:
		return doubt + ordinal + shortID(r.Summary, idInList)
	case comparison.Forgotten:
		return s.Warn.Render("! forgotten #" + itoa(r.Message))
	case comparison.Missing:
		return s.Bad.Render("! not stored")
	case comparison.Redacted:
		return s.Muted.Render("no text")
	}
	return s.Accent.Render("+ " + ordinal + "#" + itoa(r.Message))
}

// meanings say what a place means.
var meanings = map[comparison.Place]string{
	comparison.InContext: "it is stored, and stands in the context itself",
	comparison.Covered:   "it is stored, and a summary in the context covers it",
	comparison.Forgotten: "it is stored, but the context doesn't lead to it: the model has forgotten it",
	comparison.Missing:   "it isn't stored; importing the session file adds it",
	comparison.Redacted:  "the rollout holds no readable text of it",
	comparison.Extra:     "it stands in the context, and not in the rollout",
}

func (v *Rollout) describe(r *comparison.Row, _ noDetail, _ int) string {
	s := v.env.Styles
	lines := []string{s.Title.Render(ui.Line(r.Role)) + "  " + v.place(r), s.Muted.Render(meanings[r.Place])}
	if r.Ambiguous {
		lines = append(lines, s.Muted.Render("the same text stands several times: it may be another of them"))
	}
	if !r.At.IsZero() {
		lines = append(lines, s.Muted.Render(v.env.stamp(data.Time{Time: r.At})))
	}
	return strings.Join(append(lines, "", ui.Sanitize(r.Preview)), "\n")
}
