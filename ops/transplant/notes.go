package transplant

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// finish updates the target's time and adds the notes and warnings.
func (t *transfer) finish(ctx context.Context) error {
	touch, err := change.TouchConversation(ctx, t.target.db, t.Target)
	if err != nil {
		return err
	}
	t.plan.Changes = append(t.plan.Changes, touch)
	t.noteCopied()
	t.noteMissingColumns()
	if err := t.noteFocusBriefs(ctx); err != nil {
		return err
	}
	if err := t.noteBudget(ctx); err != nil {
		return err
	}
	return t.noteHostWork(ctx)
}

// noteCopied notes what is copied and what isn't.
func (t *transfer) noteCopied() {
	parts := 0
	for _, ps := range t.originals.parts {
		parts += len(ps)
	}
	copied := fmt.Sprintf("copied: %s, of which %d get a place in the context; %s with %s; the source is not changed",
		plural.Count(len(t.selection.nodes), "summary", "summaries"), len(t.selection.roots), plural.Count(len(t.originals.messages), "message", "messages"), plural.Count(parts, "part", "parts"))
	t.plan.Notes = slices.Insert(t.plan.Notes, 0, copied)
	if t.source.db.Kind().Relative {
		t.plan.Warn(fmt.Sprintf("the source is a file of %s, which has other rules; only what its columns hold is copied", t.source.db.Kind()))
	}
	if t.source.db != t.target.db {
		for _, w := range t.source.db.Warnings() {
			t.plan.Warn("the source: " + w.Error())
		}
	}
	if orphans := t.source.orphans(t.numbers.summaries); orphans > 0 && len(t.Summaries) == 0 {
		notCopied := fmt.Sprintf("%s of the source, which its context doesn't lead to, not copied; ", plural.Count(orphans, "summary is", "summaries are"))
		t.plan.NoteFlag(notCopied+"name them with --summaries to copy them", notCopied+"the command transplant copies them by name")
	}
}

// noteFocusBriefs notes that the source's focus briefs aren't copied: they name seqs that
// no message has in the target.
func (t *transfer) noteFocusBriefs(ctx context.Context) error {
	briefs, err := lcm.FocusBriefs(ctx, t.source.db, t.Source)
	if len(briefs) > 0 {
		t.plan.Note(fmt.Sprintf("%s of the source: not copied", plural.Count(len(briefs), "focus brief", "focus briefs")))
	}
	return err
}

// noteBudget notes how much of its budget the target's context takes.
func (t *transfer) noteBudget(ctx context.Context) error {
	budget, err := t.plan.WarnOfBudget(ctx, t.target.db, t.Target, t.Budget)
	if err != nil {
		return err
	}
	share := func(n int64) int64 { return n * 100 / budget }
	before, after := t.plan.Impact.TokensBefore, t.plan.Impact.TokensAfter
	t.plan.Note(fmt.Sprintf("the target's context: %d tokens of its budget of %d before (%d%%), %d after (%d%%)", before, budget, share(before), after, share(after)))
	return nil
}

// noteHostWork warns of what the host may be doing with the target.
func (t *transfer) noteHostWork(ctx context.Context) error {
	m, err := lcm.ReadMaintenance(ctx, t.target.db, t.Target)
	switch {
	case err != nil:
		return err
	case m.Running:
		t.plan.Warn("the host says that it is compacting the target now; when it has, this plan can't be applied any more")
	case m.Pending:
		t.plan.Warn("the host will compact the target soon, and may then compact what is copied")
	}
	briefs, err := lcm.FocusBriefs(ctx, t.target.db, t.Target)
	for _, b := range briefs {
		if b.Status == "active" {
			t.plan.Warn("a focus brief is active in the target: by their seqs the host counts the copied summaries as covered by it, and shows the brief in their place until it ends")
		}
	}
	return err
}

// noteMissingColumns warns of columns and keys that can't be copied.
func (t *transfer) noteMissingColumns() {
	var names []string
	for name := range t.rows.missingColumns {
		names = append(names, name)
	}
	slices.Sort(names)
	if len(names) > 0 {
		t.plan.Warn(fmt.Sprintf("a file of %s lacks some columns, whose values aren't copied: %s", t.target.db.Kind(), joinSome(names)))
	}
	if t.dropped.entries > 0 {
		t.plan.Note(plural.Count(t.dropped.entries, "copied message doesn't", "copied messages don't") + " name a transcript entry: the target's session has other entries")
	}
	if t.dropped.keys > 0 {
		t.plan.Note(plural.Count(t.dropped.keys, "key by which hosts recognize a message", "keys by which hosts recognize messages") + " that the target already has are left out")
	}
}
