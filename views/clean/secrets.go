package clean

import (
	"context"
	"errors"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/change"
	"lcm-tui/data/openclaw"
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
	views.ListScreen[*foundSecret, *surroundings]
	env     *views.Env
	confirm *ui.Input // Takes the word that confirms what can't be undone.
	scanner *redact.Scanner
	report  *sweep.Report
	ignored []string       // The ids of findings that the user took off the list.
	numbers map[string]int // By keys of places: a secret keeps its number while the screen is there.
	chosen  map[int]bool   // By number; only those that are.
	widest  int            // The width of the longest name.
	plan    *ops.Plan      // Of replacing what is chosen; nil until it was asked for.
	result  *sweep.Result
}

// foundSecret is a secret with its places.
type foundSecret struct {
	number  int
	places  []sweep.Finding
	ignored bool
}

// surroundings are the texts around a secret, by the ids of its places.
type surroundings struct{ texts map[string]string }

func (f *foundSecret) name() string { return f.places[0].Rule + "#" + views.Itoa(int64(f.number)) }

var _ ui.Screen = (*Secrets)(nil)

// NewSecrets returns the screen of the file's secrets.
func NewSecrets(env *views.Env) *Secrets {
	v := &Secrets{env: env, confirm: ui.NewInput(env.Styles, confirmLabel), chosen: map[int]bool{}, numbers: map[string]int{}}
	list := ui.NewList(env.Styles, (*foundSecret).name, v.render, (*foundSecret).name)
	v.ListScreen = views.NewListScreen(v, env, 0.5, list, (*foundSecret).name, v.describe)
	v.HeaderLines, v.ReadDetailOf = v.summary, v.readSurroundings
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
	return "Passwords, keys and tokens that stand in the file, masked, and where. Enter goes to the message. What is chosen is replaced by placeholders in every place of the file, for good; then it is proved that nothing is left."
}

var (
	keyChooseSecret   = ui.Act("space", "space", "choose")
	keyVisitSecret    = ui.Act("enter", "⏎", "go there")
	keyIgnoreSecret   = ui.Act("i", "i", "no secret: ignore it").Named("ignore-it")
	keyReplaceSecrets = ui.Act("ctrl+x", "ctrl+x", "replace what is chosen").OnSight()
)

// OwnActions implements views.ListOwner.
func (v *Secrets) OwnActions() []views.Action {
	row, some := v.List.Selected()
	why := v.env.ReadOnly()
	switch {
	case v.env.DB.IsHome():
		why = "a home has no file to rewrite: replace them in SQL"
	case why == "" && len(v.chosen) == 0:
		why = "nothing is chosen"
	}
	const none = "no secrets were found"
	ignore := keyIgnoreSecret
	if some && row.ignored {
		ignore = ui.Act("i", "i", "ignore it no longer").Named(keyIgnoreSecret.ID())
	}
	where := views.TextWhen(!some, none)
	if some && row.place() == nil {
		where = "it stands in no message and no summary"
	}
	noChoice := views.TextWhen(!some, none)
	if some && row.ignored {
		noChoice = "it is ignored: i takes it back"
	}
	return []views.Action{
		{Action: keyVisitSecret.In("Look").InFooter().Off(where == "", where), Run: func() tea.Cmd { return v.visit(row) }},
		{Action: keyChooseSecret.In("Change").InFooter().Off(noChoice == "", noChoice), Run: func() tea.Cmd { return v.toggle(row) }},
		{Action: ignore.In("Change").InFooter().Off(some, none), Run: func() tea.Cmd { return v.ignore(row) }},
		{Action: keyReplaceSecrets.In("Change").InFooter().Off(why == "", why), Run: v.planReplacing},
	}
}

// place returns the first place of a secret that a screen can show, or nil.
func (f *foundSecret) place() *sweep.Finding {
	for i, p := range f.places {
		if p.Conversation != nil && (p.Message != 0 || p.Table == "summaries") {
			return &f.places[i]
		}
	}
	return nil
}

// visit goes to the message or the summary in which a secret stands.
func (v *Secrets) visit(f *foundSecret) tea.Cmd {
	p := f.place()
	to := views.Target{Tab: views.TabSummaries, ID: p.Key}
	if p.Message != 0 {
		to = views.Target{Tab: views.TabMessages, ID: views.Itoa(p.Message), Seq: &p.Seq}
	}
	return v.env.Visit(v, *p.Conversation, to)
}

// ignore takes a secret off the list for good, or puts it back.
func (v *Secrets) ignore(f *foundSecret) tea.Cmd {
	var ids []string
	for _, p := range f.places {
		ids = append(ids, p.ID)
	}
	config, path, on := v.env.Secrets, v.env.DB.Path(), !f.ignored
	delete(v.chosen, f.number)
	v.List.Stay() // The same key takes it back.
	return v.env.Jobs.Start(v, "ignore", views.Read(func(context.Context) (ignoredMsg, error) {
		list, err := config.Ignore(path, ids, on)
		return ignoredMsg(list), err
	}))
}

// ignoredMsg is the ids of findings that are ignored.
type ignoredMsg []string

// toggle chooses a secret, or no longer.
func (v *Secrets) toggle(row *foundSecret) tea.Cmd {
	if v.chosen[row.number] {
		delete(v.chosen, row.number)
	} else {
		v.chosen[row.number] = true
	}
	v.List.SetItems(v.List.Rows())
	return nil
}

