package compare

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/change"
	"lcm-tui/ops/diff"
	"lcm-tui/ops/diff/filepair"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// Diff is what differs between the database and another file: conversations, and unfolded their
// rows, with what differs in the row under the cursor.
type Diff struct {
	views.ListScreen[*diffLine, *diffText]
	env     *views.Env
	source  diffSource
	report  *diff.Report // Nil until the files are compared.
	note    string
	stale   bool                    // The database has changed since.
	details map[int64]*diff.Details // By conversation, those that were unfolded.
	open    map[int64]bool
}

var _ ui.Screen = (*Diff)(nil)

// NewFileDiff compares the database with another file.
func NewFileDiff(env *views.Env, path string) ui.Screen { return newDiff(env, fileSource(path, false)) }

// NewRecordDiff compares the database with what it was before a change.
func NewRecordDiff(env *views.Env, r *change.Record) ui.Screen { return newDiff(env, recordSource(r)) }

// newDiff returns the screen of the database and what it is compared with.
func newDiff(env *views.Env, source diffSource) *Diff {
	v := &Diff{env: env, source: source, details: map[int64]*diff.Details{}, open: map[int64]bool{}}
	list := ui.NewList(env.Styles, (*diffLine).id, v.row, (*diffLine).text)
	list.Empty = "comparing both files"
	v.ListScreen = views.NewListScreen(v, env, 0.5, list, (*diffLine).ref, v.describe)
	v.LayoutColumns, v.HeaderLines, v.ReadDetailOf = v.columns, v.summary, v.readText
	return v
}

// Title implements ui.Screen.
func (v *Diff) Title() string { return "Differences › " + ui.Line(v.source.name) }

// Purpose implements ui.Screen.
func (v *Diff) Purpose() string {
	if v.source.later {
		return "What differs from an earlier file, conversation by conversation: + is what only this database has, − what only the other has, ~ what differs."
	}
	return "What differs in the other file, conversation by conversation: + is what only the other has, − what only this database has, ~ what differs."
}

// diffKeys are the screen's own keys.
var diffKeys = struct{ Open, Unfold, Fold, Go, Again ui.Action }{
	Open:   ui.Act("enter", "⏎", "unfold, or read"),
	Unfold: ui.Act("right l", "→", "unfold"),
	Fold:   ui.Act("left h", "←", "fold"),
	Go:     ui.Act("g", "g", "go there"),
	Again:  ui.Act("ctrl+r", "ctrl+r", "compare again"),
}

// OwnActions implements views.ListOwner.
func (v *Diff) OwnActions() []views.Action {
	r, some := v.List.Selected()
	if !some {
		r = &diffLine{conversation: &diff.Conversation{}}
	}
	const none = "no difference is listed"
	k, isRow := diffKeys, some && !r.isConversation()
	folds := views.FirstNonEmpty(views.TextWhen(!some, none), views.TextWhen(isRow, "it is a single row"))
	why := views.FirstNonEmpty(views.TextWhen(!some, none), v.whyNotVisited(r))
	return []views.Action{
		{Action: k.Open.In("Look").InFooter().Off(some && !v.TextFocused, views.FirstNonEmpty(views.TextWhen(v.TextFocused, views.TextHasKeys), none)), Run: func() tea.Cmd { return v.enter(r) }},
		{Action: k.Unfold.In("Look").Off(folds == "", folds), Run: func() tea.Cmd { return v.fold(r, true) }},
		{Action: k.Fold.In("Look").InFooter().Off(some, none), Run: func() tea.Cmd { return v.fold(r, false) }},
		{Action: k.Go.In("Look").InFooter().Off(why == "", why), Run: func() tea.Cmd { return v.visit(r) }},
		{Action: k.Again.In("Look").InFooter(), Run: v.compare},
	}
}

// Update implements ui.Screen. What a host writes doesn't begin another comparison, which may take
// long: the screen only says that there is news.
func (v *Diff) Update(msg tea.Msg) tea.Cmd {
	if m, ok := msg.(ui.ChangedMsg); ok && v.report != nil {
		v.stale = true
		if m.External {
			return nil
		}
	}
	return v.ListScreen.Update(msg)
}

// Load compares the files for the first time, and after a change of our own.
func (v *Diff) Load() tea.Cmd {
	if v.report != nil && !v.stale {
		return nil
	}
	return v.compare()
}

// diffMsg is what differs.
type diffMsg struct {
	report *diff.Report
	note   string
}

// diffRowsMsg are the rows of a conversation that differ.
type diffRowsMsg struct {
	conversation int64
	details      *diff.Details
}

// compare compares both files.
func (v *Diff) compare() tea.Cmd {
	source, db := v.source, v.env.DB
	return v.env.Jobs.Start(v, "compare", func(ctx context.Context, report func(int, int, string)) (tea.Msg, error) {
		var m diffMsg
		err := source.compare(ctx, db, diff.Request{}, func(c *diff.Comparison, f *diffFiles) (err error) {
			m.note = f.note
			m.report, err = c.Report(ctx, report)
			return err
		})
		return m, err
	})
}

// diffLimits is how much is read of the rows of a conversation.
var diffLimits = filepair.Limits{Rows: 200, Bytes: 1 << 16}

// unfold reads the rows of a conversation.
func (v *Diff) unfold(conv *diff.Conversation) tea.Cmd {
	source, db := v.source, v.env.DB
	request := diff.Request{}
	if conv.BeforeID != nil {
		request.Before = *conv.BeforeID
	} else {
		request.After = *conv.AfterID
	}
	return v.env.Jobs.Start(v, "read rows", views.Read(func(ctx context.Context) (diffRowsMsg, error) {
		m := diffRowsMsg{conversation: conv.ID}
		err := source.compare(ctx, db, request, func(c *diff.Comparison, _ *diffFiles) (err error) {
			m.details, err = c.Details(ctx, conv, diffLimits)
			return err
		})
		return m, err
	}))
}

// Receive implements views.ListOwner.
func (v *Diff) Receive(msg tea.Msg) tea.Cmd {
	switch msg := msg.(type) {
	case diffMsg:
		v.report, v.note, v.stale = msg.report, msg.note, false
		v.List.Empty = "nothing differs: both files hold the same conversations"
		switch {
		case len(v.report.Unreadable) > 0:
			v.List.Empty = "nothing differs in what can be read; what can't be read isn't compared"
		case v.report.Rebuilt:
			v.List.Empty = "nothing differs: what was changed since is as it was"
		}
		clear(v.details)
		v.set()
		return v.unfoldOnly()
	case diffRowsMsg:
		v.details[msg.conversation] = msg.details
		v.set()
	case views.TargetMsg:
		return v.env.Arrive(msg)
	case ui.FailedMsg:
		if v.report == nil {
			v.List.Empty = "the files can't be compared"
		}
	}
	return nil
}

// unfoldOnly unfolds the conversations that are open, or the only one.
func (v *Diff) unfoldOnly() tea.Cmd {
	if len(v.report.Conversations) == 1 {
		v.open[v.report.Conversations[0].ID] = true
	}
	var cmds []tea.Cmd
	for _, c := range v.report.Conversations {
		if v.open[c.ID] {
			cmds = append(cmds, v.unfold(c))
		}
	}
	v.set()
	return tea.Batch(cmds...)
}
