package review

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// outcome returns the line that says what happened to the plan: in fewer words where width cells have no room for
// more. place is the change that n went to, or empty.
func (pr *proposal) outcome(place string, width int) string {
	s := pr.env.Styles
	switch pr.state {
	case applied:
		if pr.restores() {
			return s.Good.Render("restored from the trash in "+ui.Duration(pr.took)) + s.Muted.Render(" · enter close")
		}
		return pr.appliedLine()
	case undone:
		return pr.undoneLine()
	case stale:
		return s.Bad.Render("! "+ui.Line(pr.err.Error())) + s.Muted.Render(" · ctrl+r plan again")
	}
	switch {
	case pr.generatingNow():
		return s.Accent.Render(pr.working()) + s.Muted.Render(" · nothing is written yet · esc cancels")
	case pr.stoppedBy != nil:
		return pr.stoppedLine(width)
	}
	if pr.plan.More && !pr.plan.Empty() {
		return s.Warn.Render("~ part of it is an estimate") + s.Muted.Render(" · a applies the rest · ctrl+x asks the model first")
	}
	if pr.plan.Refused != nil && pr.modelMissing() {
		return s.Warn.Render("~ it can't be applied: no model is chosen") + s.Muted.Render(" · M chooses one and plans it again")
	}
	if pr.plan.Refused != nil && pr.state == proposed {
		why, _, _ := strings.Cut(pr.plan.Refused.Error(), ";")
		return s.Warn.Render("~ it can't be applied: "+ui.Line(why)) + s.Muted.Render(" · the notes (4) say more")
	}
	if pr.runnable() && pr.calls > 0 && pr.plan.Estimate() {
		return s.Warn.Render("~ no text was made") + s.Muted.Render(" · "+plural.Count(pr.calls, "call was", "calls were")+" made and nothing is written · ctrl+x asks again")
	}
	if pr.runnable() {
		return s.Warn.Render("~ an estimate") + s.Muted.Render(" · no model was called and nothing is written · ctrl+x runs it")
	}
	if pr.modelMissing() {
		counts, rest := s.Warn.Render("~ "+views.FindingCounts(pr.plan.Items)), views.TextWhen(!pr.plan.Empty(), " · a applies the rest")
		return firstFitting(width, counts+s.Muted.Render(rest+" · M chooses it"), counts+s.Muted.Render(rest), counts)
	}
	if len(pr.plan.Items) > 0 {
		counts := views.FindingCounts(pr.plan.Items)
		return s.Muted.Render(firstFitting(width, "nothing is written yet · "+counts+place, "nothing is written yet · "+counts, counts, views.FindingWords(pr.plan.Items)))
	}
	return s.Muted.Render("nothing is written yet" + place)
}

// appliedLine says as which records the plan was applied.
func (pr *proposal) appliedLine() string {
	s := pr.env.Styles
	if pr.redone != 0 {
		return s.Good.Render(fmt.Sprintf("#%d is redone as #%d in %s", pr.redone, pr.record, ui.Duration(pr.took))) + s.Muted.Render(" · u undo · enter close")
	}
	if pr.first < pr.record {
		return s.Good.Render(fmt.Sprintf("applied as #%d to #%d in %s", pr.first, pr.record, ui.Duration(pr.took))) + s.Muted.Render(" · u undo the last · enter close")
	}
	return s.Good.Render(fmt.Sprintf("applied as #%d in %s", pr.record, ui.Duration(pr.took))) + s.Muted.Render(receiptText(&pr.plan)+" · u undo · enter close")
}

// undoneText returns what an undo brought back. Pending batches stay stale, so that no host publishes
// them into a context that changed meanwhile.
func (pr *proposal) undoneText() string {
	if n := int(pr.undone.stale); n > 0 {
		return plural.Count(n, "pending batch stays stale, the rest is", "pending batches stay stale, the rest is") + " as it was"
	}
	return "what it changed is as it was"
}

