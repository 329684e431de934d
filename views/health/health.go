package health

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Health is what is damaged, in a conversation or in the whole file: by symptom, then by
// fault, then row by row.
type Health struct {
	views.ListScreen[*healthRow, views.NoDetail]
	env     *views.Env
	tab     *views.Tab // Nil for the whole file.
	found   integrity.Diagnosis
	when    time.Time       // Of the check; zero before the first.
	stale   bool            // The file has changed since.
	version int64           // Of the file when the check began.
	toggled map[string]bool // The rows that the user folded or unfolded, by key.

	running *healthCheck // The check that runs; nil is none.
	checked int          // How many conversations it checked so far.
	partial bool         // The last check ended early, and found is what it found until then.
	endedBy string       // How it ended, in words.
	places  *views.FindingPlaces
}

var _ ui.Screen = (*Health)(nil)

// NewHealth returns the screen of the whole file's health.
func NewHealth(env *views.Env) *Health { return health(env, nil) }

// NewHealthTab returns the tab of what the doctor finds in a conversation.
func NewHealthTab(t views.Tab) ui.Screen { return health(t.Env(), &t) }

func health(env *views.Env, t *views.Tab) *Health {
	v := &Health{env: env, tab: t, toggled: map[string]bool{}, places: views.NewFindingPlaces()}
	list := ui.NewList(env.Styles, (*healthRow).id, v.render, (*healthRow).text)
	list.Empty = "nothing was found so far"
	v.ListScreen = views.NewListScreen(v, env, 0.62, list, (*healthRow).ref, v.describe)
	v.Tabs, v.HeaderLines = t, v.summary
	if known, ok := env.Sound[v.conv()]; ok && known.Found != nil { // From the list; the check brings it up to date.
		v.found = *known.Found
		v.set()
	}
	return v
}

// View implements ui.Screen.
func (v *Health) View(width, height int) string {
	v.showRunning()
	return v.ListScreen.View(width, height)
}

// Title implements ui.Screen.
func (v *Health) Title() string {
	if v.tab == nil {
		return "Health"
	}
	return v.tab.Title()
}

// Purpose implements ui.Screen.
func (v *Health) Purpose() string {
	return "What is damaged, by what you notice of it: how sure that is, where it is, and what a repair would do. Nothing is changed from here without a review."
}

// healthKeys are the screen's own keys.
var healthKeys = struct{ Go, Unfold, Fold, Repair, Again, Next ui.Action }{
	Go:     ui.Act("enter", "⏎", "unfold, or go there"),
	Unfold: ui.Act("right l", "→", "unfold"),
	Fold:   ui.Act("left h", "←", "fold"),
	Repair: ui.Act("R", "R", "repair"),
	Again:  ui.Act("ctrl+r", "ctrl+r", "check again"),
	Next:   ui.Act("!", "!", "next damage"),
}

// OwnActions implements views.ListOwner.
func (v *Health) OwnActions() []views.Action {
	a, some := v.List.Selected()
	if !some {
		a = &healthRow{}
	}
	const none = "nothing was found"
	k, row := healthKeys, a.finding != nil
	folds := views.FirstNonEmpty(views.TextWhen(!some, none), views.TextWhen(row, "it is a single finding"))
	why := v.whyNotRepaired(a)
	return []views.Action{
		{Action: k.Go.In("Look").InFooter().Off(some && (!row || v.leads(a)), views.FirstNonEmpty(views.TextWhen(!some, none), "it has no place of its own")), Run: func() tea.Cmd { return v.enter(a) }},
		{Action: k.Unfold.In("Look").Off(folds == "", folds), Run: func() tea.Cmd { return v.fold(a, true) }},
		{Action: k.Fold.In("Look").InFooter().Off(some, none), Run: func() tea.Cmd { return v.fold(a, false) }},
		{Action: k.Next.In("Look").Off(some, none), Run: v.next},
		{Action: k.Repair.In("Change").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.repair(a) }},
		v.env.ChooseModelAction(),
		{Action: k.Again.In("Look").InFooter().Off(v.running == nil, "it is being checked: esc ends that and keeps what was found"), Run: v.check},
	}
}

// Update implements ui.Screen. What a host writes doesn't begin a check, which may
// take long: the screen only says that there is news.
func (v *Health) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(ui.ChangedMsg); ok && m.External {
		return tea.Batch(v.counts(), v.compareVersion())
	}
	if _, ok := msg.(ui.ChangedMsg); ok {
		v.when = time.Time{}
	}
	return v.ListScreen.Update(msg)
}

// Load checks what wasn't checked yet.
func (v *Health) Load() tea.Cmd {
	if !v.when.IsZero() {
		return v.counts()
	}
	return tea.Batch(v.counts(), v.check())
}

// counts has the counts of the tabs brought up to date.
func (v *Health) counts() tea.Cmd {
	if v.tab == nil {
		return nil
	}
	return v.tab.Label(v)
}

// conv returns the conversation, or 0 for the whole file.
func (v *Health) conv() int64 {
	if v.tab == nil {
		return 0
	}
	return v.tab.Hub.Row.ID
}

// Receive implements views.ListOwner.
func (v *Health) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case healthMsg:
		v.found, v.when, v.version, v.stale, v.running = msg.found, msg.when, msg.version, false, nil
		v.List.Empty = "nothing was found: everything that this program knows to look for is as it should be"
		v.env.Learn(v.conv(), msg.found)
		v.set()
	case healthVersionMsg:
		v.stale = !v.when.IsZero() && msg.version != v.version
	case views.TargetMsg:
		return v.env.Arrive(msg)
	case ui.FailedMsg:
		if msg.Name == "check" {
			v.endEarly(msg.Err)
		}
	}
	return nil
}

// repair offers what to repair from a row: what it stands for first.
func (v *Health) repair(a *healthRow) tea.Cmd {
	if a.isSalvaged() {
		return v.env.SalvageCommand().Run()
	}
	p := views.RepairPlace{Conversation: v.conv(), Found: v.found.Findings, WholeFile: v.tab == nil && !v.partial}
	if v.running != nil || v.stale {
		p.Found, p.WholeFile = nil, false
	}
	if f := a.single(); f != nil {
		p.Finding, p.Conversation = f, f.Conversation
		return v.env.Repair(p)
	}
	p.Faults, p.FaultsName = a.faults(), a.symptom.Title
	if a.fault.ID != "" {
		p.FaultsName = a.fault.Title
	}
	return v.env.Repair(p)
}

// whyNotRepaired says why a row can't be repaired from here, or is empty.
func (v *Health) whyNotRepaired(a *healthRow) string {
	switch {
	case a.key == "" && v.running != nil:
		return "it is being checked still, and nothing was found so far"
	case a.key == "":
		return "nothing was found"
	case a.isSalvaged():
		return v.env.SalvageCommand().Why
	case v.env.ReadOnly() != "":
		return v.env.ReadOnly()
	case len(a.faults()) == 0:
		return "this file can't be repaired from itself there: the text beside says what to do"
	}
	return ""
}
