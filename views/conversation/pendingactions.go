package conversation

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// pendingKeys are the screen's own keys.
var pendingKeys = struct{ Go, Unfold, Fold, UnfoldAll, FoldAll, Next, Messages, Repair ui.Action }{
	Go:        ui.Act("enter", "⏎", "go to its place"),
	Unfold:    ui.Act("right l", "→", "unfold"),
	Fold:      ui.Act("left h", "←", "fold, or go up"),
	UnfoldAll: ui.Act("*", "*", "unfold all"),
	FoldAll:   ui.Act("-", "-", "fold all"),
	Next:      ui.Act("!", "!", "next that isn't ready"),
	Messages:  ui.Act("m", "m", "its messages"),
	Repair:    ui.Act("R", "R", "repair"),
}

// pendingFaults are those of pending batches and nodes.
var pendingFaults = integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.PendingArea && !f.OnRequest })

// OwnActions implements views.ListOwner.
func (v *Pending) OwnActions() []views.Action {
	r, some := v.List.Selected()
	if !some {
		r = &pendingRow{batch: &pendingBatch{Batch: &pending.Batch{}}}
	}
	const none = "the host prepares nothing for this conversation"
	k, inTree := pendingKeys, some && !v.filtered && !v.TextFocused
	off := views.FirstNonEmpty(views.TextWhen(!some, none), views.TextWhen(v.filtered, "a filter is on: esc clears it"), views.TextWhen(v.TextFocused, views.TextHasKeys))
	show, placeless := v.place(r)
	message := r.firstMessage()
	return []views.Action{
		{Action: k.Go.In("Look").InFooter().Off(some && show != nil && !v.TextFocused, views.FirstNonEmpty(views.TextWhen(!some, none), views.TextWhen(v.TextFocused, views.TextHasKeys), placeless)), Run: show},
		{Action: k.Unfold.In("Tree").InFooter().Off(inTree && r.below, views.FirstNonEmpty(off, "nothing is below it")), Run: func() tea.Cmd { return v.unfold(r) }},
		{Action: k.Fold.In("Tree").Off(inTree && (r.open || len(r.path) > 0), views.FirstNonEmpty(off, "it stands at the top, with nothing unfolded")), Run: func() tea.Cmd { return v.fold(r) }},
		{Action: k.UnfoldAll.In("Tree").Off(inTree, off), Run: func() tea.Cmd { return v.foldAll(true) }},
		{Action: k.FoldAll.In("Tree").Off(inTree, off), Run: func() tea.Cmd { return v.foldAll(false) }},
		{Action: k.Next.In("Tree").InFooter().Off(v.unready() != nil, "every node of the active batch is ready"), Run: v.next},
		{Action: k.Messages.In("Look").InFooter().Off(message != 0, "it covers no message"), Run: func() tea.Cmd { return v.showMessage(message) }},
		{Action: k.Repair.In("Change").Off(v.Env().ReadOnly() == "", v.Env().ReadOnly()), Run: func() tea.Cmd {
			return v.Env().Repair(views.RepairPlace{Conversation: v.Hub.Row.ID, Faults: pendingFaults, FaultsName: "these pending batches"})
		}},
	}
}

// firstMessage returns the first message that a row covers, or 0.
func (r *pendingRow) firstMessage() int64 {
	if r.node != nil {
		return r.batch.firstMessage(r.node, map[string]bool{})
	}
	for _, n := range r.batch.Nodes {
		if id := r.batch.firstMessage(n, map[string]bool{}); id != 0 && r.summary == "" {
			return id
		}
	}
	return 0
}

func (b *pendingBatch) firstMessage(n *pending.Node, seen map[string]bool) int64 {
	if n == nil || seen[n.ID] {
		return 0
	}
	seen[n.ID] = true
	if len(n.Messages) > 0 {
		return n.Messages[0].Message
	}
	for _, c := range n.Children {
		if id := b.firstMessage(b.nodes[c.ChildNode], seen); id != 0 {
			return id
		}
	}
	return 0
}

