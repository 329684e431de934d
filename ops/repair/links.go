package repair

import (
	"context"
	"fmt"
	"slices"
)

// links deletes links that lead nowhere, and numbers links from 0.
func (d *draft) links(ctx context.Context) error {
	if d.has("L03") {
		d.dangling()
	}
	for _, f := range d.take("L04") {
		free, err := d.detachable(ctx, f.Row)
		if err != nil {
			return err
		}
		if d.op.chosen(f) != Keep && (free || d.choice(f) == "unlink") {
			d.unlinkForeign(f.Row)
			d.done(f)
		}
	}
	for _, f := range d.take("L12") {
		d.renumbered[f.Row] = true
		d.done(f)
	}
	return nil
}

// dangling takes away the links of which an end doesn't exist. What a lost summary was
// made of hangs on what was made of it instead, so that it can still be reached.
func (d *draft) dangling() {
	lost := map[string]bool{}
	for _, f := range d.take("L03") {
		d.done(f)
	}
	for id, ts := range d.ties {
		for _, t := range ts {
			switch {
			case d.nodes[id] == nil:
				lost[id] = true
			case d.lost(t) && t.source != "":
				lost[t.source] = true
			case d.lost(t):
				d.untie(t)
			}
		}
	}
	for _, id := range sortedKeys(lost) {
		if !d.standsInContext(id) {
			d.inherit(id)
		}
	}
	for _, id := range sortedKeys(lost) {
		for _, t := range d.ties[id] {
			d.untie(t)
		}
		for _, n := range d.order {
			for _, t := range d.ties[n.ID] {
				if t.source == id && !t.gone {
					d.untie(t)
				}
			}
		}
	}
}

// standsInContext reports whether a summary that is lost still has a place in the
// context, where its sources will come.
func (d *draft) standsInContext(id string) bool {
	return d.has("C01") && slices.Contains(d.tops(), id)
}

// inherit gives what a lost summary was made of to the summaries made of it: its
// sources to them, its messages to the leaf among their sources that is nearest.
func (d *draft) inherit(id string) {
	covered := d.covered()
	for _, heir := range d.derived(id) {
		moved := false
		for _, t := range slices.Clone(d.ties[id]) {
			switch {
			case d.alive(t.source):
				d.tie(heir.ID, t.source, 0)
				moved = true
			case t.source == "" && d.bySlim[t.message].ID != 0 && !covered[t.message] && !d.linked(t.message):
				if leaf := d.nearestLeaf(heir, d.bySlim[t.message].Seq); leaf != nil {
					d.tie(leaf.ID, "", t.message)
					moved = true
				}
			}
		}
		if moved {
			d.plan.Note(fmt.Sprintf("%s is lost; what it was made of is linked to what was made of it, %s", id, heir.ID))
		}
	}
}

// nearestLeaf is the leaf below a summary whose messages are nearest to a seq.
func (d *draft) nearestLeaf(n *node, seq int64) (best *node) {
	least := int64(-1)
	for _, b := range d.below(n.ID) {
		lo, hi, ok := d.span(b.ID)
		if !ok || len(b.sources) > 0 {
			continue
		}
		far := max(lo-seq, seq-hi, 0)
		if best == nil || far < least {
			best, least = b, far
		}
	}
	return best
}

// detachable reports whether a summary is made of something of its own too, and all
// that is another conversation's is reached from there.
func (d *draft) detachable(ctx context.Context, id string) (bool, error) {
	own := false
	for _, t := range d.ties[id] {
		switch {
		case t.gone || d.lost(t):
		case d.foreign(t):
			if home, err := d.atHome(ctx, t.source, t.message); err != nil || !home {
				return false, err
			}
		default:
			own = true
		}
	}
	return own, nil
}

// unlinkForeign takes away the links of a summary that lead to other conversations, if
// any others are left to it.
func (d *draft) unlinkForeign(id string) {
	for _, t := range d.ties[id] {
		if d.foreign(t) {
			d.untie(t)
		}
	}
}

// kinds sets a summary's kind to what its links tell.
func (d *draft) kinds(context.Context) error {
	for _, f := range d.take("L07") {
		n := d.nodes[f.Row]
		switch {
		case n == nil:
		case len(n.sources) > 0 && len(n.members) > 0:
			d.leave(f, "it is linked to summaries and to messages; nothing tells which is right")
			continue
		case len(n.sources) > 0:
			n.Kind = "condensed"
		case len(n.members) > 0:
			n.Kind = "leaf"
		}
		d.change(n, map[string]any{"kind": n.Kind})
		d.done(f)
	}
	return nil
}

// orphans links summaries without sources to what lies in their time and nothing
// covers.
func (d *draft) orphans(context.Context) error {
	for _, f := range d.take("L01") {
		if n := d.nodes[f.Row]; n != nil && d.adoptMessages(n) {
			d.done(f)
		} else {
			d.leave(f, "no message of its time is uncovered, so it stays as text")
		}
	}
	for _, f := range d.take("L02") {
		if n := d.nodes[f.Row]; n != nil && d.adoptSummaries(n) {
			d.done(f)
		} else {
			d.leave(f, "no summary of its time is free, so it stays as text")
		}
	}
	return nil
}

// adoptMessages links a leaf to the run of uncovered messages in its time range, if
// there is one without a gap.
func (d *draft) adoptMessages(n *node) bool {
	if !n.EarliestAt.Valid() || !n.LatestAt.Valid() {
		return false
	}
	linked := map[int64]bool{}
	for _, o := range d.order {
		for _, m := range o.members {
			linked[m] = true
		}
	}
	for _, it := range d.items {
		linked[it.Message] = true
	}
	var run []int64
	for _, m := range d.slims {
		t := m.CreatedAt
		if m.Event || !t.Valid() || t.Before(n.EarliestAt.Truncate(second)) || t.After(n.LatestAt.Time) {
			continue
		}
		if linked[m.ID] {
			return false // Its time is another's too.
		}
		run = append(run, m.ID)
	}
	for _, m := range run {
		d.tie(n.ID, "", m)
	}
	return len(run) > 0
}

// adoptSummaries links a condensed summary to the summaries one depth below it that lie
// in its time range and that nothing was made of.
func (d *draft) adoptSummaries(n *node) bool {
	if !n.EarliestAt.Valid() || !n.LatestAt.Valid() {
		return false
	}
	var run []string
	for _, o := range d.order {
		inside := o.EarliestAt.Valid() && o.LatestAt.Valid() && !o.EarliestAt.Before(n.EarliestAt.Time) && !o.LatestAt.After(n.LatestAt.Time)
		if o != n && !o.gone && inside && o.Depth == n.Depth-1 && !o.placed && len(d.derived(o.ID)) == 0 {
			run = append(run, o.ID)
		}
	}
	for _, id := range run {
		d.tie(n.ID, id, 0)
	}
	return len(run) > 0
}
