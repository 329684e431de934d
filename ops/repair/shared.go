package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/ops"
)

// shared leaves a message under one leaf and a summary under one other, where the
// context tells which, or the user says so.
func (d *draft) shared(context.Context) error {
	for _, fault := range []integrity.FaultID{integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries} {
		for _, f := range d.take(fault) {
			owners := d.owners(f)
			if len(owners) < 2 {
				continue // Another mending saw to it.
			}
			keep := d.keeper(owners)
			if keep == nil {
				if d.choice(f) != "first" {
					continue
				}
				keep = owners[0].n
			}
			if bare := d.share(owners, keep); bare != nil {
				d.leave(f, bare.ID+" would be left without what it was made of"+d.dropChoice(bare))
			} else {
				d.done(f)
			}
		}
	}
	return nil
}

// owner is a summary that has a claim, and its link.
type owner struct {
	n *node
	t *tie
}

// owners are the summaries that were made of the message or summary of a finding, oldest
// first.
func (d *draft) owners(f integrity.Finding) (out []owner) {
	message, _ := strconv.ParseInt(f.Row, 10, 64)
	ties := d.byMessage[message]
	if f.Fault == integrity.SummaryInSeveralSummaries {
		ties = d.bySource[f.Row]
	}
	for _, t := range ties {
		if n := d.nodes[t.summary]; !t.gone && n != nil && !n.gone {
			out = append(out, owner{n, t})
		}
	}
	slices.SortFunc(out, func(a, b owner) int { return cmp.Or(a.n.CreatedAt.Compare(b.n.CreatedAt.Time), a.n.at-b.n.at) })
	return out
}

// keeper is the only owner that the context reaches, or nil.
func (d *draft) keeper(owners []owner) (keep *node) {
	reached := d.reached()
	for _, o := range owners {
		if !reached[o.n.ID] {
			continue
		}
		if keep != nil {
			return nil
		}
		keep = o.n
	}
	return keep
}

// share takes the others' links away. A leftover that nothing leads to and that would
// have no sources goes as a whole, where it may. It returns the first that may not, which
// keeps its link.
func (d *draft) share(owners []owner, keep *node) (bare *node) {
	for _, o := range owners {
		if o.n == keep {
			continue
		}
		left := len(o.n.sources) + len(o.n.members)
		free := len(d.derived(o.n.ID)) == 0 && !slices.Contains(d.tops(), o.n.ID)
		switch {
		case left > 1:
			d.untie(o.t)
		case free && d.repeats(o.n) && d.mayDrop(o.n):
			d.drop(o.n)
		case bare == nil:
			bare = o.n
		}
	}
	return bare
}

// unreferenced are the faults of a summary that nothing leads to. Its text goes only where
// the user chose that.
var unreferenced = []integrity.FaultID{integrity.SummaryUnreferenced, integrity.CompactionLeftover}

// mayDrop reports whether a summary may be deleted: its text stands in another one that
// stays, or the user chose to drop it.
func (d *draft) mayDrop(n *node) bool {
	if d.op.Skip[n.ID] {
		return false
	}
	for _, fault := range unreferenced {
		if d.op.chosen(integrity.Finding{Fault: fault, Row: n.ID}) == "drop" {
			return true
		}
	}
	return slices.ContainsFunc(d.listed, func(f integrity.Finding) bool {
		return f.Fault == integrity.SummaryDuplicate && slices.Contains(f.Rows, n.ID) &&
			slices.ContainsFunc(f.Rows, func(id string) bool { return id != n.ID && d.alive(id) })
	})
}

// dropChoice says how a summary that nothing leads to is dropped, where it was found.
func (d *draft) dropChoice(n *node) string {
	for _, f := range d.listed {
		if slices.Contains(unreferenced, f.Fault) && f.Row == n.ID {
			return "; its text goes only where you choose drop for " + Key(f)
		}
	}
	return ""
}

// repeats reports whether all that a summary was made of is under others too.
func (d *draft) repeats(n *node) bool {
	for m := range d.under(n.ID) {
		if !d.underAnother(m, n) {
			return false
		}
	}
	return true
}

// underAnother reports whether a summary beside one is made of a message.
func (d *draft) underAnother(message int64, n *node) bool {
	return slices.ContainsFunc(d.ownersOf(d.byMessage[message]), func(o *node) bool { return o != n })
}

// drop deletes a summary with its links and the places in focus briefs that name it.
func (d *draft) drop(n *node) {
	n.gone = true
	d.untie(d.ties[n.ID]...)
}

