package data

import (
	"context"
	"slices"
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
func (t *tx) withoutIncidental(ctx context.Context, cs []Change) ([]Change, error) {
	out := make([]Change, 0, len(cs))
	for _, c := range cs {
		if c.Before == nil {
			out = append(out, c)
			continue
		}
		got, err := t.currentRow(ctx, c)
		if err != nil {
			return nil, err
		}
		if got == nil {
			return nil, stale(c, nil)
		}
		if c.After == nil {
			c.Before = c.Before.withIncidental(got)
		} else {
			c = c.onlyChanged(got)
		}
		if c.After != nil && len(c.After) <= len(c.Key) {
			continue
		}
		if !c.Before.isDigest() {
			got = got.pick(c.Before.Columns())
		}
		if !c.Before.matches(got) {
			return nil, stale(c, got)
		}
		out = append(out, c)
	}
	return out, nil
}

// withIncidental returns the row with the present values of updated_at and identity_hash.
func (r Row) withIncidental(got Row) Row {
	if r.isDigest() {
		for _, less := range [][]string{{updatedAtColumn}, {identityHashColumn}, {updatedAtColumn, identityHashColumn}} {
			rest := got
			for _, column := range less {
				rest = rest.without(column)
			}
			if r[digestColumn] == rest.digest() {
				n := r.pick(r.Columns())
				n[digestColumn] = got.digest()
				return n
			}
		}
		return r
	}
	n := r.pick(r.Columns())
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
func (c Change) onlyChanged(got Row) Change {
	columns := slices.DeleteFunc(c.After.Columns(), func(column string) bool {
		was, known := c.Before[column]
		switch {
		case slices.Contains(c.Key, column):
			return false
		case column == updatedAtColumn && !sameValue(got[column], was):
			return true
		}
		return known && sameValue(was, c.After[column])
	})
	for _, k := range c.Key {
		if !slices.Contains(columns, k) {
			columns = append(columns, k)
		}
	}
	before := slices.DeleteFunc(slices.Clone(columns), func(column string) bool { _, known := c.Before[column]; return !known })
	c.Before, c.After = c.Before.pick(before), c.After.pick(columns)
	return c
}

// namedBy are the columns by which rows of other tables name a row.
var namedBy = map[string]string{"messages": "message_id", "summaries": "summary_id", "conversations": "conversation_id"}

// names reports whether a changed row names one of these.
func (c Change) names(ids map[string]bool) bool {
	for _, r := range []Row{c.Before, c.After} {
		for _, column := range []string{"message_id", "summary_id", "parent_summary_id"} {
			if v, ok := r[column]; ok && v != nil && ids[CellText(v)] {
				return true
			}
		}
	}
	return false
}
