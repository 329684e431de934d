package change

import (
	"context"
	"slices"

	"lcm-tui/data"
)

const cascadesSQL = `SELECT m.name, f."from", f."table", f."to" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f.on_delete = 'CASCADE' AND f."table" IN ('messages', 'summaries', 'conversations')`

// cascade is a table whose rows SQLite deletes with those of another, by ON DELETE CASCADE.
type cascade struct{ table, column, of, key string }

// cascades returns the tables that plans don't know, of newer hosts, whose rows SQLite deletes
// with messages, summaries or conversations.
func cascades(ctx context.Context, t *tx) (out []cascade, err error) {
	err = data.EachRow(ctx, t, cascadesSQL, nil, func(scan data.RowScanner) error {
		var f cascade
		var key data.Text // NULL for the key of the other table.
		err := scan(&f.table, &f.column, &f.of, &key)
		if f.key = string(key); f.key == "" {
			f.key = namedBy[f.of]
		}
		if !slices.Contains(data.CoreTables, f.table) && !data.IsPendingTable(f.table) && len(t.Schema.Key(f.table)) > 0 {
			out = append(out, f)
		}
		return err
	})
	return out, err
}

// withCascades adds to deletions the rows that SQLite deletes with them, so that the record
// has them and undo restores them.
func withCascades(ctx context.Context, t *tx, cs []Change) ([]Change, error) {
	_, gone := createdAndDeleted(cs)
	if len(gone) == 0 {
		return cs, nil
	}
	tables, err := cascades(ctx, t)
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for _, c := range cs {
		known[c.Label()] = true
	}
	out := slices.Clone(cs)
	for _, f := range tables {
		var ids []any
		for id := range gone[f.of] {
			ids = append(ids, id)
		}
		columns := t.Schema.Columns(f.table)
		for chunk := range slices.Chunk(ids, data.MaxArgs) {
			query := "SELECT " + data.QuoteAll(columns) + " FROM " + data.QuoteName(f.table) + " WHERE " + data.QuoteName(f.column) + " IN (" + data.Marks(len(chunk)) + ")"
			err := data.EachRow(ctx, t, query, chunk, func(scan data.RowScanner) error {
				r, err := data.ScanRow(scan, columns)
				c := Change{Table: f.table, Key: t.Schema.Key(f.table), Before: r}
				if err == nil && !known[c.Label()] {
					known[c.Label()] = true
					out = append(out, c)
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
