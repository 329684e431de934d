package home

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/transplant"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// SessionPlaces are the conversations whose place another one can have: those that are active and have
// a session key.
type SessionPlaces struct {
	views.ListScreen[*conversationRow, *placePreview]
	env      *views.Env
	of       *Conversations // It draws rows.
	target   lcm.Conversation
	messages bool // The messages of the one whose place is taken are copied first.
}

// placePreview is what a move would do, or why it isn't possible.
type placePreview struct {
	notes     []string
	why, next string
}

var _ ui.Screen = (*SessionPlaces)(nil)

func newSessionPlaces(of *Conversations, target lcm.Conversation) *SessionPlaces {
	v := &SessionPlaces{env: of.env, of: of, target: target, messages: true}
	list := ui.NewList(of.env.Styles, (*conversationRow).id, v.render, (*conversationRow).text)
	list.Empty = "no other active conversation has a session key"
	v.ListScreen = views.NewListScreen(v, of.env, 0.55, list, v.ref, v.describe)
	v.LayoutColumns, v.ReadDetailOf, v.MaxDetails, v.HeaderLines = v.columns, v.preview, 8, v.header
	return v
}

// ref names a conversation with what is chosen, so that each choice has a preview of its own.
func (v *SessionPlaces) ref(r *conversationRow) string {
	return r.id() + views.TextWhen(v.messages, " with its messages")
}

// Copy implements ui.Copier.
func (v *SessionPlaces) Copy() string {
	if r, ok := v.List.Selected(); ok {
		return r.id()
	}
	return ""
}

// Title implements ui.Screen.
func (v *SessionPlaces) Title() string { return "Move" }

// Purpose implements ui.Screen.
func (v *SessionPlaces) Purpose() string {
	return "Choose whose place the conversation gets: the host's next turn of that session lands in it, and the other one is archived. What would change is shown first."
}

var keyMoveThere = ui.Act("enter", "⏎", "review the move")

// OwnActions implements views.ListOwner.
func (v *SessionPlaces) OwnActions() []views.Action {
	r, some := v.List.Selected()
	why := views.FirstNonEmpty(views.TextWhen(!some, v.List.Empty), v.env.ReadOnly())
	if some {
		if d := v.Details[v.ref(r)]; d.Detail != nil {
			why = views.FirstNonEmpty(d.Detail.why, why)
		}
	}
	messages := ui.Act("m", "m", "copy its messages first")
	if v.messages {
		messages = ui.Act("m", "m", "leave its messages behind").Named(messages.ID())
	}
	return []views.Action{
		{Action: keyMoveThere.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.env.Plan(v, v.op(r.ID)) }},
		{Action: messages.In("Change").InFooter().Off(!v.rowsMove(), "on a file of 1.0 its messages always move along"), Run: func() tea.Cmd { v.messages = !v.messages; v.Dirty = true; return nil }},
	}
}

// rowsMove reports whether messages move along in any case, as on files of 1.0.
func (v *SessionPlaces) rowsMove() bool { return v.env.DB.Kind().Generation == data.GenerationOne }

// op returns the move to the place of a conversation.
func (v *SessionPlaces) op(to int64) ops.Op {
	o := &sessionkey.Move{Conversation: v.target.ID, To: to, Host: sessionHost(v.env)}
	if v.messages && !v.rowsMove() {
		o.Messages = &transplant.Op{Source: to, Target: v.target.ID, Messages: true, All: true, Files: v.env.Files, Reactivated: true}
	}
	return o
}

type sessionPlacesMsg []*conversationRow

// Load implements views.ListOwner.
func (v *SessionPlaces) Load() tea.Cmd {
	db, target := v.env.DB, v.target
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (sessionPlacesMsg, error) {
		m, err := loadRows(ctx, db)
		rows := slices.DeleteFunc(m.rows, func(r *conversationRow) bool { return !r.Active || r.SessionKey == "" || r.ID == target.ID })
		distance := func(r *conversationRow) int {
			switch {
			case r.SessionKey == target.SessionKey:
				return 0
			case r.Agent() != "" && r.Agent() == target.Agent():
				return 1
			}
			return 2
		}
		slices.SortStableFunc(rows, func(a, b *conversationRow) int { return distance(a) - distance(b) })
		return rows, err
	}))
}

// Update implements ui.Screen. After the move was written there is nothing to choose any more.
func (v *SessionPlaces) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(ui.ChangedMsg); ok && !m.External {
		clear(v.Details)
	}
	return v.ListScreen.Update(msg)
}

// Receive implements views.ListOwner.
func (v *SessionPlaces) Receive(msg tea.Msg) tea.Cmd {
	if rows, ok := msg.(sessionPlacesMsg); ok {
		v.List.SetItems(rows)
	}
	return nil
}

// header says what is chosen, and what for.
func (v *SessionPlaces) header(width, _ int) []string {
	s := v.env.Styles
	messages := "its messages stay where they are"
	switch {
	case v.rowsMove():
		messages = "the messages that only that has move along"
	case v.messages:
		messages = "its messages are copied first"
	}
	what := s.Muted.Render(" give ") + s.Title.Render(v.env.Name(v.target)+" #"+views.Itoa(v.target.ID)) + s.Muted.Render(" the place of another one; ")
	if ansi.StringWidth(what+messages) <= width {
		return []string{what + s.Muted.Render(messages)}
	}
	return []string{ui.Cut(what, width), ui.Cut(" "+s.Muted.Render(messages), width)}
}

func (v *SessionPlaces) columns(width int) views.Columns {
	return views.Lay([]views.Column{
		{Title: "id", Width: 6, Right: true},
		{Title: "conversation"},
		{Title: "last", Width: 7, Right: true},
	}, width)
}

func (v *SessionPlaces) render(r *conversationRow, width int, _ bool) string {
	columns := v.columns(width)
	return columns.Line(func(title string) string { return v.of.text.cell(r, title, columns.Width(title)) })
}

// preview plans the move to the place of a conversation.
func (v *SessionPlaces) preview(r *conversationRow) views.DetailReader[*placePreview] {
	db, op := v.env.DB, v.op(r.ID)
	return func(ctx context.Context) (*placePreview, error) {
		p, err := op.Plan(ctx, db, func(int, int, string) {})
		out := &placePreview{notes: append([]string(nil), p.Notes...)}
		for _, w := range p.Warnings {
			out.notes = append(out.notes, "~ "+w)
		}
		out.why, out.next, err = refusalOf(err)
		return out, err
	}
}

// describe returns a conversation, and what the move would do.
func (v *SessionPlaces) describe(r *conversationRow, p *placePreview, width int) string {
	s := v.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render(ui.Line(r.name())) + "\n" + s.Muted.Render("#"+views.Itoa(r.ID)+"  "+ui.Line(r.SessionKey)) + "\n\n")
	if p == nil {
		return b.String()
	}
	if p.why != "" {
		b.WriteString(ansi.Wrap(s.Warn.Render("~ not possible: ")+ui.Line(p.why), width, " ") + "\n")
		if p.next != "" {
			b.WriteString(ansi.Wrap(s.Muted.Render("what to do: ")+ui.Line(p.next), width, " ") + "\n")
		}
		return b.String()
	}
	for _, n := range p.notes {
		b.WriteString(ansi.Wrap("· "+ui.Line(n), width, " ") + "\n")
	}
	return b.String()
}
