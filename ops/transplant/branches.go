package transplant

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/engine/lineage"
	"lcm-tui/ops"
)

// compare leaves out what the target already has. Where it has a part of what is below a
// summary, the summary's sources are copied in its place, without that part: the summary
// would repeat it.
func (t *transfer) compare(ctx context.Context) (err error) {
	if t.present, err = findDuplicates(ctx, t.source, t.target); err != nil {
		return err
	}
	f := &branchFilter{source: t.source, present: &t.present, seen: map[string]bool{}}
	for _, n := range t.selection.roots {
		f.filter(n)
	}
	f.addNotes(t.plan)
	if err := t.selectSummaries(ctx, chooser{t.Op, t.source, t.plan}, f.chosen); err != nil {
		return err
	}
	t.selection.reuseMessages(&t.present, t.plan)
	t.selection.chooseRawMessages(t.source.context, &t.present, t.Messages, t.plan)
	if t.All {
		if err := t.selection.chooseOthers(ctx, t.source, t.target, t.plan); err != nil {
			return err
		}
	}
	if t.selection.isEmpty() {
		return t.nothingError(slices.Concat(f.duplicated, f.mostlyPresent))
	}
	return nil
}

// branchFilter chooses, from the top down, the summaries of which the target has nothing.
type branchFilter struct {
	source        *source
	present       *duplicates
	seen          map[string]bool
	chosen        []*lineage.Node
	duplicated    []string // Summaries that the target has, with its ids.
	mostlyPresent []string // Leaves of which it has most messages.
	expanded      []string // Summaries whose sources are copied in their place.
}

// filter decides about a summary, and about its sources where it can't be copied whole.
func (s *branchFilter) filter(n *lineage.Node) {
	if s.seen[n.ID] {
		return
	}
	s.seen[n.ID] = true
	switch id := s.present.summaries[n.ID]; {
	case id != "":
		s.duplicated = append(s.duplicated, n.ID+" (as "+id+")")
	case s.hasMost(n):
		s.mostlyPresent = append(s.mostlyPresent, n.ID)
	case !s.overlaps(n):
		s.chosen = append(s.chosen, n)
	default:
		s.expanded = append(s.expanded, n.ID)
		for _, id := range n.Sources {
			if source, ok := s.source.graph.Node(id); ok {
				s.filter(source)
			}
		}
	}
}

// hasMost reports whether the target covers at least half of the messages of a leaf.
func (s *branchFilter) hasMost(n *lineage.Node) bool { return s.present.hasMost(s.source.links[n.ID]) }

// overlaps reports whether the target has anything below a summary.
func (s *branchFilter) overlaps(n *lineage.Node) bool {
	return slices.ContainsFunc(s.source.graph.Below(n.ID), func(b *lineage.Node) bool {
		return s.present.summaries[b.ID] != "" || s.hasMost(b)
	})
}

// addNotes says which summaries aren't copied and why.
func (s *branchFilter) addNotes(plan *ops.Plan) {
	if len(s.duplicated) > 0 {
		plan.Note("skipped, because the target already has them: " + joinSome(s.duplicated))
	}
	if len(s.mostlyPresent) > 0 {
		plan.Warn("left out, because the target has most of the messages that they were made of: " + joinSome(s.mostlyPresent))
	}
	if len(s.expanded) > 0 && len(s.chosen) > 0 {
		plan.Warn("their sources are copied in their place, because the target already has a part of them: " + joinSome(s.expanded))
	}
}

// nothingError says why there is nothing to copy; have is what the target has.
func (t *transfer) nothingError(have []string) error {
	switch {
	case t.source.db != t.target.db && len(t.source.db.Warnings()) > 0:
		return t.source.db.Warnings()[0] // What is there can't be read.
	case len(have) > 0:
		return nothing(fmt.Sprintf("conversation %d already has all of it: %s", t.Target, joinSome(have)),
			"nothing is copied twice; lcm-tui history shows what was copied when")
	case t.Messages:
		return nothing(fmt.Sprintf("conversation %d has nothing in its context that could be copied", t.Source), "lcm-tui conversations shows which conversations have something")
	}
	return nothing(fmt.Sprintf("conversation %d has no summaries that could be copied", t.Source), "--messages copies the messages in its context as they are")
}
