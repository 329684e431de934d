package conversation

import (
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/summarize"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// contextKeys are the screen's own keys.
var contextKeys = struct {
	Open, Dissolve, Compact, Repair, Budget, Less, More, TailCount, LessTail, MoreTail, EndWhatIf, Damaged, Tail, Assembled, Pending ui.Action
}{
	Open:      ui.Act("enter", "⏎", "go to it"),
	Dissolve:  ui.Act("d", "d", "dissolve"),
	Compact:   ui.Act("C", "C", "compact"),
	Repair:    ui.Act("R", "R", "repair"),
	Budget:    ui.Act("B", "B", "what if: budget").Named("what-if-budget"),
	TailCount: ui.Act("T", "T", "what if: fresh tail").Named("what-if-fresh-tail"),
	Less:      ui.Act("<", "<", "less budget"),
	More:      ui.Act(">", ">", "more budget"),
	LessTail:  ui.Act("{", "{", "shorter fresh tail"),
	MoreTail:  ui.Act("}", "}", "longer fresh tail"),
	EndWhatIf: ui.Act("=", "=", "end what if"),
	Damaged:   ui.Act("!", "!", "next damaged"),
	Tail:      ui.Act("t", "t", "go to the fresh tail"),
	Assembled: ui.Act("v", "v", "as the model gets it"),
	Pending:   ui.Act("p", "p", "pending summaries"),
}

// contextFaults are those that concern what the model is shown.
var contextFaults = integrity.Select(func(f integrity.Fault) bool { return f.ID.Area() == integrity.ContextArea && !f.OnRequest })

// OwnActions implements views.ListOwner.
func (v *Context) OwnActions() []views.Action {
	r, some := v.List.Selected()
	if !some {
		r = &contextRow{}
	}
	const none, gone = "the context is empty", "what it names is gone"
	k := contextKeys
	whatIfEnd := k.EndWhatIf.In("What if")
	whatIfEnd.Footer = v.hasWhatIf()
	return []views.Action{
		{Action: k.Open.In("Look").InFooter().Off(some && !r.Missing, views.FirstNonEmpty(views.TextWhen(some, gone), none)), Run: func() tea.Cmd { return v.jump(r) }},
		{Action: k.Dissolve.In("Change").InFooter().Off(v.dissolveReason(r) == "", v.dissolveReason(r)), Run: func() tea.Cmd { return v.dissolve(r) }},
		{Action: k.Compact.In("Change").InFooter().Off(some && v.Env().SummarizerMissing() == "", views.FirstNonEmpty(v.Env().SummarizerMissing(), none)), Run: func() tea.Cmd {
			return v.Env().Compact("Compact", v.Hub.Row, v.budget, v.tailForCompaction())
		}},
		{Action: k.Repair.In("Change").Off(v.Env().ReadOnly() == "", v.Env().ReadOnly()), Run: func() tea.Cmd {
			return v.Env().Repair(views.RepairPlace{Conversation: v.Hub.Row.ID, Faults: contextFaults, FaultsName: "this context"})
		}},
		{Action: k.Budget.In("What if").InFooter().Off(some, none), Run: func() tea.Cmd { v.budgetIn.Open(""); return nil }},
		{Action: k.TailCount.In("What if").InFooter().Off(some, none), Run: func() tea.Cmd { v.tailIn.Open(""); return nil }},
		{Action: k.Less.In("What if").Off(v.budget > views.TokenSteps[0], "the budget can't be smaller"), Run: func() tea.Cmd { return v.whatIf(views.Stepped(views.TokenSteps, v.budget, true), v.tailCount) }},
		{Action: k.More.In("What if"), Run: func() tea.Cmd { return v.whatIf(views.Stepped(views.TokenSteps, v.budget, false), v.tailCount) }},
		{Action: k.LessTail.In("What if").Off(v.tailCount > 0, "nothing is protected"), Run: func() tea.Cmd { return v.whatIf(v.budget, steppedTail(v.tailCount, true)) }},
		{Action: k.MoreTail.In("What if"), Run: func() tea.Cmd { return v.whatIf(v.budget, steppedTail(v.tailCount, false)) }},
		{Action: whatIfEnd.Off(v.hasWhatIf(), "no what-if is on"), Run: v.endWhatIf},
		v.Env().ChooseModelAction(),
		{Action: k.Assembled.In("Look").Off(some, none), Run: v.showAssembled},
		{Action: k.Tail.In("Look").Off(some, none), Run: v.goToTail},
		{Action: k.Pending.In("Look").Off(v.Hub.TabCount() > views.TabPending, "the host of this file prepares no summaries: those of 1.0 do"), Run: func() tea.Cmd { return v.Hub.Show(views.TabPending) }},
		{Action: traceKey(r).In("Look").Off(some && !r.Missing, views.FirstNonEmpty(views.TextWhen(some, gone), none)), Run: func() tea.Cmd { return v.trace(r) }},
		{Action: views.KeyCompare.In("Look"), Run: func() tea.Cmd { return v.Env().Compare(v.Hub.Row) }},
		{Action: k.Damaged.In("Look").Off(v.hasDamage(), "no damaged item is known here"), Run: v.nextDamaged},
	}
}

// traceKey returns w with what it does on an item.
func traceKey(r *contextRow) ui.Action {
	if r.IsSummary() {
		return keyTraceSummaryText
	}
	return keyTraceMessage
}

// trace shows where a summary's sentences came from, or where a message went.
func (v *Context) trace(r *contextRow) tea.Cmd {
	if r.IsSummary() {
		return traceSummary(v.Env(), v.Hub.Row, v.budget, r.Summary)
	}
	return traceMessage(v.Env(), v.Hub.Row, v.budget, r.Message)
}

// dissolveReason says why an item can't be dissolved, or is empty.
func (v *Context) dissolveReason(r *contextRow) string {
	switch {
	case r.key == "":
		return "the context is empty"
	case v.Env().ReadOnly() != "":
		return v.Env().ReadOnly()
	case r.Missing:
		return "what it names is gone"
	case !r.IsSummary():
		return "it is a message; only a summary of summaries can be dissolved"
	case r.Kind != lcm.KindCondensed:
		return "it was made of messages; only a summary of summaries can be dissolved"
	}
	return ""
}

// hasWhatIf reports whether another budget or fresh tail than those in force is shown.
func (v *Context) hasWhatIf() bool {
	return v.budget != v.Hub.Budget || v.tailCount != v.configured.Count
}

// tailForCompaction returns the fresh tail that compaction leaves alone: as on the screen.
func (v *Context) tailForCompaction() int {
	if v.tailCount == v.configured.Count {
		return views.AsConfigured
	}
	return v.tailCount
}

// whatIf shows the context under another budget and fresh tail.
func (v *Context) whatIf(budget int64, tailCount int) tea.Cmd {
	v.budget, v.tailCount = max(1, budget), max(0, tailCount)
	v.buildRows()
	return nil
}

// endWhatIf goes back to the budget and the fresh tail in force.
func (v *Context) endWhatIf() tea.Cmd { return v.whatIf(v.Hub.Budget, v.configured.Count) }

func steppedTail(n int, down bool) int { return int(views.Stepped(views.TailSteps, int64(n), down)) }

// Typing implements ui.Typer.
func (v *Context) Typing() bool {
	return v.budgetIn.Typing() || v.tailIn.Typing() || v.ListScreen.Typing()
}

// Actions implements ui.Screen.
func (v *Context) Actions() []ui.Action {
	out := v.ListScreen.Actions()
	if v.budgetIn.Typing() || v.tailIn.Typing() {
		out = append(out, ui.Act("enter", "⏎", "show it").In(ui.Typing).InFooter(), ui.Act("esc", "esc", "leave").In(ui.Typing).InFooter())
	}
	return out
}

// Update implements ui.Screen.
func (v *Context) Update(msg tea.Msg) tea.Cmd {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
		switch {
		case v.budgetIn.Typing():
			return v.typed(v.budgetIn, views.TokenPresets, msg, func(n int64) { v.whatIf(n, v.tailCount) })
		case v.tailIn.Typing():
			return v.typed(v.tailIn, views.TailSteps, msg, func(n int64) { v.whatIf(v.budget, int(min(n, math.MaxInt32))) })
		}
	}
	return v.ListScreen.Update(msg)
}

