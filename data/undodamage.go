package data

import (
	"context"
	"slices"
)

// hadGaps is the key in records of earlier versions that stands for a conversation whose
// context had gaps before.
const hadGaps = "gaps"

// withoutGaps leaves those notes out of the changes of a record.
func withoutGaps(cs []Change) []Change {
	return slices.DeleteFunc(cs, func(c Change) bool { return slices.Equal(c.Key, []string{hadGaps}) })
}

// restoreDamage is restore for rows that violate the schema's rules, as they did before the
// repair. The rules are off meanwhile, so it checks that no row which came since refers to a
// row that goes.
func (t *tx) restoreDamage(ctx context.Context, cs, search []Change) error {
	if err := t.restore(ctx, cs, search); err != nil {
		return err
	}
	for _, c := range cs {
		if c.After != nil || !referenced[c.Table] {
			continue
		}
		if err := t.checkUnreferenced(ctx, c, cs); err != nil {
			return err
		}
	}
	return nil
}

const childrenSQL = `SELECT m.name, f."from", f."to" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."table" = ?`

// checkUnreferenced fails if a row refers to one that is gone, unless the changes restore that
// one too.
func (t *tx) checkUnreferenced(ctx context.Context, gone Change, cs []Change) error {
	return EachRow(ctx, t, childrenSQL, []any{gone.Table}, func(scan RowScanner) error {
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
		query := "SELECT count(*) FROM " + QuoteName(table) + " WHERE " + QuoteName(from) + " = ?"
		if err := t.QueryRowContext(ctx, query, gone.Before[to]).Scan(&n); err != nil {
			return err
		}
		if n > restored {
			return &InvariantError{What: "a row of " + table + " would name one that doesn't exist"}
		}
		return nil
	})
}
