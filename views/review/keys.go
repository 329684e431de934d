package review

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/trash"
	"lcm-tui/ui"
	"lcm-tui/views"
)

var (
	keyApply        = ui.Act("a", "a", "apply")
	keyLeave        = ui.Act("esc", "esc", "leave")
	keyClose        = ui.Act("enter", "⏎", "close")
	keyPlanAgain    = ui.Act("P", "P", "plan again")
	keyRun          = ui.Act("x", "x", "run")
	keySkip         = ui.Act("s", "s", "skip this text")
	keyUnskip       = ui.Act("s", "s", "don't skip it")
	keyCandidate    = ui.Act("r", "r", "another candidate")
	keyRetry        = ui.Act("r", "r", "try again")
	keyEdit         = ui.Act("e", "e", "edit the text")
	keyNextPage     = ui.Act("tab", "tab", "next page")
	keyNextChange   = ui.Act("n", "n", "next change")
	keyPrevChange   = ui.Act("N", "N", "previous change")
	keyNextText     = ui.Act("n", "n", "next text")
	keyPreviousText = ui.Act("N", "N", "previous text")
	keyPatch        = ui.Act("Y", "Y", "copy texts as patch")
)

var pageKeys = [reviewPages]ui.Action{
	ui.Act("1", "1", "context"), ui.Act("2", "2", "text"), ui.Act("3", "3", "rows"), ui.Act("4", "4", "notes"), ui.Act("5", "5", "findings"),
}

// actions returns the review's own keys. Leaving is the shell's.
func (r *Review) actions() []views.Action {
	ro, busy := r.env.ReadOnly(), ""
	if r.generatingNow() {
		busy = "texts are being made: esc cancels"
	}
	patchReason := views.TextWhen(len(r.plan.Texts) == 0, "no text changes")
	out := []views.Action{
		r.runAction(busy),
		{Action: keyApply.In("Change").InFooter().Off(r.applicable() && ro == "" && busy == "", views.FirstNonEmpty(ro, busy, r.whyNotApplicable())), Run: r.askToApply},
		r.modelAction(busy),
		{Action: keyUndo.In("Change").InFooter().Off(r.state == applied && !r.restores(), r.whyNoUndo()), Run: r.undo},
		{Action: keyRedo.In("Change").InFooter().Off(r.state == undone && !r.writesSet(), views.WhyNoRedo(r.writesSet())), Run: r.redo},
		{Action: keyLeave.In("Look").InFooter().Off(r.state != applied, "it is applied: enter closes"), Run: nil},
		{Action: keyClose.In("Look").InFooter().Off(r.state == applied || r.state == undone, "enter never applies; a does"), Run: r.close},
	}
	if r.onFindings() {
		out = append(out, r.findingActions()...)
	} else {
		out = append(out, r.textActions()...)
	}
	out = append(out,
		views.Action{Action: keyNextPage.In("Look").InFooter(), Run: func() tea.Cmd { return r.turn((r.page + 1) % r.pageCount()) }},
		views.Action{Action: r.viewKey().In("Look").InFooter().Off(r.viewed(), "this page has one view"), Run: r.nextView},
		views.Action{Action: keyPlanAgain.In("Change").InFooter().Off(r.state != applied && busy == "", views.FirstNonEmpty(busy, "undo first")), Run: r.planAgain},
		views.Action{Action: keyPatch.In("Look").Off(patchReason == "", patchReason), Run: r.copyPatch},
		r.savePlanAction(busy),
	)
	for i, a := range pageKeys {
		out = append(out, views.Action{Action: a.In("Pages").Off(i < r.pageCount(), "the plan lists no findings"), Run: func() tea.Cmd { return r.turn(i) }})
	}
	return out
}

// restores reports whether the plan puts rows back from the trash, which has no undo.
func (r *Review) restores() bool { return r.plan.Op == trash.RestoreOp }

// whyNoUndo says why nothing can be undone here.
func (r *Review) whyNoUndo() string {
	if r.restores() {
		return "what was restored from the trash can only be removed by pruning it again"
	}
	return "nothing was applied here"
}

// textActions returns the keys that decide on texts and go from change to change.
func (r *Review) textActions() []views.Action {
	reason := r.whyNotDecidable()
	skip, candidate := r.textKeys()
	searching := views.TextWhen(r.pager().Searched(), "n and N go from match to match: esc ends the search")
	next, previous := r.changeKeys()
	return []views.Action{
		{Action: skip.In("Change").InFooter().Off(reason == "", reason), Run: r.skip},
		{Action: candidate.In("Change").InFooter().Off(reason == "", reason), Run: r.nextCandidate},
		{Action: keyEdit.In("Change").InFooter().Off(r.whyNotEditable() == "", r.whyNotEditable()), Run: r.edit},
		{Action: next.In("Look").InFooter().Off(searching == "", searching), Run: func() tea.Cmd { return r.nextChange(1) }},
		{Action: previous.In("Look").Off(searching == "", searching), Run: func() tea.Cmd { return r.nextChange(-1) }},
	}
}

