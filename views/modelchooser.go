package views

import (
	"cmp"
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/settings"
	"lcm-tui/ui"
)

// ModelChooser is the models that can be chosen for summaries, for this run of the
// program. Nothing is written, and no model is asked.
type ModelChooser struct {
	ListScreen[*choose.Candidate, NoDetail]
	env     *Env
	name    *ui.Input // Takes a model's name.
	command *ui.Input // Takes a command line.
}

var _ ui.Screen = (*ModelChooser)(nil)

var (
	keyChooseModel   = ui.Act("M", "M", "choose the model")
	keyUseModel      = ui.Act("enter", "⏎", "use it")
	keyTypeModel     = ui.Act("m", "m", "type a model's name")
	keyTypeCommand   = ui.Act("x", "x", "type a command that summarizes")
	keyConfiguration = ui.Act("=", "=", "as configured")
)

// ChooseModelAction returns the action that opens the chooser of the model.
func (e *Env) ChooseModelAction() Action {
	return Action{keyChooseModel.In("Model").Off(e.Models != nil, "no model is set up"), func() tea.Cmd { return push(NewModelChooser(e)) }}
}

// NewModelChooser returns the screen on which a model is chosen.
func NewModelChooser(env *Env) *ModelChooser {
	c := &ModelChooser{env: env, name: ui.NewInput(env.Styles, "provider/model:"), command: ui.NewInput(env.Styles, "command:")}
	list := ui.NewList(env.Styles, candidateID, c.row, func(m *choose.Candidate) string { return m.Resolved.Name() + " " + string(m.Origin) })
	list.Empty = "looking for models"
	c.ListScreen = NewListScreen(c, env, 0.62, list, candidateID, c.describe)
	c.LayoutColumns, c.HeaderLines = c.columns, c.header
	return c
}

func candidateID(m *choose.Candidate) string { return string(m.Origin) + " " + m.Resolved.Name() }

// Title implements ui.Screen.
func (c *ModelChooser) Title() string { return "Model" }

// Purpose implements ui.Screen.
func (c *ModelChooser) Purpose() string {
	return "Which model writes summaries until the program ends. Of a key it says whether it is there. Nothing is asked from here, and the configuration stays as it is."
}

// Actions implements ui.Screen.
func (c *ModelChooser) Actions() []ui.Action {
	if c.Typing() && !c.List.Typing() {
		return []ui.Action{ui.Act("enter", "⏎", "use it").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter()}
	}
	return c.ListScreen.Actions()
}

// OwnActions implements views.ListOwner.
func (c *ModelChooser) OwnActions() []Action {
	m, some := c.List.Selected()
	return []Action{
		{keyUseModel.In("Model").InFooter().Off(some && !c.TextFocused, "there is no model"), func() tea.Cmd { return c.use(m) }},
		{keyTypeModel.In("Model").InFooter(), func() tea.Cmd { c.name.Open(""); return nil }},
		{keyTypeCommand.In("Model").InFooter(), func() tea.Cmd { c.command.Open(""); return nil }},
		{
			keyConfiguration.In("Model").InFooter().Off(c.env.ModelState.Chosen.Load() != nil, "the configured model is in force"), c.reset,
		},
	}
}

// Load implements views.ListOwner.
func (c *ModelChooser) Load() tea.Cmd {
	if c.env.Models == nil {
		return nil
	}
	return c.env.Jobs.Start(c, "load", Read(findModelsOf(c.env)))
}

// Receive implements views.ListOwner.
func (c *ModelChooser) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case modelsMsg:
		c.env.ModelState.Update(m)
		c.List.SetItems(choosable(m.models.Candidates))
	case typedModelMsg:
		return c.choose(m.choice, choiceName(m.choice), m.unready)
	}
	return nil
}

