package data

import (
	"context"
	"slices"
)

// hadGaps stands in a record, as the key, for a conversation whose context had gaps
// before: undo brings them back.
const hadGaps = "gaps"

// gapsOf notes which contexts aren't numbered from 0 without gaps.
func gapsOf(s state) (out []Change) {
	for conv, dense := range s.dense {
		if !dense {
			out = append(out, Change{Table: "context_items", Key: []string{hadGaps}, Before: Row{"conversation_id": conv}})
		}
	}
	return out
}

// withoutGaps takes those notes from the inverted changes of a record.
func withoutGaps(cs []Change) (rows []Change, gaps map[int64]bool) {
	gaps = map[int64]bool{}
	for _, c := range cs {
		if slices.Equal(c.Key, []string{hadGaps}) {
			gaps[asInteger(c.row()["conversation_id"])] = true
		} else {
			rows = append(rows, c)
		}
	}
	return rows, gaps
}

// restoreDamage is restore where what comes back breaks rules of the schema, as it did
// before it was mended. What no longer is there because of it must not be named by rows
// that came since: the rules, which are off, would have said so.
func (t *tx) restoreDamage(ctx context.Context, cs, search []Change) error {
	if err := t.restore(ctx, cs, search); err != nil {
		return err
	}
	for _, c := range cs {
		if c.After != nil || !referenced[c.Table] {
			continue
		}
		if err := t.unnamed(ctx, c, cs); err != nil {
			return err
		}
	}
	return nil
}

const childrenSQL = `SELECT m.name, f."from", f."to" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."table" = ?`

// unnamed fails if a row names one that is gone, unless the changes bring that back too.
func (t *tx) unnamed(ctx context.Context, gone Change, cs []Change) error {
	return each(ctx, t, childrenSQL, []any{gone.Table}, func(scan scanner) error {
		var table, from, to string
		if err := scan(&table, &from, &to); err != nil {
			return err
		}
		restored := int64(0)
		for _, c := range cs {
			if c.Table == table && c.After != nil && sameValue(c.After[from], gone.Before[to]) {
				restored++
			}
		}
		var n int64
		query := "SELECT count(*) FROM " + quote(table) + " WHERE " + quote(from) + " = ?"
		if err := t.QueryRowContext(ctx, query, gone.Before[to]).Scan(&n); err != nil {
			return err
		}
		if n > restored {
			return &InvariantError{"a row of " + table + " would name one that doesn't exist"}
		}
		return nil
	})
}
