package transplant

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/ops"
)

// finish touches the target and tells what there is to know of all this.
func (t *transfer) finish(ctx context.Context) error {
	touch, err := t.to.TouchConversation(ctx, t.Target)
	if err != nil {
		return err
	}
	t.plan.Changes = append(t.plan.Changes, touch)
	t.tellCarried()
	t.tellHomeless()
	if err := t.tellBriefs(ctx); err != nil {
		return err
	}
	if err := t.tellBudget(ctx); err != nil {
		return err
	}
	return t.tellHost(ctx)
}

// tellCarried says what is carried and what isn't.
func (t *transfer) tellCarried() {
	parts := 0
	for _, ps := range t.parts {
		parts += len(ps)
	}
	carried := fmt.Sprintf("carried: %s, of which %d stand in the context; %s with %s; the source stays as it is",
		ops.Count(len(t.nodes), "summary", "summaries"), len(t.tops), ops.Count(len(t.messages), "message", "messages"), ops.Count(parts, "part", "parts"))
	t.plan.Notes = slices.Insert(t.plan.Notes, 0, carried)
	if t.from.Kind().Relative {
		t.plan.Warn(fmt.Sprintf("the source is a file of %s, whose rules are its own; what its columns tell is carried", t.from.Kind()))
	}
	if t.from != t.to {
		for _, w := range t.from.Warnings() {
			t.plan.Warn("the source: " + w.Error())
		}
	}
	orphans := 0
	for _, n := range t.graph.Nodes() {
		if _, carried := t.ids[n.ID]; !carried && !n.InContext() && len(n.Derived) == 0 {
			orphans++
		}
	}
	if orphans > 0 && len(t.Summaries) == 0 {
		t.plan.Note(fmt.Sprintf("%s of the source that its context no longer leads to not carried; --summaries names them",
			ops.Count(orphans, "summary is", "summaries are")))
	}
}

// tellBriefs says that the source's focus briefs stay with it: they speak of seqs
// that nothing has in the target.
func (t *transfer) tellBriefs(ctx context.Context) error {
	briefs, err := t.from.FocusBriefs(ctx, t.Source)
	if len(briefs) > 0 {
		t.plan.Note(fmt.Sprintf("%s of the source: not carried", ops.Count(len(briefs), "focus brief", "focus briefs")))
	}
	return err
}

func (t *transfer) tellBudget(ctx context.Context) error {
	budget, err := t.plan.WarnOfBudget(ctx, t.to, t.Target, t.Budget)
	if err != nil {
		return err
	}
	share := func(n int64) int64 { return n * 100 / budget }
	before, after := t.plan.Impact.TokensBefore, t.plan.Impact.TokensAfter
	t.plan.Note(fmt.Sprintf("the target's context: %d tokens of its budget of %d before (%d%%), %d after (%d%%)", before, budget, share(before), after, share(after)))
	return nil
}

// tellHost says what the host may be doing with the target.
func (t *transfer) tellHost(ctx context.Context) error {
	m, err := t.to.Maintenance(ctx, t.Target)
	switch {
	case err != nil:
		return err
	case m.Running:
		t.plan.Warn("the host notes that it is compacting the target now; if it is, the plan will be stale")
	case m.Pending:
		t.plan.Warn("the host has put off compacting the target, and may fold what is carried as soon as it does")
	}
	briefs, err := t.to.FocusBriefs(ctx, t.Target)
	for _, b := range briefs {
		if b.Status == "active" {
			t.plan.Warn("a focus brief is active in the target: by their seqs the host takes the carried summaries for covered by it, and shows it in their place until it ends")
		}
	}
	return err
}

// tellHomeless says what the target's file has no columns for.
func (t *transfer) tellHomeless() {
	var names []string
	for name := range t.homeless {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) > 0 {
		t.plan.Warn(fmt.Sprintf("a file of %s has no columns for some of it, which isn't carried: %s", t.to.Kind(), listed(names)))
	}
	if t.keyless > 0 {
		t.plan.Note(ops.Count(t.keyless, "key by which hosts know a message", "keys by which hosts know messages") + " that the target has already are left out")
	}
}
