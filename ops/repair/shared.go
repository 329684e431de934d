package repair

import (
	"context"
	"slices"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// shared leaves a message under one leaf and a summary under one other, where the
// context tells which, or the user says so.
func (d *draft) shared(context.Context) error {
	for _, fault := range []string{"L10", "L11"} {
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
			if d.share(owners, keep) {
				d.done(f)
			} else {
				d.leave(f, "a summary would be left without what it was made of")
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
	for _, n := range d.order {
		for _, t := range d.ties[n.ID] {
			if !t.gone && !n.gone && (f.Fault == "L11" && t.source == f.Row || f.Fault == "L10" && t.source == "" && t.message == message) {
				out = append(out, owner{n, t})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b owner) int { return a.n.CreatedAt.Compare(b.n.CreatedAt.Time) })
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
// have no sources goes as a whole.
func (d *draft) share(owners []owner, keep *node) bool {
	for _, o := range owners {
		if o.n == keep {
			continue
		}
		left := len(o.n.sources) + len(o.n.members)
		free := len(d.derived(o.n.ID)) == 0 && !slices.Contains(d.tops(), o.n.ID)
		switch {
		case left > 1:
			d.untie(o.t)
		case free && d.repeats(o.n):
			d.drop(o.n)
		default:
			return false
		}
	}
	return true
}

// repeats reports whether all that a summary was made of is under others too.
func (d *draft) repeats(n *node) bool {
	for m := range d.under(n.ID) {
		if !slices.ContainsFunc(d.order, func(o *node) bool { return o != n && !o.gone && slices.Contains(o.members, m) }) {
			return false
		}
	}
	return true
}

// drop deletes a summary with its links and the places in focus briefs that name it.
func (d *draft) drop(n *node) {
	n.gone = true
	for _, t := range d.ties[n.ID] {
		d.untie(t)
	}
}

// leftovers sees to what a compaction that crashed left behind.
func (d *draft) leftovers(context.Context) error {
	for _, f := range d.take("L09") {
		n := d.nodes[f.Row]
		switch {
		case n == nil || n.gone || len(d.derived(n.ID)) > 0: // Another mending saw to it.
		case d.complete(n):
			d.plan.Note(n.ID + " takes the place of its sources, as the compaction that made it meant")
		case d.safe(n):
			d.drop(n)
		default:
			d.leave(f, "messages would be lost from sight with it")
			continue
		}
		d.done(f)
	}
	for _, n := range d.order { // Those that lost a link just now are no better.
		if !n.gone && !n.placed && n.led && len(d.derived(n.ID)) == 0 && d.beside(n) && !d.complete(n) && d.safe(n) {
			d.drop(n)
		}
	}
	return nil
}

// beside reports whether something that a summary was made of stands in the context.
func (d *draft) beside(n *node) bool {
	return slices.ContainsFunc(d.items, func(it data.ContextItem) bool {
		if it.IsSummary() {
			return slices.Contains(n.sources, it.Summary)
		}
		return slices.Contains(n.members, it.Message)
	})
}

// unreached sees to other summaries that nothing leads to, as the user chose.
func (d *draft) unreached(context.Context) error {
	for _, f := range d.take("L08") {
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
	covered := d.covered()
	for m := range d.under(n.ID) {
		if covered[m] {
			continue
		}
		if !slices.ContainsFunc(d.order, func(o *node) bool { return o != n && !o.gone && slices.Contains(o.members, m) }) {
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

// writeDropped turns the summaries that go into changes.
func (d *draft) writeDropped(ctx context.Context) error {
	for _, n := range d.order {
		if !n.gone {
			continue
		}
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

// linksTo is how many links lead to a summary now.
func (d *draft) linksTo(id string) (count int) {
	for _, ts := range d.ties {
		for _, t := range ts {
			if t.source == id && !t.fresh {
				count++
			}
		}
	}
	return count
}
