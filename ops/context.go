package ops

import (
	"cmp"
	"slices"

	"lcm-tui/data"
)

// ChangeContext adds to the plan what turns a conversation's context from before
// into after, row by row, each place updated where it stands so that nothing
// moves needlessly, and counts the impact.
func (p *Plan) ChangeContext(conv int64, before, after []data.ContextItem) {
	p.Contexts = append(p.Contexts, ContextChange{conv, before, after})
	p.Impact.ItemsBefore += len(before)
	p.Impact.ItemsAfter += len(after)
	p.Impact.TokensBefore += tokens(before)
	p.Impact.TokensAfter += tokens(after)
	p.Guard("context_items", data.Row{"conversation_id": conv}, len(before))

	was, is := byOrdinal(before), byOrdinal(after)
	var ordinals []int64
	for o := range was {
		ordinals = append(ordinals, o)
	}
	for o := range is {
		if _, ok := was[o]; !ok {
			ordinals = append(ordinals, o)
		}
	}
	slices.SortFunc(ordinals, cmp.Compare)
	for _, o := range ordinals {
		if !was[o].Equal(is[o]) {
			p.Changes = append(p.Changes, data.Change{
				Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: was[o], After: is[o],
			})
		}
	}
}

func byOrdinal(items []data.ContextItem) map[int64]data.Row {
	m := make(map[int64]data.Row, len(items))
	for _, it := range items {
		m[it.Ordinal] = it.Row()
	}
	return m
}

func tokens(items []data.ContextItem) (n int64) {
	for _, it := range items {
		n += it.Tokens
	}
	return n
}
