package repair

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"lcm-tui/engine/integrity"
)

// links deletes links that lead nowhere, and numbers links from 0.
func (d *draft) links(ctx context.Context) error {
	if d.has(integrity.LinkDangling) {
		d.dangling()
	}
	for _, f := range d.take(integrity.LinkAcrossConversations) {
		free, err := d.detachable(ctx, f.Row)
		if err != nil {
			return err
		}
		if d.op.chosen(f) != integrity.Keep && (free || d.choice(f) == "unlink") {
			d.unlinkForeign(f.Row)
			d.done(f)
		}
	}
	for _, f := range d.take(integrity.LinkOrdinalGaps) {
		d.renumbered[f.Row] = true
		d.done(f)
	}
	return nil
}

// dangling takes away the links of which an end doesn't exist. What a lost summary was
// made of hangs on what was made of it instead, so that it can still be reached.
func (d *draft) dangling() {
	lost := map[string]bool{}
	for _, f := range d.take(integrity.LinkDangling) {
		d.done(f)
	}
	var dangling []*tie
	for id, ts := range d.ties {
		for _, t := range ts {
			switch {
			case d.nodes[id] == nil:
				lost[id] = true
			case d.lost(t) && t.source != "":
				lost[t.source] = true
			case d.lost(t):
				dangling = append(dangling, t)
			}
		}
	}
	d.untie(dangling...)
	heirs, tops := &inheritance{draft: d, covered: d.covered(), leaves: map[string]*leafIndex{}}, map[string]bool{}
	if d.has(integrity.ContextItemDangling) { // Its sources will come in its place in the context.
		for _, id := range d.tops() {
			tops[id] = true
		}
	}
	for _, id := range sortedKeys(lost) {
		if !tops[id] {
			heirs.inherit(id)
		}
	}
	heirs.say()
	d.syncAll()
	dangling = nil
	for id := range lost {
		dangling = append(dangling, d.ties[id]...)
		for _, t := range d.bySource[id] {
			if d.nodes[t.summary] != nil && !t.gone {
				dangling = append(dangling, t)
			}
		}
	}
	d.untie(dangling...)
}

// inheritance gives what lost summaries were made of to the summaries made of them: their
// sources to these, their messages to the leaf among the sources that is nearest, but for
// those that the context reaches anyway.
type inheritance struct {
	*draft
	covered map[int64]bool
	leaves  map[string]*leafIndex // Of the heirs, as far as needed.
	moved   []string              // Lost summaries of which something was given.
}

// inherit passes on what one lost summary was made of.
func (i *inheritance) inherit(id string) {
	moved := false
	for _, heir := range i.derived(id) {
		for _, t := range slices.Clone(i.ties[id]) {
			switch {
			case i.alive(t.source):
				i.tieLater(heir.ID, t.source, 0)
				delete(i.leaves, heir.ID)
				moved = true
			case t.source == "" && i.bySlim[t.message].ID != 0 && !i.covered[t.message] && !i.linked(t.message):
				if leaf := i.leavesOf(heir).nearest(i.bySlim[t.message].Seq); leaf != nil {
					i.tieLater(leaf.ID, "", t.message)
					moved = true
				}
			}
		}
	}
	if moved {
		i.moved = append(i.moved, id)
	}
}

// say notes what was passed on.
func (i *inheritance) say() {
	if n := len(i.moved); n > mostAlike {
		i.plan.Note(fmt.Sprintf("%d summaries are lost; what they were made of is linked to what was made of them", n))
		return
	}
	for _, id := range i.moved {
		i.plan.Note(id + " is lost; what it was made of is linked to what was made of it")
	}
}

func (i *inheritance) leavesOf(heir *node) *leafIndex {
	if i.leaves[heir.ID] == nil {
		i.syncAll()
		i.leaves[heir.ID] = i.indexLeaves(heir)
	}
	return i.leaves[heir.ID]
}

// leafIndex are leaves by where they begin.
type leafIndex struct {
	leaves []indexedLeaf
}

// indexedLeaf is a leaf that stands for the messages from lo to hi, and the place of the
// leaf that ends last among those before it and itself.
type indexedLeaf struct {
	*node
	lo, hi int64
	last   int
}

// indexLeaves are the leaves below a summary.
func (d *draft) indexLeaves(n *node) *leafIndex {
	x := &leafIndex{}
	for _, b := range d.below(n.ID) {
		if lo, hi, ok := d.span(b.ID); ok && len(b.sources) == 0 {
			x.leaves = append(x.leaves, indexedLeaf{node: b, lo: lo, hi: hi})
		}
	}
	slices.SortStableFunc(x.leaves, func(a, b indexedLeaf) int { return cmp.Compare(a.lo, b.lo) })
	for i := range x.leaves {
		last := i
		if i > 0 && x.leaves[x.leaves[i-1].last].hi >= x.leaves[i].hi {
			last = x.leaves[i-1].last
		}
		x.leaves[i].last = last
	}
	return x
}

// nearest is the leaf whose messages are nearest to a seq, or nil.
func (x *leafIndex) nearest(seq int64) *node {
	after, _ := slices.BinarySearchFunc(x.leaves, seq+1, func(l indexedLeaf, seq int64) int { return cmp.Compare(l.lo, seq) })
	if after == 0 {
		if len(x.leaves) == 0 {
			return nil
		}
		return x.leaves[0].node
	}
	before := x.leaves[x.leaves[after-1].last]
	if after < len(x.leaves) && x.leaves[after].lo-seq < seq-before.hi {
		return x.leaves[after].node
	}
	return before.node
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
	d.untie(slices.DeleteFunc(slices.Clone(d.ties[id]), func(t *tie) bool { return !d.foreign(t) })...)
}

// kinds sets a summary's kind to what its links tell.
func (d *draft) kinds(context.Context) error {
	for _, f := range d.take(integrity.SummaryKindWrong) {
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
	for _, f := range d.take(integrity.LeafWithoutMessages) {
		if n := d.nodes[f.Row]; n != nil && d.adoptMessages(n) {
			d.done(f)
		} else {
			d.leave(f, "no message of its time is uncovered, so it stays as text")
		}
	}
	for _, f := range d.take(integrity.CondensedWithoutSources) {
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
	placed := map[int64]bool{}
	for _, it := range d.items {
		placed[it.Message] = true
	}
	var run []int64
	for _, m := range d.slims {
		t := m.CreatedAt
		if m.CompactionNote || !t.Valid() || t.Before(n.EarliestAt.Truncate(second)) || t.After(n.LatestAt.Time) {
			continue
		}
		if placed[m.ID] || d.linked(m.ID) {
			return false // Its time is another's too.
		}
		run = append(run, m.ID)
	}
	for _, m := range run {
		d.tieLater(n.ID, "", m)
	}
	d.syncAll()
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
		d.tieLater(n.ID, id, 0)
	}
	d.syncAll()
	return len(run) > 0
}
