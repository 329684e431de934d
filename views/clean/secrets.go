package clean

import (
	"context"
	"errors"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/change"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	sweep "lcm-tui/ops/secrets"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Secrets are the passwords, keys and tokens that stand in the file, and the way to replace them for
// good. Values are masked.
type Secrets struct {
	views.ListScreen[*foundSecret, views.NoDetail]
	env     *views.Env
	confirm *ui.Input // Takes the word that confirms what can't be undone.
	report  *sweep.Report
	chosen  map[int]bool // By number.
	result  *sweep.Result
}

// foundSecret is a secret with its places.
type foundSecret struct {
	number int
	places []sweep.Finding
}

func (f *foundSecret) name() string { return f.places[0].Rule + "#" + views.Itoa(int64(f.number)) }

var _ ui.Screen = (*Secrets)(nil)

// NewSecrets returns the screen of the file's secrets.
func NewSecrets(env *views.Env) *Secrets {
	v := &Secrets{env: env, confirm: ui.NewInput(env.Styles, confirmLabel), chosen: map[int]bool{}}
	list := ui.NewList(env.Styles, (*foundSecret).name, v.render, (*foundSecret).name)
	v.ListScreen = views.NewListScreen(v, env, 0.5, list, (*foundSecret).name, v.describe)
	v.HeaderLines = v.summary
	v.List.Empty = "looking through every text of the file"
	return v
}

// The word that confirms, and the question for it.
const (
	confirmWord  = "replace"
	confirmLabel = "this can't be undone, and no copy is kept; type " + confirmWord + " to go on:"
)

// Title implements ui.Screen.
func (v *Secrets) Title() string { return "Secrets" }

// Purpose implements ui.Screen.
func (v *Secrets) Purpose() string {
	return "Passwords, keys and tokens that stand in the file, masked, and where. What is chosen is replaced by placeholders in every place of the file, for good; then it is proved that nothing is left."
}

var (
	keyChooseSecret   = ui.Act("space", "space", "choose")
	keyReplaceSecrets = ui.Act("x", "x", "replace what is chosen")
)

// OwnActions implements views.ListOwner.
func (v *Secrets) OwnActions() []views.Action {
	row, some := v.List.Selected()
	why := v.env.ReadOnly()
	if why == "" && len(v.numbers()) == 0 {
		why = "nothing is chosen"
	}
	return []views.Action{
		v.ReadAction("no secrets were found"),
		{Action: keyChooseSecret.In("Change").InFooter().Off(some, "no secrets were found"), Run: func() tea.Cmd { return v.toggle(row) }},
		{Action: keyReplaceSecrets.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { v.confirm.Open(""); return nil }},
	}
}

// toggle chooses a secret, or no longer.
func (v *Secrets) toggle(row *foundSecret) tea.Cmd {
	v.chosen[row.number] = !v.chosen[row.number]
	v.List.SetItems(v.List.Rows())
	return nil
}

// numbers returns the chosen secrets, as they are named to the operation.
func (v *Secrets) numbers() (names []string) {
	for _, row := range v.List.Rows() {
		if v.chosen[row.number] {
			names = append(names, row.name())
		}
	}
	return names
}

// places returns the ids of the chosen secrets' first findings: numbers may be others when the file is
// looked through again.
func (v *Secrets) places() (ids []string) {
	for _, row := range v.List.Rows() {
		if v.chosen[row.number] {
			ids = append(ids, row.places[0].ID)
		}
	}
	return ids
}

// Actions implements ui.Screen.
func (v *Secrets) Actions() []ui.Action {
	return append(v.ListScreen.Actions(), v.confirm.Actions("replace them")...)
}

// Typing implements ui.Typer.
func (v *Secrets) Typing() bool { return v.confirm.Typing() || v.ListScreen.Typing() }

// Update implements ui.Screen.
func (v *Secrets) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if v.confirm.Typing() {
			return v.answer(msg)
		}
	}
	return v.ListScreen.Update(msg)
}

// answer takes the word that confirms: no other one does.
func (v *Secrets) answer(msg tea.Msg) tea.Cmd {
	answer := v.confirm.Update(msg)
	if answer == ui.Open {
		return nil
	}
	if answer == ui.Accepted && strings.TrimSpace(v.confirm.Value()) != confirmWord {
		v.confirm.Refuse("type " + confirmWord + ", or esc leaves")
		return nil
	}
	word := strings.TrimSpace(v.confirm.Value())
	v.confirm.Reset()
	if word != confirmWord {
		return ui.Say(ui.StatusMsg{Text: "nothing was changed"})
	}
	return v.replace()
}

type secretsMsg struct{ report *sweep.Report }

type replacedMsg struct{ result *sweep.Result }

// Load implements views.ListOwner.
func (v *Secrets) Load() tea.Cmd {
	db := v.env.DB
	return v.env.Jobs.Read(v, "load", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		found, err := sweep.Find(ctx, db, sweep.Request{}, report)
		return secretsMsg{found}, err
	})
}

// replace replaces what is chosen, and proves it.
func (v *Secrets) replace() tea.Cmd {
	db := v.env.DB
	op := &sweep.Op{Places: v.places(), StateFolder: v.env.State}
	if v.env.Cache != "" {
		op.CacheFolders = []string{v.env.Cache}
	}
	return v.env.Jobs.Start(v, "replace", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		plan, err := op.Plan(ctx, db, report)
		if err == nil {
			_, err = ops.ApplyPlan(ctx, db, plan, report)
		}
		var unfinished *change.UnfinishedError
		if err != nil && !errors.As(err, &unfinished) {
			return nil, err
		}
		return replacedMsg{op.Result}, err
	})
}

// Receive implements views.ListOwner.
func (v *Secrets) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case secretsMsg:
		v.show(m.report)
	case replacedMsg:
		v.result, v.chosen = m.result, map[int]bool{}
		return ui.Say(ui.ChangedMsg{Note: plural.Count(m.result.Cells, "text was", "texts were") + " changed; " + proofText(m.result)})
	}
	return nil
}

// show lists the secrets of a report. Those that are sure are chosen at first.
func (v *Secrets) show(report *sweep.Report) {
	first := v.report == nil
	v.report, v.List.Empty = report, "no passwords, keys or tokens were found in the file"
	var rows []*foundSecret
	for _, n := range report.Numbers() {
		row := &foundSecret{n, report.Of(n)}
		rows = append(rows, row)
		if first && row.places[0].Class == redact.Sure && row.places[0].Kept == "" {
			v.chosen[n] = true
		}
	}
	v.List.SetItems(rows)
	v.Invalidate()
}

// proofText says what was proved.
func proofText(r *sweep.Result) string {
	switch {
	case r.Gone() && r.UncleanPages:
		return "no text has them any more; pages of the file may, until unused space is given back"
	case r.Gone():
		return "nothing of the secrets is left in the file"
	case r.OnlyInPages():
		return "something is left in pages that hold no row: give unused space back"
	}
	return "something is left, as said above the list"
}
