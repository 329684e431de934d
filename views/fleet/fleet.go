package fleet

import (
	"context"
	"errors"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/fleet"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Fleet is the machines of which copies are kept here: how large, how old and how sound each copy is, what became of the last
// try to fetch it, and of the plans that were sent home. The databases of replicas stand below them.
type Fleet struct {
	views.ListScreen[*row, views.NoDetail]
	env     *views.Env
	copies  []*row
	sources []*row // Of replicas.
	loaded  bool
	marked  map[string]bool // Names of machines.
	add     *ui.Input       // Takes the name and the place of another machine.
	failed  map[string]bool // Copies that an unasked check couldn't read, by path.
	silent  string          // Why a replica couldn't be read; empty if all could.
}

// row is a machine.
type row struct{ views.Machine }

var _ ui.Screen = (*Fleet)(nil)

// New returns the screen of the machines.
func New(env *views.Env) *Fleet {
	v := &Fleet{env: env, marked: map[string]bool{}, failed: map[string]bool{}, add: ui.NewInput(env.Styles, "add NAME PLACE:")}
	list := ui.NewList(env.Styles, (*row).id, v.render, (*row).text)
	list.Empty = "reading which machines are known"
	list.SetSorts(
		ui.Sort[*row]{Name: "name"},
		ui.Sort[*row]{Name: "damage", Less: func(a, b *row) bool { return a.damageRank() > b.damageRank() }},
		ui.Sort[*row]{Name: "age", Less: func(a, b *row) bool { return a.CheckedAt.Before(b.CheckedAt) }},
		ui.Sort[*row]{Name: "size", Less: func(a, b *row) bool { return a.bytes() > b.bytes() }},
		ui.Sort[*row]{Name: "growth", Less: func(a, b *row) bool { return a.grew() > b.grew() }},
	)
	v.ListScreen = views.NewListScreen(v, env, 0.62, list, (*row).id, v.describe)
	v.LayoutColumns, v.HeaderLines, v.AfterUpdate = v.columns, v.header, v.checkUnasked
	return v
}

// Title implements ui.Screen.
func (v *Fleet) Title() string { return "Fleet" }

// Purpose implements ui.Screen.
func (v *Fleet) Purpose() string {
	return "The machines of which copies of databases are kept here, for reading: how large, how old and how sound each copy is. ssh fetches them; nothing writes to a copy or to the other machine."
}

// keys are the screen's own keys.
var keys = struct{ Open, Pull, PullAll, Check, Add, Remove, Unmark ui.Action }{
	Open:    ui.Act("enter", "⏎", "open the copy"),
	Pull:    ui.Act("p", "p", "fetch this one, or the marked").Named("fetch-copies"),
	PullAll: ui.Act("P", "P", "fetch all"),
	Check:   ui.Act("h", "h", "check this one, or the marked").Named("check-copies"),
	Add:     ui.Act("a", "a", "add a machine"),
	Remove:  ui.Act("d", "d", "remove the machine"),
	Unmark:  ui.Act("U", "U", "unmark all").Named("unmark-all-machines"),
}

// OwnActions implements views.ListOwner.
func (v *Fleet) OwnActions() []views.Action {
	r, some := v.List.Selected()
	none := views.TextWhen(!some, "no machine is known: a adds one")
	open, remove, pull, mark := none, none, none, none
	check := views.FirstNonEmpty(none, views.TextWhen(len(v.chosenCopies()) == 0, "there is no copy of it yet: p fetches it"))
	if some {
		open = views.FirstNonEmpty(views.TextWhen(v.TextFocused, views.TextHasKeys), views.TextWhen(r.Path == "", "there is no copy of it yet: p fetches it"))
		remove = views.TextWhen(v.isOpen(r), "its copy is the database that is open")
	}
	if some && r.IsSource() {
		mark, remove = "copies alone can be marked", "the replica has it: lcm-tui fleet forget "+ui.Line(r.Name)
		if len(v.marked) == 0 {
			pull, check = "its machine sends it: lcm-tui sync --apply there", "its machine checks it, at its syncs"
		}
	}
	pullAll := views.TextWhen(len(v.copies) == 0, "no machine is known: a adds one")
	k := keys
	return []views.Action{
		{Action: k.Open.In("Look").InFooter().Off(open == "", open), Run: func() tea.Cmd { return v.open(r) }},
		{Action: k.Pull.In("Copies").InFooter().Off(pull == "", pull), Run: func() tea.Cmd { return v.pull(v.chosen()) }},
		{Action: k.PullAll.In("Copies").InFooter().Off(pullAll == "", pullAll), Run: func() tea.Cmd { return v.pull(v.copies) }},
		{Action: k.Check.In("Copies").InFooter().Off(check == "", check), Run: func() tea.Cmd { return v.check(v.chosenCopies()) }},
		{Action: k.Add.In("Machines").InFooter(), Run: func() tea.Cmd { v.add.Open(""); return nil }},
		{Action: k.Remove.In("Machines").InFooter().Off(remove == "", remove), Run: func() tea.Cmd { return v.askRemove(r) }},
		{Action: views.KeyMark.In("Machines").Off(mark == "", mark), Run: func() tea.Cmd { return v.mark(r) }},
		{Action: k.Unmark.In("Machines").Off(len(v.marked) > 0, "no machine is marked: space marks one"), Run: func() tea.Cmd { clear(v.marked); return nil }},
	}
}

// Actions implements ui.Screen.
func (v *Fleet) Actions() []ui.Action {
	if v.add.Typing() {
		return v.add.Actions("add it")
	}
	return v.ListScreen.Actions()
}

// Typing implements ui.Typer.
func (v *Fleet) Typing() bool { return v.add.Typing() || v.ListScreen.Typing() }

// Escape implements ui.Escaper.
func (v *Fleet) Escape() bool {
	if v.add.Typing() {
		v.add.Reset()
		return true
	}
	return v.ListScreen.Escape()
}

// Update implements ui.Screen.
func (v *Fleet) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		if v.add.Typing() {
			if v.add.Update(msg) == ui.Accepted {
				return v.addNamed(v.add.Value())
			}
			return nil
		}
	}
	v.add.RefuseFailed(msg, addJob)
	return v.ListScreen.Update(msg)
}