// choosable returns the candidates in the order of the list: the configured one, those that can be
// asked now, the others. Where nothing is configured, no row stands for that: the built-in
// summarizer, which stands in then, has one of its own, whose texts are written.
func choosable(all []choose.Candidate) (out []*choose.Candidate) {
	for _, m := range PointersTo(all) {
		if m.Origin != choose.OriginHost || m.Resolved.From != settings.FromDefault {
			out = append(out, m)
		}
	}
	rank := func(m *choose.Candidate) int {
		switch {
		case m.Origin == choose.OriginHost:
			return 0
		case m.Err == nil && !isUnnamed(m):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(out, func(a, b *choose.Candidate) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// isUnnamed reports whether a candidate is a vendor of which the user has to name a model.
func isUnnamed(m *choose.Candidate) bool {
	return m.Origin == choose.OriginVendor && m.Resolved.Model == ""
}

// Typing implements ui.Typer.
func (c *ModelChooser) Typing() bool {
	return c.ListScreen.Typing() || c.name.Typing() || c.command.Typing()
}

// Update implements ui.Screen.
func (c *ModelChooser) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		switch {
		case c.name.Typing():
			if c.name.Update(msg) == ui.Accepted {
				return c.chooseTyped(choose.Choice{Model: strings.TrimSpace(c.name.Value())})
			}
			return nil
		case c.command.Typing():
			if c.command.Update(msg) == ui.Accepted {
				return c.chooseTyped(choose.Choice{Exec: strings.TrimSpace(c.command.Value())})
			}
			return nil
		}
	}
	return c.ListScreen.Update(msg)
}

// use takes the model under the cursor; where its provider names no model, it is typed
// first.
func (c *ModelChooser) use(m *choose.Candidate) tea.Cmd {
	if m.Origin == choose.OriginHost {
		return c.reset()
	}
	if isUnnamed(m) {
		c.name.Open(m.Resolved.Provider + "/")
		return nil
	}
	return c.choose(m.Choice, m.Resolved.Name(), m.Err)
}

// typedModelMsg is a model that was typed, and why it can't be asked; nil if it can.
type typedModelMsg struct {
	choice  choose.Choice
	unready error
}

// chooseTyped looks whether a model that was typed can be asked, and chooses it.
func (c *ModelChooser) chooseTyped(choice choose.Choice) tea.Cmd {
	find := c.env.Models
	if choice.IsZero() || find == nil {
		return nil
	}
	return c.env.Jobs.Start(c, "typed", Read(func(context.Context) (typedModelMsg, error) {
		return typedModelMsg{choice, find(choice).Err}, nil
	}))
}

// choose sets the model for this run, reports why it can't be asked yet, and leaves.
func (c *ModelChooser) choose(choice choose.Choice, name string, unready error) tea.Cmd {
	status := ui.StatusMsg{Text: "until the program ends, summaries are made by " + ui.Line(name), Kind: ui.Done}
	if unready != nil {
		status = ui.StatusMsg{Text: ui.Line(name) + " is chosen, and can't be asked yet: " + ui.Line(unready.Error()), Kind: ui.Warn}
	}
	return c.leave(c.env.UseModel(choice), status)
}

// reset leaves the model to the configuration again.
func (c *ModelChooser) reset() tea.Cmd {
	return c.leave(c.env.UseConfiguredModel(), ui.StatusMsg{Text: "the model is the configured one again", Kind: ui.Done})
}

func (c *ModelChooser) leave(cmd tea.Cmd, status ui.StatusMsg) tea.Cmd {
	return tea.Batch(cmd, ui.Say(ui.PopMsg{Screen: c}), ui.Say(status))
}

// choiceName names a choice as far as it names itself.
func choiceName(c choose.Choice) string {
	switch {
	case c.Exec != "":
		return "the command " + ui.LineN(c.Exec, 40)
	case c.Provider != "" && c.Model != "":
		return ui.Line(c.Provider + "/" + c.Model)
	}
	return ui.Line(FirstNonEmpty(c.Model, c.Provider))
}

// header returns the model in force, or the input that is open.
func (c *ModelChooser) header(width, _ int) []string {
	switch {
	case c.name.Typing():
		return []string{" " + c.name.View(width-1)}
	case c.command.Typing():
		return []string{" " + c.command.View(width-1)}
	}
	lines := []string{" " + c.env.Styles.Muted.Render("in force: ") + c.env.modelLine(width-12, "⏎ chooses one")}
	if m := c.env.ModelState.models; m != nil && len(m.Fallbacks) > 0 {
		lines = append(lines, c.env.Styles.Muted.Render(ui.Cut(" if it fails: "+ui.Line(strings.Join(m.Fallbacks, ", ")), width)))
	}
	return lines
}

func (c *ModelChooser) columns(width int) Columns {
	return Lay([]Column{{Title: "model"}, {Title: "named by", Width: 14, From: 60}, {Title: "key", Width: 14}}, width)
}

func (c *ModelChooser) row(m *choose.Candidate, width int, _ bool) string {
	s := c.env.Styles
	return c.columns(width).Line(func(title string) string {
		switch title {
		case "model":
			return candidateName(m)
		case "named by":
			return s.Muted.Render(originText(m))
		}
		return CandidateState(s, m)
	})
}

// candidateName names a model, or says that its name has to be typed.
func candidateName(m *choose.Candidate) string {
	if isUnnamed(m) {
		return ui.Line(m.Resolved.Provider) + "/…"
	}
	return ui.Line(m.Resolved.Name())
}

// originText says who names a model.
func originText(m *choose.Candidate) string {
	switch m.Origin {
	case choose.OriginHost:
		switch m.Resolved.From {
		case settings.FromDefault:
			return "nothing is set"
		case settings.FromFlag:
			return "command line"
		}
		return "configuration"
	case choose.OriginFallback:
		return "fallback"
	case choose.OriginVendor:
		return "known vendor"
	case choose.OriginProgram:
		return "on this machine"
	}
	return string(m.Origin)
}

// CandidateState says in a few words whether a model can be asked.
func CandidateState(s *ui.Styles, m *choose.Candidate) string {
	switch state := m.Resolved.KeyState(); {
	case state == choose.KeySet:
		return s.Good.Render("● key set")
	case state == choose.KeyMissing && len(m.Resolved.SignInProblems) > 0: // The text beside says what to do.
		return s.Warn.Render("~ no valid key")
	case state == choose.KeyMissing || state == choose.KeyWithheld:
		return s.Muted.Render("○ no key")
	case state == choose.KeyOptional:
		return s.Muted.Render("○ none needed")
	}
	if m.Err != nil {
		return s.Bad.Render("! not ready")
	}
	return s.Good.Render("● needs none")
}

func (c *ModelChooser) describe(m *choose.Candidate, _ NoDetail, _ int) string {
	s, r := c.env.Styles, m.Resolved
	var b strings.Builder
	b.WriteString(s.Title.Render(candidateName(m)) + "\n\n")
	for _, l := range [][2]string{
		{"key", keyText(s, r)}, {"named by", originText(m)}, {"address", ui.Line(r.BaseURL)}, {"protocol", string(r.API)},
	} {
		if l[1] != "" {
			b.WriteString(s.Muted.Render(ui.Pad(l[0], 10)) + l[1] + "\n")
		}
	}
	if m.Err != nil {
		b.WriteString("\n" + s.Warn.Render("~ it can't be asked now: ") + ui.Line(m.Err.Error()) + "\n")
	}
	if isUnnamed(m) {
		b.WriteString("\n⏎ asks for the model's name first.\n")
	}
	if r.Free() {
		b.WriteString("\nIt picks the sentences that matter most out of what it is given. It is quick and costs nothing, and a model writes better.\n")
	}
	return b.String()
}
