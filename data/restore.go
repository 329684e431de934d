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
// before it was mended. It proves that nothing but the restored rows breaks any that
// wasn't broken.
func (t *tx) restoreDamage(ctx context.Context, cs, search []Change) error {
	was, err := t.violations(ctx)
	if err != nil {
		return err
	}
	if err := t.restore(ctx, cs, search); err != nil {
		return err
	}
	is, err := t.violations(ctx)
	if err != nil {
		return err
	}
	for v := range is {
		if was[v] {
			continue
		}
		ours, err := t.restored(ctx, v, cs)
		if err != nil {
			return err
		}
		if !ours {
			return &InvariantError{"a row of " + v.table + " would name one that doesn't exist"}
		}
	}
	return nil
}

// violation is a row that names one which doesn't exist.
type violation struct {
	table string
	rowid int64
}

func (t *tx) violations(ctx context.Context) (map[violation]bool, error) {
	out := map[violation]bool{}
	err := each(ctx, t, "PRAGMA foreign_key_check", nil, func(scan scanner) error {
		var table, parent text
		var rowid, fk integer
		err := scan(&table, &rowid, &parent, &fk)
		out[violation{string(table), int64(rowid)}] = true
		return err
	})
	return out, err
}

// restored reports whether a row is one that changes bring back.
func (t *tx) restored(ctx context.Context, v violation, cs []Change) (bool, error) {
	for _, c := range cs {
		if c.Table != v.table || c.After == nil {
			continue
		}
		key := c.After.pick(c.Key)
		where, args := whereSQL(key)
		r, err := t.first(ctx, "SELECT rowid FROM "+quote(c.Table)+where, args, []string{"rowid"})
		if err != nil || r != nil && asInteger(r["rowid"]) == v.rowid {
			return err == nil, err
		}
	}
	return false, nil
}