// places returns the ids of findings of the chosen secrets: numbers may be others when the file is
// looked through again. An id that another secret has as well is taken only where there is no other.
func (v *Secrets) places() (ids []string) {
	for _, row := range v.List.Items() {
		if v.chosen[row.number] {
			own := func(p sweep.Finding) bool {
				return !slices.ContainsFunc(v.report.Findings, func(o sweep.Finding) bool { return o.ID == p.ID && o.Number != p.Number })
			}
			ids = append(ids, row.places[max(0, slices.IndexFunc(row.places, own))].ID)
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

type secretsMsg struct {
	report  *sweep.Report
	scanner *redact.Scanner
	ignored []string
}

// replacingMsg is what replacing the chosen secrets would change.
type replacingMsg struct{ plan ops.Plan }

type replacedMsg struct{ result *sweep.Result }

// Load implements views.ListOwner.
func (v *Secrets) Load() tea.Cmd {
	db, config := v.env.DB, v.env.Secrets
	return v.env.Jobs.Read(v, "load", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		scanner, err := config.Scanner()
		if err != nil {
			return nil, err
		}
		ignored, err := config.IgnoredIn(db.Path())
		if err != nil {
			return nil, err
		}
		found, err := sweep.Find(ctx, db, sweep.Request{Scanner: scanner}, report)
		return secretsMsg{found, scanner, ignored}, err
	})
}

// readSurroundings reads the texts around a secret.
func (v *Secrets) readSurroundings(f *foundSecret) views.DetailReader[*surroundings] {
	db, request := v.env.DB, sweep.Request{Scanner: v.scanner}
	return func(ctx context.Context) (*surroundings, error) {
		out := &surroundings{map[string]string{}}
		for _, p := range f.places[:min(len(f.places), mostSurroundings)] {
			text, err := request.Surroundings(ctx, db, p)
			if err != nil {
				return nil, err
			}
			out.texts[p.ID] = text
		}
		return out, nil
	}
}

// mostSurroundings is for how many places of a secret the text around it is read.
const mostSurroundings = 20

// operation returns the operation that replaces what is chosen.
func (v *Secrets) operation() *sweep.Op {
	op := &sweep.Op{Request: sweep.Request{Scanner: v.scanner}, Places: v.places(), StateFolder: v.env.State}
	if v.env.Cache != "" {
		op.CacheFolders = []string{v.env.Cache}
	}
	if v.env.Queries != "" {
		op.StateFiles = []string{v.env.Queries}
	}
	return op
}

// agentFolders returns where the host's agents keep their databases. It looks at the disk.
func agentFolders(l openclaw.Locations) (folders []string) {
	for _, agent := range l.Agents() {
		folders = append(folders, agent.Folder)
	}
	return folders
}

// planReplacing finds out what replacing would change, and asks for the word that confirms it.
func (v *Secrets) planReplacing() tea.Cmd {
	db, op, locations := v.env.DB, v.operation(), v.env.Locations
	return v.env.Jobs.Open(v, "plan", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		op.AgentFolders = agentFolders(locations)
		plan, err := op.Plan(ctx, db, report)
		return replacingMsg{plan}, err
	})
}

// replace replaces what is chosen, and proves it.
func (v *Secrets) replace() tea.Cmd {
	db, op, locations := v.env.DB, v.operation(), v.env.Locations
	return v.env.Jobs.Start(v, "replace", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		op.AgentFolders = agentFolders(locations)
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
		v.scanner, v.ignored = m.scanner, m.ignored
		v.show(m.report)
	case ignoredMsg:
		v.ignored = m
		v.show(v.report)
	case replacingMsg:
		v.plan = &m.plan
		v.confirm.Open("")
	case views.TargetMsg:
		return v.env.Arrive(m)
	case replacedMsg:
		v.result, v.chosen = m.result, map[int]bool{}
		return ui.Say(ui.ChangedMsg{Note: plural.Count(m.result.Cells, "text was", "texts were") + " changed; " + proofText(m.result)})
	}
	return nil
}

// show lists the secrets of a report, those that are ignored last. Those that are sure are chosen at first.
func (v *Secrets) show(report *sweep.Report) {
	first := v.report == nil
	v.report, v.List.Empty = report, "no passwords, keys or tokens were found"
	isIgnored := func(p sweep.Finding) bool { return slices.Contains(v.ignored, p.ID) }
	var rows, ignored []*foundSecret
	chosen := map[int]bool{}
	v.widest = 0
	for _, n := range report.Numbers() {
		places := report.Of(n)
		row := &foundSecret{number: v.keptNumber(n, places), places: places}
		v.widest = max(v.widest, len(row.name()))
		left := slices.DeleteFunc(slices.Clone(places), isIgnored)
		if row.ignored = len(left) == 0; row.ignored {
			ignored = append(ignored, row)
			continue
		}
		row.places = left
		rows = append(rows, row)
		if v.chosen[row.number] || first && left[0].Class == redact.Sure && left[0].Kept == "" {
			chosen[row.number] = true
		}
	}
	v.chosen = chosen // What is gone is chosen no longer.
	v.List.SetItems(append(rows, ignored...))
	v.Invalidate()
}

// keptNumber returns the number that a secret had when the screen first listed it, or the next one that is free: a report
// that is made after others were replaced counts from one again.
func (v *Secrets) keptNumber(n int, places []sweep.Finding) int {
	most, known := 0, map[int]bool{}
	for _, number := range v.numbers {
		most, known[number] = max(most, number), true
	}
	for _, p := range places {
		if number := v.numbers[placeKey(p)]; number != 0 {
			n = number
			delete(known, n)
			break
		}
	}
	if known[n] {
		n = most + 1
	}
	for _, p := range places {
		v.numbers[placeKey(p)] = n
	}
	return n
}

// placeKey tells a secret in a place from others there: an id names the place and the rule only.
func placeKey(p sweep.Finding) string {
	return p.ID + " " + p.Masked + " " + views.Itoa(int64(p.Length))
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
