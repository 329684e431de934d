package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/integrity"
	"lcm-tui/engine/pending"
	"lcm-tui/ui"
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

func (v *Pending) OwnActions() []Action {
	r, some := v.list.Selected()
	if !some {
		r = &pendingRow{batch: &pendingBatch{Batch: &pending.Batch{}}}
	}
	const none = "the host prepares nothing for this conversation"
	k, inTree := pendingKeys, some && !v.filtered && !v.textFocused
	off := firstNonEmpty(textWhen(!some, none), textWhen(v.filtered, "a filter is on: esc clears it"), textWhen(v.textFocused, textHasKeys))
	show, placeless := v.place(r)
	message := r.firstMessage()
	return []Action{
		{k.Go.In("Look").InFooter().Off(some && show != nil && !v.textFocused, firstNonEmpty(textWhen(!some, none), textWhen(v.textFocused, textHasKeys), placeless)), show},
		{k.Unfold.In("Tree").InFooter().Off(inTree && r.below, firstNonEmpty(off, "nothing is below it")), func() tea.Cmd { return v.unfold(r) }},
		{k.Fold.In("Tree").Off(inTree && (r.open || len(r.path) > 0), firstNonEmpty(off, "it stands at the top, with nothing unfolded")), func() tea.Cmd { return v.fold(r) }},
		{k.UnfoldAll.In("Tree").Off(inTree, off), func() tea.Cmd { return v.foldAll(true) }},
		{k.FoldAll.In("Tree").Off(inTree, off), func() tea.Cmd { return v.foldAll(false) }},
		{k.Next.In("Tree").InFooter().Off(v.unready() != nil, "every node of the active batch is ready"), v.next},
		{k.Messages.In("Look").InFooter().Off(message != 0, "it covers no message"), func() tea.Cmd { return v.showMessage(message) }},
		{k.Repair.In("Change").Off(v.env().readOnly() == "", v.env().readOnly()), func() tea.Cmd {
			return v.env().repair(repairPlace{conversation: v.hub.row.ID, faults: pendingFaults, faultsName: "these pending batches"})
		}},
	}
}

// firstMessage is the first message that a row covers, or 0.
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

// place is what goes to the place of a row: the summary that it became, its range of the context
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
		return func() tea.Cmd { return v.showSummary(r.summary) }, ""
	case r.node != nil && r.node.CanonicalSummary != "":
		return func() tea.Cmd { return v.showSummary(r.node.CanonicalSummary) }, ""
	case r.batch.Active():
		return func() tea.Cmd { return v.showOrdinal(first) }, ""
	}
	if id := r.firstMessage(); id != 0 {
		return func() tea.Cmd { return v.showMessage(id) }, ""
	}
	return nil, "its range of the context is another one by now"
}

func (v *Pending) showOrdinal(ordinal int64) tea.Cmd {
	if c, ok := v.hub.Tab(tabContext).(*Context); ok {
		c.target = itoa(ordinal)
		c.goToTarget()
	}
	return v.hub.show(tabContext)
}

func (v *Pending) showMessage(id int64) tea.Cmd {
	shown := v.hub.show(tabMessages)
	if m, ok := v.hub.Tab(tabMessages).(*Messages); ok {
		return tea.Batch(shown, m.jumpToID(id))
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
		v.list.Move(1)
		return nil
	}
	return v.toggle(r, true)
}

func (v *Pending) fold(r *pendingRow) tea.Cmd {
	if r.open {
		return v.toggle(r, false)
	}
	if n := len(r.path); n > 0 {
		v.list.Select(r.path[n-1].key)
	}
	return nil
}

// foldAll unfolds or folds every batch.
func (v *Pending) foldAll(open bool) tea.Cmd {
	r, _ := v.list.Selected()
	for _, row := range v.rows(func(*pendingRow) bool { return true }) {
		v.toggled[row.key] = row.below && open != row.opensAtFirst() && (open || len(row.path) == 0)
	}
	v.buildRows()
	if r != nil && !open && len(r.path) > 0 {
		v.list.Select(r.path[0].key)
	}
	return nil
}

// unready is the next row below the cursor whose node is not ready, in the batch on which the host
// works, or nil.
func (v *Pending) unready() *pendingRow {
	active := v.active()
	rows := v.list.Rows()
	for i := range rows {
		r := rows[(max(0, v.list.Index())+1+i)%len(rows)]
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
		v.list.Select(r.key)
	}
	return nil
}

// followFilter lists all rows while a filter is on, since it searches only what is listed.
func (v *Pending) followFilter() tea.Cmd {
	flat := v.list.Typing() || v.list.Filter() != ""
	if flat == v.filtered {
		return nil
	}
	v.filtered, v.dirty = flat, true
	v.buildRows()
	return nil
}

// Escape implements ui.Escaper. Where it clears a filter, the cursor stays on what was found.
func (v *Pending) Escape() bool {
	r, some := v.list.Selected()
	filtered, had := v.filtered, v.ListScreen.Escape()
	v.followFilter()
	if some && filtered && !v.filtered {
		v.show(r.ref())
	}
	return had
}
