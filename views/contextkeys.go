package views

import (
	tea "charm.land/bubbletea/v2"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ui"
)

// contextKeys are the screen's own keys.
var contextKeys = struct {
	Open, Dissolve, Compact, Repair, Less, More, LessTail, MoreTail, Reset, Damaged, Tail, Sent ui.Action
}{
	Open:     ui.Act("enter", "⏎", "go to it"),
	Dissolve: ui.Act("d", "d", "dissolve"),
	Compact:  ui.Act("C", "C", "compact"),
	Repair:   ui.Act("R", "R", "repair"),
	Less:     ui.Act("<", "<", "less budget"),
	More:     ui.Act(">", ">", "more budget"),
	LessTail: ui.Act("{", "{", "shorter fresh tail"),
	MoreTail: ui.Act("}", "}", "longer fresh tail"),
	Reset:    ui.Act("=", "=", "end what if"),
	Damaged:  ui.Act("!", "!", "next damaged"),
	Tail:     ui.Act("t", "t", "fresh tail"),
	Sent:     ui.Act("P", "P", "as the model gets it"),
}

// contextFaults are those that concern what the model is shown.
var contextFaults = integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.ContextArea && !f.OnRequest })

const (
	budgetStep = 8_000
	tailStep   = 8
)

func (v *Context) actions() []action {
	r, some := v.list.Selected()
	if !some {
		r = &contextRow{}
	}
	const none, gone = "the context is empty", "what it names is gone"
	k := contextKeys
	return []action{
		{k.Open.In("Look").InFooter().Off(some && !r.Missing, first(when(some, gone), none)), func() tea.Cmd { return v.jump(r) }},
		{k.Dissolve.In("Change").InFooter().Off(v.whyNot(r) == "", v.whyNot(r)), func() tea.Cmd { return v.dissolve(r) }},
		{k.Compact.In("Change").InFooter().Off(some && v.env().summarizerMissing() == "", first(v.env().summarizerMissing(), none)), func() tea.Cmd {
			return v.env().compact(v, v.hub.row, v.budget, v.supposedTail())
		}},
		{k.Repair.In("Change").Off(v.env().readOnly() == "", v.env().readOnly()), func() tea.Cmd {
			return v.env().repair(v, v.hub.row.ID, contextFaults)
		}},
		{k.Less.In("what if").InFooter().Off(v.budget > budgetStep, "the budget can't be smaller"), func() tea.Cmd { return v.whatIf(-budgetStep, 0) }},
		{k.More.In("what if").InFooter(), func() tea.Cmd { return v.whatIf(budgetStep, 0) }},
		{k.LessTail.In("what if").Off(v.fresh > 0, "nothing is protected"), func() tea.Cmd { return v.whatIf(0, -tailStep) }},
		{k.MoreTail.In("what if"), func() tea.Cmd { return v.whatIf(0, tailStep) }},
		{k.Reset.In("what if").InFooter().Off(v.supposed(), "nothing is supposed"), v.reset},
		{k.Sent.In("Look").Off(some, none), v.sent},
		{k.Tail.In("Look").Off(some, none), v.toTail},
		{keyRollout.In("Look"), func() tea.Cmd { return v.env().rollout(v.hub.row) }},
		{k.Damaged.In("Look").Off(v.damage(), "no damaged item is known here"), v.nextDamaged},
	}
}

// whyNot says why an item can't be dissolved, or is empty.
func (v *Context) whyNot(r *contextRow) string {
	switch {
	case r.key == "":
		return "the context is empty"
	case v.env().readOnly() != "":
		return v.env().readOnly()
	case r.Missing:
		return "what it names is gone"
	case !r.IsSummary():
		return "it is a message; only a summary of summaries can be dissolved"
	case r.Kind != data.KindCondensed:
		return "it was made of messages; only a summary of summaries can be dissolved"
	}
	return ""
}

func (v *Context) supposed() bool {
	return v.budget != v.hub.budget || v.fresh != v.usual.Count
}

// supposedTail is the fresh tail that compaction leaves alone: as on the screen.
func (v *Context) supposedTail() int {
	if v.fresh == v.usual.Count {
		return asConfigured
	}
	return v.fresh
}

func (v *Context) whatIf(budget int64, fresh int) tea.Cmd {
	v.budget = max(1, v.budget+budget)
	v.fresh = max(0, v.fresh+fresh)
	v.set()
	return nil
}

func (v *Context) reset() tea.Cmd {
	v.budget, v.fresh = v.hub.budget, v.usual.Count
	v.set()
	return nil
}

// jump goes to the summary or the message of an item.
func (v *Context) jump(r *contextRow) tea.Cmd {
	if !r.IsSummary() {
		return v.jumpTo(r.Seq)
	}
	if s, ok := v.hub.Tab(tabSummaries).(*Summaries); ok {
		s.show(r.Summary)
	}
	return v.hub.show(tabSummaries)
}

func (v *Context) dissolve(r *contextRow) tea.Cmd {
	return v.env().plan(v, &dissolve.Op{Conversation: v.hub.row.ID, Summary: r.Summary, Budget: v.hub.budget})
}

// sent shows what the model gets under the budget and the tail that are supposed.
func (v *Context) sent() tea.Cmd {
	return ui.Say(ui.PushMsg{Screen: newAssembled(v.env(), v.hub.row.ID, v.budget, v.wouldKeep())})
}

// toTail goes to the first item of the fresh tail.
func (v *Context) toTail() tea.Cmd {
	for _, r := range v.list.Items() {
		if r.tail {
			v.list.Select(r.key)
			return nil
		}
	}
	return ui.Say(ui.StatusMsg{Text: "nothing is in the fresh tail"})
}

func (v *Context) broken(r *contextRow) bool {
	return r.Missing || v.marks[r.Summary] != summarize.None
}

func (v *Context) damage() bool {
	for _, r := range v.list.Items() {
		if v.broken(r) {
			return true
		}
	}
	return false
}

// nextDamaged goes to the next item that is missing or carries a marker.
func (v *Context) nextDamaged() tea.Cmd {
	rows, at := v.list.Items(), 0
	if r, ok := v.list.Selected(); ok {
		at = r.index
	}
	for i := range rows {
		if r := rows[(at+1+i)%len(rows)]; v.broken(r) {
			v.list.Escape()
			v.list.Select(r.key)
			return nil
		}
	}
	return nil
}