// typed sends a key to an open input: up and down go through presets, enter takes the
// number.
func (v *Context) typed(in *ui.Input, presets []int64, msg tea.Msg, take func(int64)) tea.Cmd {
	if k, ok := msg.(tea.KeyPressMsg); ok && (k.String() == "up" || k.String() == "down") {
		n, _ := views.ParseAmount(in.Value()) // What is no number yet counts as 0.
		in.Open(views.ShortAmount(preset(presets, n, k.String() == "down")))
		return nil
	}
	if in.Update(msg) != ui.Accepted || strings.TrimSpace(in.Value()) == "" {
		return nil
	}
	n, err := views.ParseAmount(in.Value())
	if err != nil {
		in.Refuse(err.Error())
		return nil
	}
	take(n)
	return nil
}

// preset returns the preset above n, or below it if down, and goes round at the ends.
func preset(presets []int64, n int64, down bool) int64 {
	if down {
		for i := len(presets) - 1; i >= 0; i-- {
			if presets[i] < n {
				return presets[i]
			}
		}
		return presets[len(presets)-1]
	}
	for _, p := range presets {
		if p > n {
			return p
		}
	}
	return presets[0]
}

// jump goes to the summary or the message of an item.
func (v *Context) jump(r *contextRow) tea.Cmd {
	if !r.IsSummary() {
		return jumpTo(&v.Tab, r.Seq)
	}
	if s, ok := v.Hub.Tab(views.TabSummaries).(*Summaries); ok {
		s.show(r.Summary)
	}
	return v.Hub.Show(views.TabSummaries)
}

