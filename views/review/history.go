package review

import (
	"context"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/trash"
	"lcm-tui/ops/undo"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// History is what this program has written to the file, and the way to take it
// back.
type History struct {
	views.ListScreen[*ops.ImportRun, *changes]
	env    *views.Env
	states int // The cells of the longest state.
}

// changes is what a record changed.
type changes []change.Change

var _ ui.Screen = (*History)(nil)

// NewHistory returns the screen of the file's records.
func NewHistory(env *views.Env) *History {
	h := &History{env: env}
	id := func(r *ops.ImportRun) string { return views.Itoa(r.ID) }
	list := ui.NewList(env.Styles, id, h.render, func(r *ops.ImportRun) string { return r.Op + " " + r.Title() })
	h.ListScreen = views.NewListScreen(h, env, 0.5, list, id, h.describe)
	h.ReadDetailOf, h.MaxDetails = h.changes, 1
	return h
}

// Title implements ui.Screen.
func (h *History) Title() string { return "History" }

// Purpose implements ui.Screen.
func (h *History) Purpose() string {
	return "Everything that lcm-tui wrote to this file, newest first; each entry can be undone, and what is undone redone, after a look at what that changes and while the rows are as it left them."
}

var (
	keyUndo = ui.Act("u", "u", "undo")
	keyRedo = ui.Act("U", "U", "redo")
	// keyRecordTrash shows the file of the trash that a record made.
	keyRecordTrash = ui.Act("t", "t", "its trash")
	// keyCompareRecord compares what the file was before a record with what it is now.
	keyCompareRecord = ui.Act("x", "x", "what changed since before it")
)

// OwnActions implements views.ListOwner.
func (h *History) OwnActions() []views.Action {
	r, some := h.List.Selected()
	noUndo, noRedo := h.whyNot(r, some)
	return []views.Action{
		h.ReadAction("nothing was written yet"),
		{Action: keyUndo.In("Change").InFooter().Off(noUndo == "", noUndo), Run: func() tea.Cmd {
			return h.env.Plan(h, &undo.Op{Record: r.ID, Check: sessionkey.UndoCheck(h.env.Locations)})
		}},
		{Action: keyRedo.In("Change").InFooter().Off(noRedo == "", noRedo), Run: func() tea.Cmd { return h.env.Plan(h, &redo.Op{Record: r.ID}) }},
		h.trashAction(r, some),
		{Action: keyCompareRecord.In("Look").InFooter().Off(some, "nothing was written yet"), Run: func() tea.Cmd { return ui.Say(ui.PushMsg{Screen: h.env.Screens.RecordDiff(h.env, &r.Record)}) }},
	}
}

// trashAction shows what a prune removed.
func (h *History) trashAction(r *ops.ImportRun, some bool) views.Action {
	var receipt change.Receipt
	kept := false
	if some {
		receipt, kept = change.ReceiptOf(r.Record)
	}
	return views.Action{Action: keyRecordTrash.In("Look").Off(kept, "nothing of it is in the trash"), Run: func() tea.Cmd {
		return ui.Say(ui.PushMsg{Screen: h.env.Screens.Trash(h.env, filepath.Base(receipt.Path))})
	}}
}

// whyNot says why a record can't be undone, and why it can't be redone, each empty where
// it can.
func (h *History) whyNot(r *ops.ImportRun, some bool) (noUndo, noRedo string) {
	switch why := h.env.ReadOnly(); {
	case why != "":
		return why, why
	case !some:
		return "there is nothing to undo", "there is nothing to redo"
	case r.RestoredOver != "":
		return "a backup was restored over it", "a backup was restored over it"
	case r.RedoneBy != 0:
		return "it is undone already", "it was redone as #" + views.Itoa(r.RedoneBy)
	case r.Undone():
		return "it is undone already", redo.WhyNot(h.env.DB, r.Record)
	case r.Op == change.OpSecrets:
		return "it replaced secrets, and keeps no copy of them", "it isn't undone"
	case r.Op == trash.RestoreOp:
		return "what was restored from the trash can only be removed by pruning it again", "it isn't undone"
	}
	return "", "it isn't undone"
}

// mostEarlier is how many of the imports before the newest one of a line are listed.
const mostEarlier = 20

// leastStates is how many cells the column of states has at least.
const leastStates = 12

type recordsMsg []change.Record

// Load implements views.ListOwner.
func (h *History) Load() tea.Cmd {
	db := h.env.DB
	return h.env.Jobs.Read(h, "load", views.Read(func(ctx context.Context) (recordsMsg, error) { return change.History(ctx, db) }))
}

// Receive implements views.ListOwner.
func (h *History) Receive(msg tea.Msg) tea.Cmd {
	if records, ok := msg.(recordsMsg); ok {
		h.List.Empty = "nothing was written by lcm-tui yet; what is applied from a review appears here"
		runs := views.PointersTo(ops.JoinImports(records))
		h.states = leastStates
		for _, r := range runs {
			h.states = max(h.states, len(r.State()))
		}
		h.List.SetItems(runs)
	}
	return nil
}

// changes reads what a record changed.
func (h *History) changes(r *ops.ImportRun) views.DetailReader[*changes] {
	db := h.env.DB
	return func(ctx context.Context) (*changes, error) {
		_, cs, err := change.RecordChanges(ctx, db, r.ID)
		return (*changes)(&cs), err
	}
}

func (h *History) render(r *ops.ImportRun, width int, _ bool) string {
	s := h.env.Styles
	state := s.Good
	switch {
	case r.Unfinished:
		state = s.Warn
	case r.Undone():
		state = s.Muted
	}
	return ui.Cut(ui.PadLeft("#"+views.Itoa(r.ID), 5)+" "+state.Render(ui.Pad(r.State(), h.states))+" "+ui.PadLeft(views.Ago(r.AppliedAt.Time, h.env.Now()), 8)+"  "+ui.Line(h.env.WithNames(r.Title())), width)
}

// describe returns a record in words, and its rows.
func (h *History) describe(r *ops.ImportRun, cs *changes, _ int) string {
	s := h.env.Styles
	var b strings.Builder
	b.WriteString(s.Title.Render("#"+views.Itoa(r.ID)+" "+ui.Line(r.Op)) + "\n" + ui.Line(h.env.WithNames(r.Record.Title)) + "\n\n")
	b.WriteString(s.Muted.Render("applied ") + ui.Timestamp(r.AppliedAt.Time) + "\n")
	switch {
	case r.RestoredOver != "":
		b.WriteString(s.Muted.Render("gone    ") + ui.Timestamp(r.UndoneAt.Time) + ", when " + ui.Line(views.ShortenHome(r.RestoredOver)) + " was restored\n")
	case r.Undone():
		b.WriteString(s.Muted.Render("undone  ") + ui.Timestamp(r.UndoneAt.Time) + "\n")
	}
	switch {
	case r.HalfUndone():
		b.WriteString(s.Warn.Render("~ ") + "some of its changes are undone and the rest is in place: undo it again\n")
	case r.Unfinished:
		b.WriteString(s.Warn.Render("~ ") + "some of its changes are in place and the rest is missing: undo it, then plan it again\n")
	case r.RedoneBy != 0:
		b.WriteString(s.Muted.Render("redone  ") + "as #" + views.Itoa(r.RedoneBy) + "\n")
	}
	for _, note := range ops.RecordNotes(r.Record) {
		b.WriteString(s.Muted.Render("also    ") + note + "\n")
	}
	for i, earlier := range r.Earlier {
		if i == mostEarlier {
			b.WriteString(s.Muted.Render("        ") + "and " + plural.Count(len(r.Earlier)-i, "import", "imports") + " before\n")
			break
		}
		b.WriteString(s.Muted.Render(views.TextWhen(i == 0, "earlier ")+views.TextWhen(i > 0, "        ")) + "#" + views.Itoa(earlier.ID) + " " + ui.Line(h.env.WithNames(earlier.Title)) + "\n")
	}
	if cs != nil && len(*cs) > 0 { // What is replaced by rule, or stands in the trash, has none.
		b.WriteString("\n" + changeLines(s, *cs) + "\n" + s.Muted.Render("row by row") + "\n" + rowLines(s, *cs))
	}
	return b.String()
}
