package review

import (
	"errors"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/trash"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// proposal is an operation, its present plan and what became of that. The pages show it, a planner
// puts another plan in its place.
type proposal struct {
	env   *views.Env
	owner ui.Screen // Of its jobs.
	op    ops.Op
	plan  ops.Plan
	state proposalState

	items     *regenerate.Progress     // How far each text of a run is.
	heads     textHeads                // When the texts tell from, and how they begin.
	calls     int                      // Calls of a model that were made in this review.
	stoppedBy *regenerate.StoppedError // How the last run ended without a plan; nil where it gave one.
	asks      bool                     // The plan that is being made may ask a model.

	record int64 // The last one, of several steps.
	first  int64
	redone int64 // The record that was made again as this one; 0 is none.
	took   time.Duration
	undone undoneMsg // What the undo left.
	err    error
}

type proposalState int

const (
	proposed proposalState = iota
	applied
	undone
	stale
)

// working says what is done while another plan is made.
func (pr *proposal) working() string {
	if pr.asks {
		return "texts are being made"
	}
	return "it is being planned"
}

// whyBusy says why a key waits while another plan is made; it is empty where none is.
func (pr *proposal) whyBusy() string {
	if !pr.generatingNow() {
		return ""
	}
	return pr.working() + ": esc cancels"
}

// generatingNow reports whether another plan is made right now, or texts for it.
func (pr *proposal) generatingNow() bool {
	return pr.op != nil && pr.env.Jobs.Running(pr.owner, "plan "+pr.op.Name())
}

// runnable reports whether the plan is an estimate of work that can be started.
func (pr *proposal) runnable() bool {
	_, ok := pr.op.(ops.Generator)
	return ok && pr.state == proposed && (pr.plan.Estimate() || pr.plan.More)
}

func (pr *proposal) applicable() bool {
	return pr.state == proposed && !pr.plan.Empty() && pr.plan.Refused == nil
}

// isWritten reports whether the plan was applied here, undone or not.
func (pr *proposal) isWritten() bool { return pr.state == applied || pr.state == undone }

// whyNotApplicable says why nothing can be applied now.
func (pr *proposal) whyNotApplicable() string {
	if pr.runnable() {
		return "this is an estimate: ctrl+x runs it"
	}
	if pr.modelMissing() && pr.plan.Empty() || pr.modelMissing() && pr.plan.Refused != nil {
		return "no model is chosen that may write its texts: M chooses one"
	}
	if pr.plan.Refused != nil {
		return pr.plan.Refused.Error()
	}
	return "there is nothing to apply now"
}

// restores reports whether the plan puts rows back from the trash, which has no undo.
func (pr *proposal) restores() bool { return pr.plan.Op == trash.RestoreOp }

// whyNoUndo says why nothing can be undone here.
func (pr *proposal) whyNoUndo() string {
	if pr.restores() {
		return "what was restored from the trash can only be removed by pruning it again"
	}
	return "nothing was applied here"
}

// redoes reports whether the plan redoes what was undone.
func (pr *proposal) redoes() bool {
	_, ok := pr.op.(*redo.Op)
	return ok
}

// modelMissing reports whether the plan waits for a model to be chosen.
func (pr *proposal) modelMissing() bool {
	var unnamed *summarize.UnnamedError
	return pr.state == proposed && (errors.As(pr.plan.Refused, &unnamed) || pr.plan.CountItems(ops.NeedsModel) > 0)
}

// rowCount returns how many rows change.
func (pr *proposal) rowCount() int64 {
	if pr.plan.Set != nil {
		return pr.plan.Set.Total()
	}
	return int64(len(pr.plan.Changes))
}

// itemized is an operation that tells how far each of its texts is.
type itemized interface {
	ops.Op
	// WithProgress is the operation that takes it down in items.
	WithProgress(items *regenerate.Progress) ops.Op
}

// textEntry is a text of the page of texts: one that changes, or one that was skipped,
// failed, or isn't there yet.
type textEntry struct {
	id    string
	text  *ops.Text // Nil where there is no new text.
	state regenerate.State
	why   string // Of a failure.
	head  textHead
	local func(time.Time) time.Time
}

// entries returns the texts in their order: those of the run, then others of the plan.
func (pr *proposal) entries() (out []textEntry) {
	texts := map[string]*ops.Text{}
	for i := range pr.plan.Texts {
		texts[pr.plan.Texts[i].ID] = &pr.plan.Texts[i]
	}
	for _, item := range pr.items.All() {
		out = append(out, textEntry{id: item.ID, text: texts[item.ID], state: item.State, why: item.Why})
		delete(texts, item.ID)
	}
	for i, t := range pr.plan.Texts {
		if texts[t.ID] != nil {
			out = append(out, textEntry{id: t.ID, text: &pr.plan.Texts[i]})
		}
	}
	for i := range out {
		e := &out[i]
		e.head, e.local = pr.heads[e.id], pr.env.Local
		if e.head.Opening == "" && e.text != nil {
			e.head.Opening = data.Preview(views.FirstNonEmpty(e.text.Before, e.text.After))
			if e.text.Made {
				e.head.Opening = data.Preview(e.text.After)
			}
		}
	}
	return out
}

// failed returns how many texts the last run could not make.
func (pr *proposal) failed() (n int) {
	for _, e := range pr.entries() {
		if e.text == nil && e.state == regenerate.StateFailed {
			n++
		}
	}
	return n
}

// unsaved says which texts are lost when the review ends: those that a model was paid for and that aren't applied.
func (pr *proposal) unsaved() string {
	n := int64(len(pr.plan.Texts))
	if pr.state != proposed || pr.calls == 0 || n == 0 || pr.plan.Refused != nil {
		return ""
	}
	left := plural.Count(n, "text that a model wrote is not applied: ", "texts that a model wrote are not applied: ")
	if !summarize.HasCache(modelOf(pr.op)) {
		return left + "the same " + pr.op.Name() + " asks the model again."
	}
	return left + "kept for two weeks, and the same " + pr.op.Name() + " takes them without a call."
}
