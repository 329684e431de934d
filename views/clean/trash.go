package clean

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/trash"
	"lcm-tui/ops/undo"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Trash is what prunes removed: the files of the trash and, unfolded, their conversations, and the way
// to put them back or to delete them for good.
type Trash struct {
	views.ListScreen[*trashRow, *trash.Preview]
	env     *views.Env
	files   []trash.File
	undone  map[int64]bool            // Records whose prune was put back whole.
	open    map[string]bool           // Unfolded files, by name.
	inside  map[string]*trash.Preview // What is in them, by name.
	at      string                    // The file to go to when the files are read; empty is the first.
	age     *ui.Input                 // Takes the age from which files are deleted.
	confirm *ui.Input                 // Takes the word that confirms.
	doomed  []trash.File              // What is deleted after the word.
}

var _ ui.Screen = (*Trash)(nil)

// NewTrash returns the screen of the trash. at is the name of a file to go to; empty is the newest.
func NewTrash(env *views.Env, at string) *Trash {
	v := &Trash{
		env: env, at: at, open: map[string]bool{}, inside: map[string]*trash.Preview{},
		age: ui.NewInput(env.Styles, "delete files older than:"), confirm: ui.NewInput(env.Styles, "this can't be undone; type "+emptyWord+" to go on:"),
	}
	list := ui.NewList(env.Styles, (*trashRow).id, v.render, (*trashRow).text)
	list.Empty = "reading the trash"
	v.ListScreen = views.NewListScreen(v, env, 0.6, list, (*trashRow).id, v.describe)
	v.LayoutColumns, v.ReadDetailOf, v.HeaderLines = v.columns, v.preview, v.header
	return v
}

// emptyWord is the word that confirms that files are deleted.
const emptyWord = "delete"

// Title implements ui.Screen.
func (v *Trash) Title() string { return "Trash" }

// Purpose implements ui.Screen.
func (v *Trash) Purpose() string {
	return "What was pruned from this file, the newest first. A restore puts rows back byte for byte after a review; what is deleted here is gone for good."
}

// trashKeys are the screen's own keys.
var trashKeys = struct{ Open, Unfold, Fold, Restore, Empty ui.Action }{
	Open:    ui.Act("enter", "⏎", "unfold, or read"),
	Unfold:  ui.Act("right l", "→", "unfold"),
	Fold:    ui.Act("left h", "←", "fold"),
	Restore: ui.Act("r", "r", "restore"),
	Empty:   ui.Act("d", "d", "delete old ones for good"),
}

// OwnActions implements views.ListOwner.
func (v *Trash) OwnActions() []views.Action {
	r, some := v.List.Selected()
	none := views.TextWhen(!some, "the trash is empty")
	k, restore := trashKeys, views.FirstNonEmpty(none, v.env.ReadOnly())
	if some {
		restore = views.FirstNonEmpty(restore, r.file.Problem)
	}
	return []views.Action{
		{Action: k.Open.In("Look").InFooter().Off(some && !v.TextFocused, views.FirstNonEmpty(views.TextWhen(v.TextFocused, views.TextHasKeys), none)), Run: func() tea.Cmd { return v.enter(r) }},
		{Action: k.Unfold.In("Look").Off(some, none), Run: func() tea.Cmd { return v.fold(r, true) }},
		{Action: k.Fold.In("Look").Off(some, none), Run: func() tea.Cmd { return v.fold(r, false) }},
		{Action: k.Restore.In("Change").InFooter().Off(restore == "", restore), Run: func() tea.Cmd { return v.restore(r) }},
		{Action: k.Empty.In("Change").InFooter().Off(len(v.files) > 0, "the trash is empty"), Run: func() tea.Cmd { v.age.Open("30d"); return nil }},
	}
}

// Actions implements ui.Screen.
func (v *Trash) Actions() []ui.Action {
	if v.age.Typing() || v.confirm.Typing() {
		return []ui.Action{ui.Act("enter", "⏎", "go on").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter()}
	}
	return v.ListScreen.Actions()
}

// enter unfolds or folds a file, and reads a conversation.
func (v *Trash) enter(r *trashRow) tea.Cmd {
	if r.conversation != nil {
		return v.Focus(true)
	}
	return v.fold(r, !v.open[r.file.Name])
}