// dissolve plans to put the sources of a summary in its place.
func (v *Context) dissolve(r *contextRow) tea.Cmd {
	return v.Env().Plan(v, &dissolve.Op{Conversation: v.Hub.Row.ID, Summary: r.Summary, Budget: v.Hub.Budget})
}

// showAssembled shows what the model gets under the budget and the fresh tail of the screen.
func (v *Context) showAssembled() tea.Cmd {
	return ui.Say(ui.PushMsg{Screen: newAssembled(v.Env(), v.Hub.Row.ID, v.budget, v.whatIfTail())})
}

// goToTail goes to the first item of the fresh tail.
func (v *Context) goToTail() tea.Cmd {
	for _, r := range v.List.Items() {
		if r.tail {
			v.List.Select(r.key)
			return nil
		}
	}
	return ui.Say(ui.StatusMsg{Text: "nothing is in the fresh tail"})
}

// isDamaged reports whether an item is missing or carries a marker.
func (v *Context) isDamaged(r *contextRow) bool {
	return r.Missing || v.marks[r.Summary] != summarize.None
}

// hasDamage reports whether any item is damaged, as far as that is known.
func (v *Context) hasDamage() bool {
	for _, r := range v.List.Items() {
		if v.isDamaged(r) {
			return true
		}
	}
	return false
}

// nextDamaged goes to the next item that is missing or carries a marker.
func (v *Context) nextDamaged() tea.Cmd {
	rows, at := v.List.Items(), 0
	if r, ok := v.List.Selected(); ok {
		at = r.index
	}
	for i := range rows {
		if r := rows[(at+1+i)%len(rows)]; v.isDamaged(r) {
			v.List.Escape()
			v.List.Select(r.key)
			return nil
		}
	}
	return nil
}
