package conversation

import (
	"context"
	"strings"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/assemble"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Assembled is a conversation's context as the model gets it: the messages that the
// host would send under a budget.
type Assembled struct {
	env    *views.Env
	conv   int64
	budget int64
	tail   assemble.Tail
	pager  *ui.Pager
	facts  []string // The line on top.
	text   string   // What Y copies.
}

var _ ui.Screen = (*Assembled)(nil)

func newAssembled(env *views.Env, conv, budget int64, tail assemble.Tail) *Assembled {
	return &Assembled{env: env, conv: conv, budget: budget, tail: tail, pager: ui.NewPager(env.Styles), facts: []string{"assembling…"}}
}

// Title implements ui.Screen.
func (a *Assembled) Title() string { return "as the model gets it" }

// Purpose implements ui.Screen.
func (a *Assembled) Purpose() string {
	return "The messages that the host would send to the model: what the budget leaves of the context, with calls and results of tools put in order."
}

// Actions implements ui.Screen.
func (a *Assembled) Actions() []ui.Action {
	return append(a.pager.Actions(), views.KeyCopyText.In("Read").Off(a.text != "", "there is no text"))
}

type assembledMsg struct {
	assemble.Result
	plain, styled string
}

// Init implements ui.Screen.
func (a *Assembled) Init() tea.Cmd {
	env, conv := a.env, a.conv
	o := assemble.Options{Budget: a.budget, Tail: a.tail, Location: env.Now().Location()}
	return env.Jobs.Start(a, "assemble", views.Read(func(ctx context.Context) (assembledMsg, error) {
		if env.Settings != nil {
			set := env.Settings().Assembly()
			o.StubLargePayloads = set.StubLargeToolPayloads
			if set.Location != nil {
				o.Location = set.Location
			}
		}
		r, err := assemble.Assemble(ctx, env.DB, conv, o)
		m := assembledMsg{Result: r}
		if err == nil {
			m.plain, m.styled = script(r.Messages, env.Styles)
		}
		return m, err
	}))
}

// script returns messages as they are to be read: a line that says whose each is, and
// its text.
func script(ms []assemble.Message, s *ui.Styles) (plain, styled string) {
	var text, page strings.Builder
	for i, m := range ms {
		if i > 0 {
			text.WriteString("\n")
			page.WriteString("\n")
		}
		about, body := ui.LineN(m.About(), 200), m.Text()
		text.WriteString(strings.TrimSpace(m.Role+" "+m.About()) + "\n" + body + "\n")
		page.WriteString(s.Role(m.Role).Render("── "+m.Role) + " " + s.Muted.Render(about) + "\n" + ui.Sanitize(body) + "\n")
	}
	return text.String(), page.String()
}

// Typing implements ui.Typer.
func (a *Assembled) Typing() bool { return a.pager.Typing() }

// Escape implements ui.Escaper.
func (a *Assembled) Escape() bool { return a.pager.Escape() }

// Update implements ui.Screen.
func (a *Assembled) Update(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case assembledMsg:
		a.receive(msg)
	case ui.ChangedMsg:
		return a.Init()
	case ui.FailedMsg:
		a.facts = []string{"not assembled"}
	case tea.KeyPressMsg:
		if !a.pager.Typing() && key.Matches(msg, views.KeyCopyText.Key) && a.text != "" {
			return views.CopyToClipboard(a.text, ui.Size(int64(len(a.text))))
		}
		return a.pager.Update(msg)
	case tea.MouseWheelMsg, tea.PasteMsg:
		return a.pager.Update(msg)
	}
	return nil
}

func (a *Assembled) receive(m assembledMsg) {
	a.text = m.plain
	a.facts = []string{
		ui.Tokens(m.Estimated) + " of " + ui.Tokens(a.budget), "tail " + ui.Num(int64(a.tail.Count)),
		plural.Count(m.Kept, "item", "items") + " kept", ui.Num(int64(m.Stats.TotalItems-m.Kept)) + " evicted",
		plural.Count(len(m.Messages), "message", "messages"),
	}
	s := a.env.Styles
	var bad strings.Builder
	for _, w := range m.Warnings {
		bad.WriteString(s.Bad.Render("! ") + ui.Line(w) + "\n")
	}
	m.styled = bad.String() + m.styled
	if m.styled == "" {
		m.styled = s.Muted.Render("nothing of the context reaches the model: it is empty, or nothing fits the budget")
	}
	a.pager.SetText(m.styled)
}

// View implements ui.Screen.
func (a *Assembled) View(width, height int) string {
	s := a.env.Styles
	return s.Muted.Render(ui.Cut(" "+strings.Join(a.facts, "   "), width)) + "\n" + a.pager.View(width, height-1)
}