// Copy implements ui.Copier.
func (v *Fleet) Copy() string {
	r, ok := v.List.Selected()
	if !ok {
		return ""
	}
	return views.FirstNonEmpty(r.Path, r.Name)
}

// mark marks a machine, or takes its mark away, and goes on.
func (v *Fleet) mark(r *row) tea.Cmd {
	if v.marked[r.Name] {
		delete(v.marked, r.Name)
	} else {
		v.marked[r.Name] = true
	}
	v.List.Move(1)
	return nil
}

// chosen returns the marked machines, else the one under the cursor.
func (v *Fleet) chosen() (out []*row) {
	for _, r := range v.copies {
		if v.marked[r.Name] {
			out = append(out, r)
		}
	}
	if r, ok := v.List.Selected(); ok && len(out) == 0 {
		out = append(out, r)
	}
	return out
}

// chosenCopies returns those of the chosen machines of which there is a copy.
func (v *Fleet) chosenCopies() (out []*row) {
	for _, r := range v.chosen() {
		if r.Path != "" && !r.IsSource() {
			out = append(out, r)
		}
	}
	return out
}

// isOpen reports whether the database of a row is the one that is open.
func (v *Fleet) isOpen(r *row) bool {
	if r.IsSource() {
		return v.env.DB != nil && v.env.DB.Path() == r.Path
	}
	return v.env.DB != nil && v.env.Databases.Machines.Has(r.Name, v.env.DB.Path())
}

// open opens the database of a row in place of the one that is open.
func (v *Fleet) open(r *row) tea.Cmd {
	source := v.env.Databases
	db, ok := r.Database()
	question := "Open the copy of " + r.Name + "?"
	if r.IsSource() {
		question = "Open " + r.Name + " as the replica has it?"
	}
	switch {
	case !ok:
		return nil
	case v.env.DB != nil && v.env.DB.Path() == db.Path:
		return ui.Say(ui.HomeMsg{})
	}
	return ui.Say(ui.RestartMsg{Question: question, Verb: "open it", Before: func() { source.Choose(db) }})
}

