package change

import (
	"context"
	"math"
	"slices"

	"lcm-tui/data"
)

// contextEnd is where a conversation and its context end.
type contextEnd struct {
	last, lowest int64 // Ordinals; -1 and 0 where the context has no items.
	regular      bool  // All its ordinals are whole numbers without gaps.
	seq          int64 // The highest seq of messages, or 0. Only moveToEnd asks.
}

// endOfContext reads where a context ends, without its items: a long import appends many times to a context of many thousands.
func endOfContext(ctx context.Context, t *tx, conv int64, withSeq bool) (contextEnd, error) {
	if known, ok := t.ends[conv]; ok {
		return known, nil
	}
	odd, highest := "total(typeof(ordinal) <> 'integer')", "0"
	if t.IsHome() { // Its column holds nothing else.
		odd = "0"
	}
	if withSeq {
		highest = "(SELECT coalesce(max(seq), 0) FROM messages WHERE conversation_id = ?1)"
	}
	var last, lowest, items, others, seq data.Integer
	query := "SELECT coalesce(max(ordinal), -1), coalesce(min(ordinal), 0), count(*), " + odd + ", " + highest + " FROM context_items WHERE conversation_id = ?1"
	if err := t.QueryRowContext(ctx, query, conv).Scan(&last, &lowest, &items, &others, &seq); err != nil {
		return contextEnd{}, err
	}
	if t.ends == nil {
		t.ends = map[int64]contextEnd{}
	}
	t.ends[conv] = contextEnd{int64(last), int64(lowest), others == 0 && (items == 0 || last-lowest+1 == items), max(int64(seq), 0)}
	return t.ends[conv], nil
}

// moveToEnd gives the new messages and context items of a batch the numbers that follow the last ones of their conversations, in
// their order. It reports whether it changed any.
func moveToEnd(ctx context.Context, t *tx, b Batch, _ *Outcome) (cs []Change, changed bool, err error) {
	if !b.AtEnd {
		return nil, false, nil
	}
	if n := b.newMessages(); t.IsHome() && n > 0 {
		if err := t.RequestMessages(n); err != nil {
			return nil, false, err
		}
	}
	moved := slices.Clone(b.Changes)
	for table, column := range map[string]string{"messages": "seq", "context_items": "ordinal"} {
		by := map[int64]int64{} // How far the numbers move, by conversation.
		for i, c := range moved {
			if c.Table != table || c.Before != nil {
				continue
			}
			conv, n := data.CellInteger(c.After[conversationColumn]), data.CellInteger(c.After[column])
			if _, known := by[conv]; !known {
				end, err := endOfContext(ctx, t, conv, true)
				if err != nil {
					return nil, false, err
				}
				next := map[string]int64{"messages": end.seq + 1, "context_items": end.last + 1}[table]
				by[conv] = next - lowestNumber(b.Changes, table, column, conv)
			}
			if by[conv] != 0 {
				moved[i].After = c.After.Pick(c.After.Columns())
				moved[i].After[column], changed = n+by[conv], true
			}
		}
	}
	return moved, changed, nil
}

// lowestNumber returns the lowest number that new rows of a conversation have.
func lowestNumber(cs []Change, table, column string, conv int64) int64 {
	lowest := int64(math.MaxInt64)
	for _, c := range cs {
		if c.Table == table && c.Before == nil && data.CellInteger(c.After[conversationColumn]) == conv {
			lowest = min(lowest, data.CellInteger(c.After[column]))
		}
	}
	return lowest
}

// requestWithEnds has numbers of messages come with the ends of the contexts to which a batch adds items.
func requestWithEnds(ctx context.Context, t *tx, b Batch, n int) error {
	if err := t.RequestMessages(n); err != nil {
		return err
	}
	_, order, _ := splitContexts(b.Changes)
	for _, conv := range order {
		if _, err := endOfContext(ctx, t, conv, false); err != nil {
			return err
		}
	}
	return nil
}

// isBulkAppend works as isAppend for a bulk batch, which notes no neighbours.
func isBulkAppend(ctx context.Context, t *tx, b Batch, conv int64, cs []Change, out *Outcome) (bool, error) {
	if !b.Bulk || !t.Schema.Has("context_items") || slices.ContainsFunc(b.Guards, func(g Guard) bool { return g.Table == "context_items" && g.UpTo != nil }) {
		return false, nil
	}
	end, err := endOfContext(ctx, t, conv, false)
	if err != nil || !end.regular || !addsItems(cs, end.last+1) {
		return false, err
	}
	if end.lowest >= 0 {
		out.dense = append(out.dense, conv)
	}
	return true, nil
}

// withoutDense returns the changes without the items that come behind the last ones of contexts that have no gaps: there are none
// afterwards.
func withoutDense(cs []Change, dense []int64) []Change {
	if len(dense) == 0 {
		return cs
	}
	byConv, order, _ := splitContexts(cs)
	var out []Change
	for _, conv := range order {
		if !slices.Contains(dense, conv) || slices.ContainsFunc(byConv[conv], func(c Change) bool { return c.Before != nil }) {
			out = append(out, byConv[conv]...)
		}
	}
	return out
}
