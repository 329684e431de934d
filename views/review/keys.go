package review

import (
	"fmt"

	"charm.land/bubbles/v2/key"
	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

var (
	keyApply        = ui.Act("a", "a", "apply").OnSight()
	keyLeave        = ui.Act("esc", "esc", "leave").Named("back").WithEach()
	keyClose        = ui.Act("enter", "⏎", "close")
	keyPlanAgain    = ui.Act("ctrl+r", "ctrl+r", "plan again")
	keyRun          = ui.Act("ctrl+x", "ctrl+x", "run").OnSight()
	keySkip         = ui.Act("s", "s", "skip this text")
	keyUnskip       = ui.Act("s", "s", "don't skip it").Named(keySkip.ID())
	keyCandidate    = ui.Act("r", "r", "another candidate")
	keyRetry        = ui.Act("r", "r", "try again")
	keyCandidates   = ui.Act("c", "c", "compare candidates")
	keyEdit         = ui.Act("e", "e", "edit the text")
	keyNextPage     = ui.Act("tab", "tab", "next page")
	keyNextChange   = ui.Act("n", "n", "next change")
	keyPrevChange   = ui.Act("N", "N", "previous change")
	keyNextText     = ui.Act("n", "n", "next text")
	keyPreviousText = ui.Act("N", "N", "previous text")
	keyPatch        = ui.Act("Y", "Y", "copy texts as patch")
)

var pageKeys = [reviewPages]ui.Action{
	ui.Act("1", "1", "context").Named("page-context"), ui.Act("2", "2", "text").Named("page-text"), ui.Act("3", "3", "rows").Named("page-rows"),
	ui.Act("4", "4", "notes").Named("page-notes"), ui.Act("5", "5", "findings").Named("page-findings"),
}

// actions returns the review's own keys. Leaving is the shell's.
func (r *Review) actions() []views.Action {
	ro, busy := r.env.ReadOnly(), r.proposal.whyBusy()
	patchReason := views.TextWhen(len(r.proposal.plan.Texts) == 0, "no text changes")
	out := []views.Action{
		r.runAction(busy),
		{Action: keyApply.In("Change").InFooter().Off(r.proposal.applicable() && ro == "" && busy == "", views.FirstNonEmpty(ro, busy, r.proposal.whyNotApplicable())), Run: r.askToApply},
		r.modelAction(busy),
		{Action: keyUndo.In("Change").InFooter().Off(r.proposal.state == applied && !r.proposal.restores(), r.proposal.whyNoUndo()), Run: r.proposal.undo},
		{Action: keyRedo.In("Change").InFooter().Off(r.proposal.state == undone && r.proposal.undone.noRedo == "", views.FirstNonEmpty(r.proposal.undone.noRedo, "nothing was undone here")), Run: r.proposal.redo},
		{Action: keyLeave.In("Look").InFooter().Off(r.proposal.state != applied, "it is applied: enter closes"), Run: nil},
		{Action: keyClose.In("Look").InFooter().Off(r.proposal.isWritten(), "enter never applies; a does"), Run: func() tea.Cmd { return ui.Say(ui.PopMsg{Screen: r}) }},
	}
	if r.page != pageFindings {
		out = append(out, r.texts.decisions(r.page == pageText)...)
	}
	out = append(out, r.present().actions()...)
	out = append(out, r.uncoveredActions(busy)...)
	out = append(out,
		views.Action{Action: keyNextPage.In("Look").InFooter(), Run: func() tea.Cmd { return r.turn((r.page + 1) % r.pageCount()) }},
		views.Action{Action: r.viewKey().In("Look").InFooter().Off(r.page == pageContext || r.page == pageText, "this page has one view"), Run: r.nextView},
		views.Action{Action: keyPlanAgain.In("Change").InFooter().Off(r.proposal.state != applied && busy == "", views.FirstNonEmpty(busy, "undo first")), Run: r.planner.planAgain},
		views.Action{Action: keyPatch.In("Look").Off(patchReason == "", patchReason), Run: r.copyPatch},
		r.savePlanAction(busy),
	)
	for i, a := range pageKeys {
		out = append(out, views.Action{Action: a.In("Pages").Off(i < r.pageCount(), "the plan lists no findings"), Run: func() tea.Cmd { return r.turn(i) }})
	}
	return out
}

// runAction returns the action of x: it asks the model for what was estimated, or again for the
// texts that failed.
func (r *Review) runAction(busy string) views.Action {
	if n := r.proposal.failed(); n > 0 && !r.proposal.runnable() && r.proposal.state == proposed {
		again := ui.Act("ctrl+x", "ctrl+x", fmt.Sprintf("try the %d failed again", n)).Named("try-the-failed-again").OnSight()
		return views.Action{Action: again.In("Change").InFooter().Off(busy == "", busy), Run: func() tea.Cmd {
			return r.planner.propose(fmt.Sprintf("ask again for %s that failed", plural.Count(n, "text", "texts")), r.proposal.op)
		}}
	}
	return views.Action{Action: keyRun.In("Change").InFooter().Off(r.proposal.runnable() && busy == "", views.FirstNonEmpty(busy, "this is no estimate")), Run: r.planner.run}
}

// modelAction returns the action of M: it chooses the model, with which the review plans again.
func (r *Review) modelAction(busy string) views.Action {
	a := r.env.ChooseModelAction()
	_, asks := withModel(r.proposal.op, views.Summarizer{})
	why := views.FirstNonEmpty(a.Why, busy, views.TextWhen(!asks, "no model is asked for this"), views.TextWhen(r.proposal.isWritten(), "it is applied"))
	a.Action = a.Off(why == "", why)
	a.Footer = r.proposal.modelMissing() || r.proposal.runnable()
	return a
}

// Actions implements ui.Screen.
func (r *Review) Actions() (out []ui.Action) {
	for _, a := range r.actions() {
		out = append(out, a.Action)
	}
	return append(append(out, r.present().moveKeys()...), r.question.actions()...)
}

// press takes a key: the answer to a question, what is typed, or a key of its own.
func (r *Review) press(msg tea.KeyPressMsg) tea.Cmd {
	switch {
	case r.question != nil:
		return r.answer(msg)
	case r.present().Typing():
		return r.present().update(msg)
	}
	for _, a := range r.actions() {
		if a.Run != nil && key.Matches(msg, a.Key) {
			return a.Run()
		}
	}
	if key.Matches(msg, keyClose.Key) {
		return ui.Say(ui.StatusMsg{Text: "enter never applies: press a to apply, esc to leave"})
	}
	return r.present().update(msg)
}