// machinesMsg are the machines that are known.
type machinesMsg []views.Machine

// Load implements views.ListOwner.
func (v *Fleet) Load() tea.Cmd {
	machines := v.env.Databases.Machines
	return tea.Batch(v.loadSources(), v.env.Jobs.Read(v, "load", views.Read(func(context.Context) (machinesMsg, error) { return machines.All() })))
}

// Receive implements views.ListOwner.
func (v *Fleet) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case machinesMsg:
		v.show(m)
	case sourcesMsg:
		v.showSources(m)
	case pulledMsg:
		return tea.Batch(ui.Say(m.status()), v.Load())
	case healthMsg:
		v.takeHealth(m)
	case addedMsg:
		v.add.Reset()
		return tea.Batch(ui.Say(ui.StatusMsg{Text: "added " + string(m) + "; p fetches its copy", Kind: ui.Done}), v.Load())
	case removedMsg:
		delete(v.marked, string(m))
		return tea.Batch(ui.Say(ui.StatusMsg{Text: "removed " + string(m) + " and its copies; its database stays on that machine", Kind: ui.Done}), v.Load())
	case ui.FailedMsg:
		if m.Name == checkJob { // What was checked until then is noted.
			return v.Load()
		}
	}
	return nil
}

// show lists the machines. The cursor stays on its row, and marks of machines that are gone go too.
func (v *Fleet) show(machines []views.Machine) {
	known, unreadable := map[string]bool{}, map[string]*fleet.Health{}
	for _, r := range v.copies {
		if r.Health != nil && r.Health.Error != "" { // It isn't noted.
			unreadable[r.Path] = r.Health
		}
	}
	v.copies, v.loaded = nil, true
	for _, m := range machines {
		if m.Health == nil {
			m.Health = unreadable[m.Path]
		}
		v.copies = append(v.copies, &row{m})
		known[m.Name] = true
	}
	for name := range v.marked {
		if !known[name] {
			delete(v.marked, name)
		}
	}
	v.List.Empty = ""
	v.showRows()
}

// addJob is the name of the job that adds a machine.
const addJob = "add"

// addedMsg is the name of a machine that was added, removedMsg of one that was removed.
type addedMsg string

type removedMsg string

// addNamed adds the machine that a line names.
func (v *Fleet) addNamed(line string) tea.Cmd {
	name, place, _ := strings.Cut(strings.TrimSpace(line), " ")
	machines := v.env.Databases.Machines
	return v.env.Jobs.Start(v, addJob, views.Read(func(context.Context) (addedMsg, error) {
		if strings.TrimSpace(place) == "" {
			return "", errors.New("a name and a place are needed, such as: box me@box.example")
		}
		return addedMsg(name), machines.AddPlace(name, strings.TrimSpace(place))
	}))
}

// askRemove says what is deleted, and removes a machine after a yes.
func (v *Fleet) askRemove(r *row) tea.Cmd {
	copies, bytes := 0, int64(0)
	for _, g := range r.Generations() {
		copies, bytes = copies+1, bytes+g.Bytes
	}
	text := "There is no copy of it."
	if copies > 0 {
		text = fmt.Sprintf("%s here, %s, and what is noted of plans that were sent there are deleted.", plural.Count(copies, "copy", "copies"), ui.Size(bytes))
	}
	machines, name := v.env.Databases.Machines, r.Name
	return ui.Say(ui.AskMsg{
		Title: "Remove " + ui.Line(name) + "?", Text: text + " The database stays on that machine as it is.", Verb: "remove",
		Do: func() tea.Cmd {
			return v.env.Jobs.Start(v, "remove", views.Read(func(context.Context) (removedMsg, error) { return removedMsg(name), machines.Remove(name) }))
		},
	})
}