// fold folds or unfolds the file of a row.
func (v *Trash) fold(r *trashRow, open bool) tea.Cmd {
	name := r.file.Name
	v.open[name] = open
	v.set()
	v.List.Select(name)
	if !open || v.inside[name] != nil {
		return nil
	}
	read := v.preview(r)
	return v.env.Jobs.Read(v, "unfold", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		p, err := read(ctx)
		return trashInsideMsg{name, p}, err
	})
}

// restore reviews the restore of a file or of one conversation. All of a file is the undo of its prune.
func (v *Trash) restore(r *trashRow) tea.Cmd {
	switch {
	case r.conversation != nil:
		return v.env.Plan(v, &undo.Restore{File: r.file, Conversations: []int64{r.conversation.ID}})
	case r.file.Record != 0 && !r.undone:
		return v.env.Plan(v, &undo.Op{Record: r.file.Record})
	}
	return v.env.Plan(v, &undo.Restore{File: r.file})
}

// Typing implements ui.Typer.
func (v *Trash) Typing() bool { return v.age.Typing() || v.confirm.Typing() || v.ListScreen.Typing() }

// Escape implements ui.Escaper.
func (v *Trash) Escape() bool {
	if v.age.Typing() || v.confirm.Typing() {
		v.age.Reset()
		v.confirm.Reset()
		return true
	}
	return v.ListScreen.Escape()
}

// Update implements ui.Screen.
func (v *Trash) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		switch {
		case v.age.Typing():
			if v.age.Update(msg) == ui.Accepted {
				return v.findExpired(strings.TrimSpace(v.age.Value()))
			}
			return nil
		case v.confirm.Typing():
			switch v.confirm.Update(msg) {
			case ui.Open:
				return nil
			case ui.Accepted:
				if strings.TrimSpace(v.confirm.Value()) != emptyWord {
					v.confirm.Refuse("type " + emptyWord + ", or esc leaves")
					return nil
				}
			}
			return v.empty(strings.TrimSpace(v.confirm.Value()))
		}
	}
	v.age.RefuseFailed(msg, "expired")
	return v.ListScreen.Update(msg)
}

// findExpired looks for the files that are older than an age; what is deleted is said before the word
// is asked for.
func (v *Trash) findExpired(age string) tea.Cmd {
	db := v.env.DB
	return v.env.Jobs.Read(v, "expired", views.Read(func(ctx context.Context) (trashExpiredMsg, error) {
		before, err := selector.ParseAge(age, db.Now())
		if err != nil {
			return nil, err
		}
		return trash.Expired(ctx, db, before)
	}))
}

// empty deletes what was found for good, if the word is the right one.
func (v *Trash) empty(word string) tea.Cmd {
	v.confirm.Reset()
	files, db := v.doomed, v.env.DB
	if word != emptyWord {
		return ui.Say(ui.StatusMsg{Text: "nothing was deleted"})
	}
	return v.env.Jobs.Start(v, "delete", func(ctx context.Context, _ func(int, int, string)) (tea.Msg, error) {
		err := trash.Empty(ctx, db, files)
		return ui.ChangedMsg{Note: plural.Count(len(files), "file of the trash was", "files of the trash were") + " deleted for good"}, err
	})
}

type (
	trashMsg struct {
		files  []trash.File
		undone map[int64]bool
	}
	trashExpiredMsg []trash.File
	trashInsideMsg  struct {
		name    string
		preview *trash.Preview
	}
)

// Load implements views.ListOwner.
func (v *Trash) Load() tea.Cmd {
	db := v.env.DB
	clear(v.inside)
	return v.env.Jobs.Read(v, "load", views.Read(func(ctx context.Context) (m trashMsg, err error) {
		if m.files, err = trash.List(ctx, db); err != nil {
			return m, err
		}
		records, err := change.History(ctx, db)
		m.undone = map[int64]bool{}
		for _, r := range records {
			m.undone[r.ID] = r.Undone()
		}
		return m, err
	}))
}

// Receive implements views.ListOwner.
func (v *Trash) Receive(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case trashMsg:
		return v.show(m)
	case trashInsideMsg:
		v.inside[m.name] = m.preview
		v.set()
	case trashExpiredMsg:
		if len(m) == 0 {
			return ui.Say(ui.StatusMsg{Text: "nothing in the trash is that old"})
		}
		v.doomed = m
		v.confirm.Open("")
	}
	return nil
}
