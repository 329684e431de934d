package views

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
)

// Prompt is the prompt by which a model would rewrite a summary, whole, with the context
// before it. Nothing is sent from here.
type Prompt struct {
	env     *Env
	summary string
	pager   *ui.Pager
	text    string // What Y copies.
}

var _ ui.Screen = (*Prompt)(nil)

func newPrompt(env *Env, model string, s lcm.Summary, r summarize.Request) *Prompt {
	p := &Prompt{env: env, summary: s.ID, pager: ui.NewPager(env.Styles), text: r.Prompt}
	st := env.Styles
	var b strings.Builder
	line := func(title, text string) {
		b.WriteString(st.Title.Render(title) + "\n\n" + ui.Sanitize(text) + "\n\n")
	}
	b.WriteString(st.Muted.Render(ui.Line(model)+" · "+r.Kind+" of depth "+Itoa(int64(r.Depth))+
		" · target "+ui.Tokens(int64(r.Target))+", limit "+ui.Tokens(int64(r.MaxTokens))) + "\n\n")
	line("Previous context", FirstNonEmpty(r.Previous, "none"))
	line("System prompt", r.System)
	line("Prompt", r.Prompt)
	p.pager.Show(b.String())
	return p
}

// Title implements ui.Screen.
func (p *Prompt) Title() string { return "Prompt" }

// Purpose implements ui.Screen.
func (p *Prompt) Purpose() string {
	return "The prompt that the model would get, word for word, and the summaries before it. Nothing is sent from here."
}

// Actions implements ui.Screen.
func (p *Prompt) Actions() []ui.Action {
	return append(p.pager.Actions(), KeyCopyText.In("Read"))
}

// Init implements ui.Screen.
func (p *Prompt) Init() tea.Cmd { return nil }

// Typing implements ui.Typer.
func (p *Prompt) Typing() bool { return p.pager.Typing() }

// Escape implements ui.Escaper.
func (p *Prompt) Escape() bool { return p.pager.Escape() }

// Copy implements ui.Copier.
func (p *Prompt) Copy() string { return p.summary }

// Update implements ui.Screen.
func (p *Prompt) Update(msg tea.Msg) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && !p.Typing() && k.String() == "Y" {
		return CopyToClipboard(p.text, "the prompt")
	}
	return p.pager.Update(msg)
}

// View implements ui.Screen.
func (p *Prompt) View(width, height int) string { return p.pager.View(width, height) }