// leftovers sees to what a compaction that crashed left behind.
func (d *draft) leftovers(context.Context) error {
	for _, f := range d.take(integrity.CompactionLeftover) {
		n := d.nodes[f.Row]
		if n == nil || n.gone || len(d.derived(n.ID)) > 0 || d.leftover(f, n) {
			d.done(f) // Perhaps by another repair.
		}
	}
	for _, n := range d.order { // Those that lost a link just now are no better.
		if !n.gone && !n.placed && n.led && len(d.derived(n.ID)) == 0 && d.beside(n) && !d.complete(n) && d.safe(n) && d.mayDrop(n) {
			d.drop(n)
		}
	}
	return nil
}

// leftover finishes the compaction that left a summary behind, or drops the summary, where it
// may; it reports whether it did either.
func (d *draft) leftover(f integrity.Finding, n *node) bool {
	chosen := d.op.chosen(f)
	switch {
	case chosen == integrity.Keep:
		return false
	case chosen == "" && f.Severity == integrity.Info: // It was dissolved.
		d.choice(f)
		return false
	case chosen == "" && d.complete(n):
		d.plan.Note(n.ID + " takes the place of its sources, as the compaction that made it meant")
		return true
	case !d.safe(n):
		d.leave(f, "messages would be lost from sight with it")
		return false
	}
	if !d.mayDrop(n) && d.choice(f) != "drop" {
		return false
	}
	d.drop(n)
	return true
}

// beside reports whether something that a summary was made of stands in the context.
func (d *draft) beside(n *node) bool {
	return slices.ContainsFunc(d.items, func(it data.ContextItem) bool {
		ties := d.byMessage[it.Message]
		if it.IsSummary() {
			ties = d.bySource[it.Summary]
		}
		return slices.Contains(d.ownersOf(ties), n)
	})
}

// unreached sees to other summaries that nothing leads to, as the user chose.
func (d *draft) unreached(context.Context) error {
	for _, f := range d.take(integrity.SummaryUnreferenced) {
		n := d.nodes[f.Row]
		if n == nil || n.gone || len(d.derived(n.ID)) > 0 || slices.Contains(d.tops(), n.ID) {
			continue
		}
		switch d.choice(f) {
		case "place":
			d.items = d.interleave(d.items, []data.ContextItem{d.summaryItem(n.ID)})
		case "drop":
			d.drop(n)
		default:
			continue
		}
		d.done(f)
	}
	return nil
}

// safe reports whether a summary can go without the context reaching less.
func (d *draft) safe(n *node) bool {
	var covered map[int64]bool
	for m := range d.under(n.ID) {
		if d.underAnother(m, n) {
			continue
		}
		if covered == nil {
			covered = d.covered()
		}
		if !covered[m] {
			return false
		}
	}
	return true
}

// complete puts a summary in the place of its sources, if all of them stand together in
// the context.
func (d *draft) complete(n *node) bool {
	want := map[string]bool{}
	for _, t := range d.ties[n.ID] {
		if t.gone || d.lost(t) || d.foreign(t) {
			continue
		}
		if t.source != "" {
			want[t.source] = true
		} else {
			want[strconv.FormatInt(t.message, 10)] = true
		}
	}
	first, count := -1, 0
	for i, it := range d.items {
		if !want[it.Ref()] {
			continue
		}
		if first < 0 {
			first = i
		}
		if i != first+count {
			return false
		}
		count++
	}
	if count == 0 || count != len(want) {
		return false
	}
	item := d.db.NewSummaryItem(n.Summary, d.op.Conversation, 0)
	d.items = slices.Replace(d.items, first, first+count, item)
	return true
}

// writeDropped turns the summaries that go into changes, and shows their texts.
func (d *draft) writeDropped(ctx context.Context) error {
	for _, n := range d.order {
		if !n.gone {
			continue
		}
		s, err := d.showText(ctx, n.ID)
		if err != nil {
			return err
		}
		d.plan.Note(fmt.Sprintf("%s is deleted with its text: %s of depth %d, %d tokens", n.ID, s.Kind, s.Depth, s.Tokens))
		for _, table := range []string{"summaries", "focus_brief_sources"} {
			rows, err := d.db.Images(ctx, table, data.Row{"summary_id": n.ID})
			if err != nil {
				return err
			}
			for _, r := range rows {
				d.edits.delete(table, r)
			}
		}
		d.plan.Guard("summary_parents", data.Row{"parent_summary_id": n.ID}, d.linksTo(n.ID))
	}
	return nil
}

// showText shows in the plan the text of a summary that is deleted.
func (d *draft) showText(ctx context.Context, id string) (data.Summary, error) {
	s, err := d.db.Summary(ctx, id)
	if err == nil {
		d.plan.Texts = append(d.plan.Texts, ops.Text{ID: id, Before: s.Content})
	}
	return s, err
}

// linksTo is how many links lead to a summary now.
func (d *draft) linksTo(id string) (count int) {
	for _, t := range d.bySource[id] {
		if !t.fresh {
			count++
		}
	}
	return count
}