// runAction returns the action of x: it asks the model for what was estimated, or again for the
// texts that failed.
func (r *Review) runAction(busy string) views.Action {
	if n := r.failed(); n > 0 && !r.runnable() && r.state == proposed {
		again := ui.Act("x", "x", fmt.Sprintf("try the %d failed again", n))
		return views.Action{Action: again.In("Change").InFooter().Off(busy == "", busy), Run: func() tea.Cmd {
			return r.propose(fmt.Sprintf("ask again for %s that failed", plural.Count(n, "text", "texts")), r.op)
		}}
	}
	return views.Action{Action: keyRun.In("Change").InFooter().Off(r.runnable() && busy == "", views.FirstNonEmpty(busy, "this is no estimate")), Run: r.run}
}

// textKeys returns the keys that skip the selected text and ask for another one, with what they
// would do to it.
func (r *Review) textKeys() (skip, candidate ui.Action) {
	e, there := r.current()
	skip, candidate = keySkip, keyCandidate
	if e.state == regenerate.StateSkipped {
		skip = keyUnskip
	}
	if there && e.text == nil {
		candidate = keyRetry
	}
	return skip, candidate
}

// changeKeys returns n and N, with what they go to on this page.
func (r *Review) changeKeys() (next, previous ui.Action) {
	if r.page == pageText && len(r.entries()) > 1 {
		return keyNextText, keyPreviousText
	}
	return keyNextChange, keyPrevChange
}

// Actions implements ui.Screen.
func (r *Review) Actions() (out []ui.Action) {
	for _, a := range r.actions() {
		out = append(out, a.Action)
	}
	if r.onFindings() {
		return append(append(out, r.findings.Actions()...), r.questionActions()...)
	}
	return append(append(out, r.pager().Actions()...), r.questionActions()...)
}

// press takes a key: the answer to a question, what is typed, or a key of its own.
func (r *Review) press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case r.question != nil:
		return r.answer(msg)
	case r.typingHere():
		return r.updatePage(msg)
	}
	for _, a := range r.actions() {
		if a.Run != nil && key.Matches(msg, a.Key) {
			return a.Run()
		}
	}
	switch {
	case key.Matches(msg, keyClose.Key):
		return ui.Say(ui.StatusMsg{Text: "enter never applies: press a to apply, esc to leave"})
	case r.page == pageText:
		return r.scrollText(msg)
	}
	return r.updatePage(msg)
}

// runnable reports whether the plan is an estimate of work that can be started.
func (r *Review) runnable() bool {
	_, ok := r.op.(ops.Generator)
	return ok && r.state == proposed && (r.plan.Estimate() || r.plan.More)
}

func (r *Review) applicable() bool {
	return r.state == proposed && !r.plan.Empty() && r.plan.Refused == nil
}

// whyNotApplicable says why nothing can be applied now.
func (r *Review) whyNotApplicable() string {
	if r.runnable() {
		return "this is an estimate: x runs it"
	}
	if r.modelMissing() && r.plan.Empty() || r.modelMissing() && r.plan.Refused != nil {
		return "no model is chosen that may write its texts: M chooses one"
	}
	if r.plan.Refused != nil {
		return r.plan.Refused.Error()
	}
	return "there is nothing to apply now"
}

// whyNotDecidable says why the selected text can't be skipped or asked for again, or is
// empty.
func (r *Review) whyNotDecidable() string {
	_, chooser := r.op.(ops.Chooser)
	_, there := r.current()
	switch {
	case r.generatingNow():
		return "texts are being made: esc cancels"
	case r.runnable() && r.plan.Estimate():
		return "no text is made yet: x runs it"
	case r.page != pageText:
		return "it is done on the page of texts: 2"
	case !chooser, !there, r.state != proposed:
		return "there is no text to decide on"
	}
	return ""
}

// whyNotEditable says why the selected text can't be changed by hand, or is empty.
func (r *Review) whyNotEditable() string {
	if why := views.FirstNonEmpty(r.whyNotDecidable(), r.env.Uneditable()); why != "" {
		return why
	}
	return ""
}

// writesSet reports whether the plan writes a set, or undoes one: what comes back stands in
// the trash then, and not among its changes.
func (r *Review) writesSet() bool {
	return r.plan.Set != nil || r.plan.Undoes != 0 && len(r.plan.Changes) == 0
}
