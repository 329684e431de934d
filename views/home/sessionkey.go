package home

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// SessionKey offers what can be done about the session that a conversation belongs to: another key,
// the place of another conversation, archiving and its opposite. What isn't possible is listed with
// the reason. Nothing is written without a review.
type SessionKey struct {
	views.ListScreen[*sessionKeyRow, views.NoDetail]
	env    *views.Env
	of     *Conversations // It draws the conversations that can be chosen.
	target lcm.Conversation
	facts  sessionFacts
	input  *ui.Input
	family bool   // A new key is also that of the archived conversations of the old one.
	cause  int    // Of sessionkey.Causes.
	begin  string // The row that is opened as soon as the rows are read; empty opens none.
}

// sessionFacts are what the head says of a conversation.
type sessionFacts struct {
	family     int // Conversations with its key, itself included.
	transcript string
}

var _ ui.Screen = (*SessionKey)(nil)

// newSessionKey returns the dialog on the session of a conversation. begin is the row that is opened at
// once; empty opens none.
func newSessionKey(of *Conversations, target lcm.Conversation, begin string) *SessionKey {
	env := of.env
	v := &SessionKey{env: env, of: of, target: target, begin: begin, input: ui.NewInput(env.Styles, "new session key:")}
	id := func(r *sessionKeyRow) string { return r.id }
	list := ui.NewList(env.Styles, id, v.render, func(r *sessionKeyRow) string { return r.name })
	list.Empty = "looking what is possible"
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, id, v.describe)
	v.HeaderLines = v.header
	return v
}

// Title implements ui.Screen.
func (v *SessionKey) Title() string { return v.env.Name(v.target) + " › Session" }

// Purpose implements ui.Screen.
func (v *SessionKey) Purpose() string {
	return "Which session this conversation belongs to: a host finds a conversation by its session key. Enter shows what would change; nothing is written from here, and no message changes."
}

var (
	keyPlanSession   = ui.Act("enter", "⏎", "review it")
	keyTypeSession   = ui.Act("enter", "⏎", "type the key")
	keyChoosePlace   = ui.Act("enter", "⏎", "choose whose place")
	keySessionFamily = ui.Act("f", "f", "rename archived ones too")
	keySessionCause  = ui.Act("c", "c", "other cause of archiving")
)

// OwnActions implements views.ListOwner.
func (v *SessionKey) OwnActions() []views.Action {
	r, some := v.List.Selected()
	why := views.FirstNonEmpty(views.TextWhen(!some, "it is being looked what is possible"), v.env.ReadOnly())
	if some {
		why = views.FirstNonEmpty(r.why, why)
	}
	enter := keyPlanSession
	switch {
	case some && r.id == sessionRename:
		enter = keyTypeSession
	case some && r.id == sessionMove:
		enter = keyChoosePlace
	}
	family := keySessionFamily
	if v.family {
		family = ui.Act("f", "f", "leave archived ones").Named(keySessionFamily.ID())
	}
	return []views.Action{
		{Action: enter.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.open(r) }},
		{Action: family.In("Change").InFooter().Off(v.facts.family > 1, "no other conversation has its key"), Run: func() tea.Cmd { v.family = !v.family; return v.Load() }},
		{Action: keySessionCause.In("Change").InFooter(), Run: func() tea.Cmd { v.cause = (v.cause + 1) % len(sessionkey.Causes); return v.Load() }},
	}
}

// Actions implements ui.Screen.
func (v *SessionKey) Actions() []ui.Action {
	if v.input.Typing() {
		return []ui.Action{ui.Act("enter", "⏎", "review it").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter()}
	}
	return v.ListScreen.Actions()
}

// Typing implements ui.Typer.
func (v *SessionKey) Typing() bool { return v.input.Typing() || v.ListScreen.Typing() }

// Escape implements ui.Escaper.
func (v *SessionKey) Escape() bool {
	if v.input.Typing() {
		v.input.Reset()
		return true
	}
	return v.ListScreen.Escape()
}

