package repair

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// NothingError says that nothing can be repaired, and what is left.
type NothingError struct {
	// Failed is why a model made none of the texts that were asked for; nil where none was
	// asked.
	Failed error
	Where  string
	Faults []integrity.FaultID // The only ones that were asked for; nil are all.
	Left   []string            // What was found and isn't repaired, with why.
	Items  []ops.Item          // The same findings, with the choices there are.
}

func (e *NothingError) Error() string {
	if len(e.Left) == 0 && e.Faults != nil {
		return fmt.Sprintf("repair: nothing of %s is found in %s", faultNames(e.Faults), e.Where)
	}
	if len(e.Left) == 0 {
		return "repair: nothing is wrong with " + e.Where
	}
	if e.Failed != nil {
		return fmt.Sprintf("repair: nothing of what is wrong with %s is repaired, since no text was made for it", e.Where)
	}
	return fmt.Sprintf("repair: nothing of what is wrong with %s can be repaired as asked", e.Where)
}

// Unwrap makes it one of the errors of a plan that changes nothing, unless a model failed:
// then there was something to do, and it wasn't done.
func (e *NothingError) Unwrap() error {
	if e.Failed != nil {
		return e.Failed
	}
	return ops.ErrNothing
}

// mostListed is how many lines of what is left a hint has.
const mostListed = 12

// Hint lists what is left.
func (e *NothingError) Hint() string {
	lines := e.Left
	if len(lines) > mostListed {
		lines = append(slices.Clone(lines[:mostListed]), fmt.Sprintf("and %d more; lcm-tui doctor lists them", len(e.Left)-mostListed))
	}
	return strings.Join(lines, "\n")
}

// Plan implements ops.Op.
func (o *Op) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if o.All {
		return o.planAll(ctx, db, report)
	}
	p, _, err := o.plan(ctx, db, report)
	return p, err
}

// plan plans the repair of one conversation, and counts the findings that it repairs.
func (o *Op) plan(ctx context.Context, db *data.DB, report data.Report) (p ops.Plan, repaired map[integrity.FaultID]int, err error) {
	if o.Conversation != 0 {
		// Findings about host state may name a conversation that doesn't exist.
		if _, err := lcm.ReadConversation(ctx, db, o.Conversation); err != nil && !o.checked {
			return p, nil, err
		}
	}
	found, err := o.findings(ctx, db, report)
	if err != nil {
		return p, nil, err
	}
	if err := o.check(ctx, db, found); err != nil {
		return p, nil, err
	}
	s, err := newState(ctx, db, o, found, report)
	if err != nil {
		return p, nil, err
	}
	if err := runStages(ctx, s); err != nil {
		return p, nil, err
	}
	if err := finish(ctx, s); err != nil {
		return p, nil, err
	}
	if s.plan.Empty() && !s.plan.More {
		unchanged(s.plan.Items)
		return p, nil, &NothingError{Failed: s.failed, Where: o.where(ctx, db), Faults: o.Faults, Left: s.found.describeLeft(), Items: s.plan.Items}
	}
	return s.plan, s.found.repaired, nil
}

// Preview is what a repair would do, before anything is asked of a model.
type Preview struct {
	Items      []ops.Item // The findings, each with what the plan does about it, or why nothing is done.
	ModelCalls int        // How many calls of a model it would take.
}

// Preview plans the repair of findings that a check has found already, and returns what the plan says. That
// nothing can be repaired is no error.
func (o *Op) Preview(ctx context.Context, db *data.DB, found []integrity.Finding) (Preview, error) {
	var p ops.Plan
	var err error
	ignore := func(int, int, string) {}
	if o.All {
		p, err = o.planFile(ctx, db, found, ignore)
	} else {
		p, _, err = o.of(o.Conversation, found).plan(ctx, db, ignore)
	}
	var nothing *NothingError
	if errors.As(err, &nothing) {
		return Preview{Items: nothing.Items}, nil
	}
	return Preview{p.Items, p.Impact.ModelCalls}, err
}

// findings returns those of this conversation.
func (o *Op) findings(ctx context.Context, db *data.DB, report data.Report) ([]integrity.Finding, error) {
	if o.checked {
		return o.found, nil
	}
	// All faults are looked for, since one that isn't to be repaired may bear on another.
	r := integrity.Request{Conversation: o.Conversation, FilesDir: o.FilesDir, Limits: o.Limits}
	found, err := integrity.Check(ctx, db, r, report)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(found.Findings, func(f integrity.Finding) bool { return f.Conversation != o.Conversation }), nil
}

// finish completes the plan with the rows, the title and what is left.
func finish(ctx context.Context, s *state) error {
	p := &s.plan
	if err := writeContext(ctx, s); err != nil {
		return err
	}
	if err := touchConversation(ctx, s); err != nil {
		return err
	}
	p.Changes = append(p.Changes, s.rows.Changes()...)
	p.Changes = append(p.Changes, s.pending...) // Which are no change of the conversation itself.
	p.Title = title(ctx, s)
	for _, l := range s.found.describeLeft() {
		p.Warn("not repaired: " + l)
	}
	for _, id := range sortedKeys(s.op.Texts) {
		if s.graph.Summary(id) != nil && s.texts[id] == "" {
			p.Warn("the text that was written for " + id + " isn't used: nothing that this plan repairs gives it a new text")
		}
	}
	if !s.op.checked {
		for _, u := range s.op.unused(s.found.listed) {
			p.Warn(u)
		}
	}
	if deletesContent(s) || s.merged || s.deleted {
		p.BackUp(s.db)
	}
	p.Items = planItems(s)
	if len(p.Rebuild) > 0 {
		p.Note("undo leaves rebuilt search tables as they are, in step with the rows")
	}
	return nil
}

// deletesContent reports whether rows go that nothing could make again.
func deletesContent(s *state) bool {
	return slices.ContainsFunc(s.plan.Changes, func(c change.Change) bool {
		return c.After == nil && slices.Contains([]string{"messages", "message_parts", "summaries"}, c.Table)
	})
}

// title says what is repaired.
func title(ctx context.Context, s *state) string {
	name := lcm.Label(ctx, s.db, s.op.Conversation)
	switch {
	case s.merged:
		return "repair: merge " + name + " into the one that goes on"
	case s.deleted:
		return "repair: delete " + name
	}
	return "repair " + name + ": " + orEstimate(s.found.repaired)
}

// orEstimate counts what is repaired, in words. Where a model has to be asked first, nothing
// is yet.
func orEstimate(repaired map[integrity.FaultID]int) string {
	if len(repaired) == 0 {
		return "an estimate"
	}
	return countFaults(repaired)
}
