package change

import (
	"context"
	"slices"

	"lcm-tui/data"
)

// hadGaps is the key in records of earlier versions that stands for a conversation whose
// context had gaps before.
const hadGaps = "gaps"

// withoutGaps leaves those notes out of the changes of a record.
func withoutGaps(cs []Change) []Change {
	return slices.DeleteFunc(cs, func(c Change) bool { return slices.Equal(c.Key, []string{hadGaps}) })
}

// checkDamage checks an undo that restored rows which violate the schema's rules, as they did before the
// repair. The rules are off meanwhile, so it checks that no row which came since refers to a
// row that goes.
func checkDamage(ctx context.Context, t *tx, cs []Change) error {
	for _, c := range cs {
		if c.After != nil || !referenced[c.Table] {
			continue
		}
		if err := checkUnreferenced(ctx, t, c, cs); err != nil {
			return err
		}
	}
	return nil
}

const childrenSQL = `SELECT m.name, f."from", f."to" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."table" = ?`

// checkUnreferenced fails if a row refers to one that is gone, unless the changes restore that
// one too.
func checkUnreferenced(ctx context.Context, t *tx, gone Change, cs []Change) error {
	return data.EachRow(ctx, t, childrenSQL, []any{gone.Table}, func(scan data.RowScanner) error {
		var table, from, to string
		if err := scan(&table, &from, &to); err != nil {
			return err
		}
		restored := int64(0)
		for _, c := range cs {
			if c.Table == table && c.After != nil && data.SameValue(c.After[from], gone.Before[to]) {
				restored++
			}
		}
		var n int64
		query := "SELECT count(*) FROM " + data.QuoteName(table) + " WHERE " + data.QuoteName(from) + " = ?"
		if err := t.QueryRowContext(ctx, query, gone.Before[to]).Scan(&n); err != nil {
			return err
		}
		if n > restored {
			return &data.InvariantError{What: "a row of " + table + " would name one that doesn't exist"}
		}
		return nil
	})
}