// Update implements ui.Screen.
func (v *SessionKey) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if v.input.Typing() {
			if v.input.Update(msg) != ui.Accepted {
				return nil
			}
			return v.rename(strings.TrimSpace(v.input.Value()))
		}
	}
	v.input.RefuseFailed(msg, "plan key rename")
	return v.ListScreen.Update(msg)
}

// rename plans another key. An empty one changes nothing: taking the key away has a row of its own.
func (v *SessionKey) rename(key string) tea.Cmd {
	if key == "" {
		v.input.Refuse("no key was given: nothing changes")
		return nil
	}
	return v.env.Planned(v, "key rename", v.renaming(key))
}

// open reviews what a row stands for, or asks for what is missing.
func (v *SessionKey) open(r *sessionKeyRow) tea.Cmd {
	switch r.id {
	case sessionRename:
		v.input.Open(v.target.SessionKey)
		return nil
	case sessionMove:
		return ui.Say(ui.PushMsg{Screen: newSessionPlaces(v.of, v.target)})
	}
	return v.env.Planned(v, "key "+r.id, r.find)
}

// sessionKeyMsg is what is possible.
type sessionKeyMsg struct {
	target lcm.Conversation
	facts  sessionFacts
	rows   []*sessionKeyRow
}

// Load implements views.ListOwner.
func (v *SessionKey) Load() tea.Cmd {
	db, id, rows := v.env.DB, v.target.ID, v.rows()
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m sessionKeyMsg, err error) {
		if m.target, err = lcm.ReadConversation(ctx, db, id); err != nil {
			return m, err
		}
		all, err := lcm.Conversations(ctx, db)
		if err != nil {
			return m, err
		}
		tracked, err := lcm.Bootstraps(ctx, db)
		if err != nil {
			return m, err
		}
		m.rows, m.facts.transcript = rows, tracked[id].Path
		places := 0
		for _, c := range all {
			if c.SessionKey != "" && c.SessionKey == m.target.SessionKey || c.ID == id {
				m.facts.family++
			}
			if c.ID != id && c.Active && c.SessionKey != "" {
				places++
			}
		}
		for _, r := range rows {
			if err := r.look(ctx, db, places); err != nil {
				return m, err
			}
		}
		return m, nil
	}))
}

// Receive implements views.ListOwner.
func (v *SessionKey) Receive(msg tea.Msg) tea.Cmd {
	m, ok := msg.(sessionKeyMsg)
	if !ok {
		return nil
	}
	v.target, v.facts = m.target, m.facts
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

// header says what the conversation is now, or asks for a key.
func (v *SessionKey) header(width, _ int) []string {
	s := v.env.Styles
	if v.input.Typing() {
		return []string{" " + v.input.View(width-1), s.Muted.Render(ui.Cut(" keys of hosts have the form agent:AGENT:…; what would change is shown first", width))}
	}
	c := v.target
	key := ui.Line(views.FirstNonEmpty(c.SessionKey, "no session key"))
	state := "active"
	if !c.Active {
		state = archivedText(c)
	}
	line := " " + s.Title.Render("#"+views.Itoa(c.ID)+" "+key) + s.Muted.Render(" · "+ui.Line(state))
	if n := v.facts.family - 1; n > 0 {
		line += s.Muted.Render(" · " + plural.Count(n, "other conversation has", "other conversations have") + " this key")
	}
	transcript := "no transcript is noted"
	switch one := v.env.DB.Kind().Generation == data.GenerationOne; {
	case one:
		transcript = "session " + ui.Line(views.FirstNonEmpty(c.SessionID, "none")) + "; the host finds it in its own database"
	case v.facts.transcript != "":
		transcript = "transcript " + ui.Line(views.ShortenHome(v.facts.transcript))
	}
	return []string{ui.Cut(line, width), s.Muted.Render(ui.Cut(" "+transcript, width)), ""}
}

// archivedText says that a conversation is archived, and why.
func archivedText(c lcm.Conversation) string {
	if c.ArchiveCause == "" {
		return "archived"
	}
	return "archived: " + sessionkey.CauseText(c.ArchiveCause)
}
