package data

import (
	"context"
	"slices"
)

// Images are the rows of a table that have these values, or all of them where none
// is given, whole, as they stand, for a plan to change: in the order of the table's
// key.
func (db *DB) Images(ctx context.Context, table string, where Row) ([]Row, error) {
	columns := db.schema.Columns(table)
	if len(columns) == 0 {
		return nil, nil
	}
	cond, args := "", []any(nil)
	if len(where) > 0 {
		cond, args = whereSQL(where)
	}
	query := "SELECT " + quoteAll(columns) + " FROM " + QuoteName(table) + cond
	if key := db.schema.Key(table); len(key) > 0 {
		query += " ORDER BY " + quoteAll(key)
	}
	return db.rows(ctx, "read "+table, query, args, columns)
}

// Delete is the change that removes a row, given whole.
func (db *DB) Delete(table string, r Row) Change {
	return Change{Table: table, Key: slices.Clone(db.schema.Key(table)), Before: r}
}

// Budget is the token budget that the host noted when it last put off compacting
// the conversation, or 0 where it noted none.
func (db *DB) Budget(ctx context.Context, conv int64) (n int64, err error) {
	all, err := db.Budgets(ctx)
	return all[conv], err
}

// Budgets are the token budgets that hosts noted, by conversation. From 0.9.
func (db *DB) Budgets(ctx context.Context) (map[int64]int64, error) {
	out := map[int64]int64{}
	const table = "conversation_compaction_maintenance"
	if !db.schema.Has(table, "token_budget") {
		return out, nil
	}
	err := db.each(ctx, "read budgets", "SELECT conversation_id, token_budget FROM "+table+" WHERE token_budget > 0", nil,
		func(scan RowScanner) error {
			var conv, n integer
			err := scan(&conv, &n)
			out[int64(conv)] = int64(n)
			return err
		})
	return out, err
}
