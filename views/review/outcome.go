package review

import (
	"fmt"
	"strings"

	"lcm-tui/internal/plural"
	"lcm-tui/ops/redo"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// outcome returns the line that says what happened to the plan.
func (r *Review) outcome() string {
	s := r.env.Styles
	switch r.state {
	case applied:
		if r.restores() {
			return s.Good.Render("restored from the trash in "+ui.Duration(r.took)) + s.Muted.Render(" · enter close")
		}
		return r.appliedLine()
	case undone:
		return r.undoneLine()
	case stale:
		return s.Bad.Render("! "+ui.Line(r.err.Error())) + s.Muted.Render(" · P plan again")
	}
	switch {
	case r.question != nil:
		return s.Warn.Render("? "+r.question.what) + s.Muted.Render(" · y yes, "+r.question.yesIs+" · esc no")
	case r.generatingNow():
		return s.Accent.Render("texts are being made") + s.Muted.Render(" · nothing is written yet · esc cancels")
	case r.stoppedBy != nil:
		return r.stoppedLine()
	}
	if r.plan.More && !r.plan.Empty() {
		return s.Warn.Render("~ part of it is an estimate") + s.Muted.Render(" · a applies the rest · x asks the model first")
	}
	if r.plan.Refused != nil && r.modelMissing() {
		return s.Warn.Render("~ it can't be applied: no model is chosen") + s.Muted.Render(" · M chooses one and plans it again")
	}
	if r.plan.Refused != nil && r.state == proposed {
		why, _, _ := strings.Cut(r.plan.Refused.Error(), ";")
		return s.Warn.Render("~ it can't be applied: "+ui.Line(why)) + s.Muted.Render(" · the notes (4) say more")
	}
	if r.runnable() && r.calls > 0 && r.plan.Estimate() {
		return s.Warn.Render("~ no text was made") + s.Muted.Render(" · "+plural.Count(r.calls, "call was", "calls were")+" made and nothing is written · x asks again")
	}
	if r.runnable() {
		return s.Warn.Render("~ an estimate") + s.Muted.Render(" · no model was called and nothing is written · x runs it")
	}
	if r.modelMissing() {
		return s.Warn.Render("~ "+findingCounts(&r.plan)) + s.Muted.Render(views.TextWhen(!r.plan.Empty(), " · a applies the rest")+" · M chooses it")
	}
	if len(r.plan.Items) > 0 {
		return s.Muted.Render("nothing is written yet · " + findingCounts(&r.plan) + r.changePlace())
	}
	return s.Muted.Render("nothing is written yet" + r.changePlace())
}

// appliedLine says as which records the plan was applied.
func (r *Review) appliedLine() string {
	s := r.env.Styles
	if r.first < r.record {
		return s.Good.Render(fmt.Sprintf("applied as #%d to #%d in %s", r.first, r.record, ui.Duration(r.took))) + s.Muted.Render(" · u undo the last · enter close")
	}
	return s.Good.Render(fmt.Sprintf("applied as #%d in %s", r.record, ui.Duration(r.took))) + s.Muted.Render(" · u undo · enter close")
}

// undoneText returns what an undo brought back. Pending batches stay stale, so that no host publishes
// them into a context that changed meanwhile.
func (r *Review) undoneText() string {
	if n := int(r.keptStale); n > 0 {
		return plural.Count(n, "pending batch stays stale, the rest is", "pending batches stay stale, the rest is") + " as it was"
	}
	return "what it changed is as it was"
}

// impact returns what the plan comes to, in one line.
func (r *Review) impact(width int) string {
	if r.question != nil {
		return r.question.takes
	}
	if r.plan.Set != nil {
		return r.setImpact(width)
	}
	i := r.plan.Impact
	updated, inserted, deleted := r.plan.Count()
	if r.plan.Estimate() && len(r.plan.Contexts) == 0 {
		return r.callsLine() + fmt.Sprintf("   about %s in, %s out", ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens))
	}
	if r.plan.Estimate() {
		if width < 100 {
			return r.contextImpact(width) + fmt.Sprintf("  calls %d of %d", r.calls, r.calls+i.ModelCalls)
		}
		return r.contextImpact(width) + "   " + r.callsLine()
	}
	if r.plan.Undoes != 0 && len(r.plan.Changes) == 0 {
		return "what comes back stands in the notes"
	}
	if r.plan.Undoes != 0 { // What it means for the context isn't counted.
		return fmt.Sprintf("rows %d back to what they were, %d back, %d away", updated, inserted, deleted)
	}
	if r.redoes() || i.ItemsBefore+i.ItemsAfter == 0 && i.ModelCalls+r.calls == 0 { // No context is part of it, or a record says nothing of one.
		return fmt.Sprintf("rows %d changed, %d inserted, %d deleted", updated, inserted, deleted)
	}
	if width < 100 {
		return r.contextImpact(width) + fmt.Sprintf("  rows ~%d +%d −%d  calls %d", updated, inserted, deleted, r.calls)
	}
	return r.contextImpact(width) + fmt.Sprintf("   %s   rows %d changed, %d inserted, %d deleted", r.callsLine(), updated, inserted, deleted)
}

// redoes reports whether the plan redoes what was undone.
func (r *Review) redoes() bool {
	_, ok := r.op.(*redo.Op)
	return ok
}

// contextImpact returns how the plan changes the items and the tokens of contexts, in fewer words
// where the line is short.
func (r *Review) contextImpact(width int) string {
	i := r.plan.Impact
	words := "context items %s → %s   tokens %s → %s (%s)"
	if width < 100 {
		words = "items %s → %s  tokens %s → %s (%s)"
	}
	return fmt.Sprintf(words, ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
		ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore))
}

// callsLine returns how many calls of a model were made, and how many it would take.
func (r *Review) callsLine() string {
	if r.generatingNow() {
		return fmt.Sprintf("model calls %d", r.calls+r.items.Cost().Calls)
	}
	line := fmt.Sprintf("model calls %d", r.calls)
	if open := r.plan.Impact.ModelCalls; (r.plan.More || r.plan.Estimate()) && open > 0 && r.state == proposed {
		return line + fmt.Sprintf(", %d to be made", open)
	}
	return line
}

// undoneLine says that the record is undone, and what can follow: a set is planned again.
func (r *Review) undoneLine() string {
	next := " · U redo · enter close"
	if r.writesSet() {
		next = " · P plan again · enter close"
	}
	return r.env.Styles.Good.Render(fmt.Sprintf("#%d is undone: %s", r.record, r.undoneText())) + r.env.Styles.Muted.Render(next)
}
