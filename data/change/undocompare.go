package change

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// Columns that hosts set beside what they do: another value there is no reason to refuse an
// undo.
const (
	updatedAtColumn    = "updated_at"
	identityHashColumn = "identity_hash" // Filled in where there was none.
)

// withoutIncidental removes from the changes of an undo what it needn't compare: columns that
// the record didn't change, updated_at, and hashes that a host has filled in. The newer values
// stay. It fails where another column isn't as the record left it.
func withoutIncidental(ctx context.Context, t *tx, cs []Change) ([]Change, error) {
	out := make([]Change, 0, len(cs))
	for _, c := range cs {
		if c.Before == nil {
			out = append(out, c)
			continue
		}
		if c.IsUnchanged() {
			continue
		}
		got, err := currentRow(ctx, t, c)
		if err != nil {
			return nil, err
		}
		if got == nil {
			return nil, stale(c, nil)
		}
		if c.After == nil {
			c.Before = withIncidental(c.Before, got)
		} else {
			c = c.onlyChanged(got)
		}
		if c.After != nil && len(c.After) <= len(c.Key) {
			continue
		}
		if !isDigest(c.Before) {
			got = got.Pick(c.Before.Columns())
		}
		if !matches(c.Before, got) {
			return nil, stale(c, got)
		}
		out = append(out, c)
	}
	return out, nil
}

// withIncidental returns the row with the present values of updated_at and identity_hash.
func withIncidental(r data.Row, got data.Row) data.Row {
	if isDigest(r) {
		for _, less := range [][]string{{updatedAtColumn}, {identityHashColumn}, {updatedAtColumn, identityHashColumn}} {
			rest := got
			for _, column := range less {
				rest = without(rest, column)
			}
			if r[digestColumn] == digestOf(rest) {
				n := r.Pick(r.Columns())
				n[digestColumn] = digestOf(got)
				return n
			}
		}
		return r
	}
	n := r.Pick(r.Columns())
	if at, ok := got[updatedAtColumn]; ok {
		if _, own := r[updatedAtColumn]; own {
			n[updatedAtColumn] = at
		}
	}
	if hash, own := r[identityHashColumn]; own && hash == nil {
		n[identityHashColumn] = got[identityHashColumn]
	}
	return n
}

// onlyChanged returns the change with only the columns in which its images differ, and without
// updated_at where a host has set it since.
func (c Change) onlyChanged(got data.Row) Change {
	columns := slices.DeleteFunc(c.After.Columns(), func(column string) bool {
		was, known := c.Before[column]
		switch {
		case slices.Contains(c.Key, column):
			return false
		case column == updatedAtColumn && !data.SameValue(got[column], was):
			return true
		}
		return known && data.SameValue(was, c.After[column])
	})
	for _, k := range c.Key {
		if !slices.Contains(columns, k) {
			columns = append(columns, k)
		}
	}
	before := slices.DeleteFunc(slices.Clone(columns), func(column string) bool { _, known := c.Before[column]; return !known })
	c.Before, c.After = c.Before.Pick(before), c.After.Pick(columns)
	return c
}

// namedBy are the columns by which rows of other tables name a row.
var namedBy = map[string]string{"messages": "message_id", "summaries": "summary_id", "conversations": "conversation_id"}

// names reports whether a changed row names one of these.
func (c Change) names(ids map[string]bool) bool {
	for _, r := range []data.Row{c.Before, c.After} {
		for _, column := range []string{"message_id", "summary_id", "parent_summary_id"} {
			if v, ok := r[column]; ok && v != nil && ids[data.CellText(v)] {
				return true
			}
		}
	}
	return false
}