// impact returns what the plan comes to, in one line: in fewer words where the line is short, or has no room
// for more.
func (pr *proposal) impact(width int) string {
	if pr.plan.Set != nil {
		return pr.setImpact(width)
	}
	i := pr.plan.Impact
	updated, inserted, deleted := pr.plan.Count()
	if pr.plan.Estimate() && len(pr.plan.Contexts) == 0 {
		return pr.callsLine() + fmt.Sprintf("   about %s in, %s out", ui.Tokens(i.InputTokens), ui.Tokens(i.OutputTokens))
	}
	if pr.plan.Estimate() {
		long := pr.contextImpact(longImpact) + "   " + pr.callsLine()
		if fitsImpact(long, width) {
			return long
		}
		return pr.contextImpact(shortImpact) + fmt.Sprintf("  calls %d of %d", pr.calls, pr.calls+i.ModelCalls)
	}
	if pr.plan.Undoes != 0 && len(pr.plan.Changes) == 0 {
		return "what comes back stands in the notes"
	}
	if pr.plan.Undoes != 0 { // What it means for the context isn't counted.
		return fmt.Sprintf("rows %d back to what they were, %d back, %d away", updated, inserted, deleted)
	}
	if pr.redoes() || i.ItemsBefore+i.ItemsAfter == 0 && i.ModelCalls+pr.calls == 0 { // No context is part of it, or a record says nothing of one.
		return fmt.Sprintf("rows %d changed, %d inserted, %d deleted", updated, inserted, deleted)
	}
	long := pr.contextImpact(longImpact) + fmt.Sprintf("   %s   rows %d changed, %d inserted, %d deleted", pr.callsLine(), updated, inserted, deleted)
	if fitsImpact(long, width) {
		return long
	}
	return pr.contextImpact(shortImpact) + fmt.Sprintf("  rows ~%d +%d −%d  calls %d", updated, inserted, deleted, pr.calls)
}

// How a plan changes the items and the tokens of contexts, in words.
const (
	longImpact  = "context items %s → %s   tokens %s → %s (%s)"
	shortImpact = "items %s → %s  tokens %s → %s (%s)"
)

// firstFitting returns the first of texts that fits a line, or the last one.
func firstFitting(width int, texts ...string) string {
	for _, text := range texts[:len(texts)-1] {
		if ansi.StringWidth(text) <= width {
			return text
		}
	}
	return texts[len(texts)-1]
}

// fitsImpact reports whether the longer words fit a line, which begins with a blank.
func fitsImpact(text string, width int) bool { return width >= 100 && ansi.StringWidth(text) < width }

// contextImpact returns how the plan changes the items and the tokens of contexts.
func (pr *proposal) contextImpact(words string) string {
	i := pr.plan.Impact
	return fmt.Sprintf(words, ui.Num(int64(i.ItemsBefore)), ui.Num(int64(i.ItemsAfter)),
		ui.Num(i.TokensBefore), ui.Num(i.TokensAfter), ui.Signed(i.TokensAfter-i.TokensBefore))
}

// callsLine returns how many calls of a model were made, and how many it would take.
func (pr *proposal) callsLine() string {
	if pr.generatingNow() {
		return fmt.Sprintf("model calls %d", pr.calls+pr.items.Cost().Calls)
	}
	line := fmt.Sprintf("model calls %d", pr.calls)
	if open := pr.plan.Impact.ModelCalls; (pr.plan.More || pr.plan.Estimate()) && open > 0 && pr.state == proposed {
		return line + fmt.Sprintf(", %d to be made", open)
	}
	return line
}

// undoneLine says that the record is undone, and what can follow: a set is planned again.
func (pr *proposal) undoneLine() string {
	next := " · U redo · enter close"
	switch {
	case pr.undone.noRedo == "":
	case pr.plan.Undoes != 0: // What was undone is planned again elsewhere.
		next = " · enter close"
	default:
		next = " · ctrl+r plan again · enter close"
	}
	return pr.env.Styles.Good.Render(fmt.Sprintf("#%d is undone: %s", pr.record, pr.undoneText())) + pr.env.Styles.Muted.Render(next)
}

// stoppedLine says how a run ended that gave no plan.
func (pr *proposal) stoppedLine(width int) string {
	how := "~ stopped: "
	if pr.stoppedBy.Cancelled() {
		how = "~ cancelled: "
	}
	line, muted := pr.env.Styles.Warn.Render(how+pr.stoppedBy.Outcome()), pr.env.Styles.Muted
	return firstFitting(width, line+muted.Render(" · nothing is written · ctrl+x goes on"), line+muted.Render(" · ctrl+x goes on"), line)
}

// setImpact says how large the file is and will be, and how many rows of how many conversations
// a set changes.
func (pr *proposal) setImpact(width int) string {
	p, s := pr.plan, pr.plan.Set
	text := s.Summary()
	switch f := p.Forecast; {
	case s.Matching != nil && len(s.Conversations) == 0:
		text = "nothing that was found can be forgotten"
	case f != nil:
		text = fmt.Sprintf("file %s → %s once reclaimed   ", ui.Size(f.Before), ui.Size(f.After)) + text
	}
	if n := len(p.RefusedConversations); n > 0 {
		text += "   " + plural.Count(n, "conversation", "conversations") + " left as they are"
	}
	if s.TrashBytes > 0 && width >= 100 {
		text += "   trash " + ui.Size(s.TrashBytes)
	}
	return text
}