// place returns what goes to the place of a row: the summary that it became, its range of the context
// while that can be trusted, else its first message; why says why there is none.
func (v *Pending) place(r *pendingRow) (show func() tea.Cmd, why string) {
	first := r.batch.First
	if r.node != nil {
		first = r.node.First
	}
	switch {
	case r.missing:
		return nil, "it is gone"
	case r.summary != "":
		return func() tea.Cmd { return showSummary(&v.Tab, r.summary) }, ""
	case r.node != nil && r.node.CanonicalSummary != "":
		return func() tea.Cmd { return showSummary(&v.Tab, r.node.CanonicalSummary) }, ""
	case r.batch.Active():
		return func() tea.Cmd { return v.showOrdinal(first) }, ""
	}
	if id := r.firstMessage(); id != 0 {
		return func() tea.Cmd { return v.showMessage(id) }, ""
	}
	return nil, "its range of the context is another one by now"
}

func (v *Pending) showOrdinal(ordinal int64) tea.Cmd {
	if c, ok := v.Hub.Tab(views.TabContext).(*Context); ok {
		c.target = views.Itoa(ordinal)
		c.goToTarget()
	}
	return v.Hub.Show(views.TabContext)
}

func (v *Pending) showMessage(id int64) tea.Cmd {
	shown := v.Hub.Show(views.TabMessages)
	if m, ok := v.Hub.Tab(views.TabMessages).(*Messages); ok {
		return tea.Batch(shown, m.jump(idPlace(v.Env().DB, v.Hub.Row.ID, id)))
	}
	return shown
}

func (v *Pending) toggle(r *pendingRow, open bool) tea.Cmd {
	v.toggled[r.key] = open != r.opensAtFirst()
	v.buildRows()
	return nil
}

func (v *Pending) unfold(r *pendingRow) tea.Cmd {
	if r.open {
		v.List.Move(1)
		return nil
	}
	return v.toggle(r, true)
}

func (v *Pending) fold(r *pendingRow) tea.Cmd {
	if r.open {
		return v.toggle(r, false)
	}
	if n := len(r.path); n > 0 {
		v.List.Select(r.path[n-1].key)
	}
	return nil
}

// foldAll unfolds or folds every batch.
func (v *Pending) foldAll(open bool) tea.Cmd {
	r, _ := v.List.Selected()
	for _, row := range v.rows(func(*pendingRow) bool { return true }) {
		v.toggled[row.key] = row.below && open != row.opensAtFirst() && (open || len(row.path) == 0)
	}
	v.buildRows()
	if r != nil && !open && len(r.path) > 0 {
		v.List.Select(r.path[0].key)
	}
	return nil
}

// unready returns the next row below the cursor whose node is not ready, in the batch on which the host
// works, or nil.
func (v *Pending) unready() *pendingRow {
	active := v.active()
	rows := v.List.Rows()
	for i := range rows {
		r := rows[(max(0, v.List.Index())+1+i)%len(rows)]
		if r.batch == active && r.node != nil && r.batch.isUnready(r.node) {
			return r
		}
	}
	return nil
}

func (b *pendingBatch) isUnready(n *pending.Node) bool {
	return !n.HasText() && n.CanonicalSummary == "" || b.verdict.Node == n.ID
}

func (v *Pending) next() tea.Cmd {
	if r := v.unready(); r != nil {
		v.List.Select(r.key)
	}
	return nil
}

// followFilter lists all rows while a filter is on, since it searches only what is listed.
func (v *Pending) followFilter() tea.Cmd {
	flat := v.List.Typing() || v.List.Filter() != ""
	if flat == v.filtered {
		return nil
	}
	v.filtered, v.Dirty = flat, true
	v.buildRows()
	return nil
}

// Escape implements ui.Escaper. Where it clears a filter, the cursor stays on what was found.
func (v *Pending) Escape() bool {
	r, some := v.List.Selected()
	filtered, had := v.filtered, v.ListScreen.Escape()
	v.followFilter()
	if some && filtered && !v.filtered {
		v.show(r.ref())
	}
	return had
}
