package repair

import (
	"cmp"
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// restoreRaced puts messages back into the context that a host took out by mistake: the
// summaries that stand for nothing but such messages, the highest first, and the other
// messages themselves, each before the first place that stands for later ones.
func (d *draft) restoreRaced(ctx context.Context) error {
	if !d.has(integrity.CompactionLostMessages) {
		return nil
	}
	lost, covered := map[int64]bool{}, d.covered()
	for _, m := range rowsOf(d.take(integrity.CompactionLostMessages)) {
		if d.shows(m) && !covered[m] {
			lost[m] = true
		}
	}
	d.items = d.interleave(d.items, d.lostSummaries(lost))
	fresh, err := d.messageItems(ctx, d.inOrder(lost))
	if err != nil {
		return err
	}
	d.items = d.interleave(d.items, fresh)
	d.all(integrity.CompactionLostMessages)
	return nil
}

// lostSummaries are places for the summaries below which there is nothing but lost
// messages, which are taken off the lost ones.
func (d *draft) lostSummaries(lost map[int64]bool) (items []data.ContextItem) {
	nodes := slices.Clone(d.order)
	slices.SortStableFunc(nodes, func(a, b *node) int { return cmp.Compare(b.Depth, a.Depth) })
	for _, n := range nodes {
		under := d.under(n.ID)
		if n.gone || len(under) == 0 {
			continue
		}
		all := true
		for m := range under {
			all = all && lost[m]
		}
		if !all {
			continue
		}
		for m := range under {
			delete(lost, m)
		}
		items = append(items, d.summaryItem(n.ID))
	}
	slices.SortStableFunc(items, func(a, b data.ContextItem) int {
		_, x, _ := d.reach(a)
		_, y, _ := d.reach(b)
		return cmp.Compare(x, y)
	})
	return items
}

// inOrder are messages in the order of the conversation.
func (d *draft) inOrder(ids map[int64]bool) (out []int64) {
	for _, m := range d.slims {
		if ids[m.ID] {
			out = append(out, m.ID)
		}
	}
	return out
}
