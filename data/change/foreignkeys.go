package change

import (
	"context"
	"fmt"
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

// minIndexedDeletes is the number of deletes from which an index is worth its cost.
const minIndexedDeletes = 32

// unindexedReferencesSQL are the columns that point at a table and have no index by which SQLite
// could see that no row does.
const unindexedReferencesSQL = `SELECT m.name, f."from" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."table" = ?1 AND f.seq = 0
	AND NOT EXISTS (SELECT 1 FROM pragma_index_list(m.name) i JOIN pragma_index_info(i.name) x WHERE x.seqno = 0 AND x.name = f."from" AND NOT i.partial)
	AND NOT EXISTS (SELECT 1 FROM pragma_table_info(m.name) c WHERE c.name = f."from" AND c.pk = 1
		AND (SELECT count(*) FROM pragma_table_info(m.name) k WHERE k.pk > 0) = 1)`

// indexReferences creates indexes for the time of the transaction where many rows are deleted
// to which others may refer. The schema has no index on the columns of context_items, so
// SQLite would read all contexts for each row. done removes them.
func indexReferences(ctx context.Context, t *tx, cs []Change) (done func() error, err error) {
	if t.IsHome() { // It has these indexes.
		return func() error { return nil }, nil
	}
	var enforced bool // Without the schema's rules SQLite doesn't look.
	if err := t.QueryRowContext(ctx, "PRAGMA foreign_keys").Scan(&enforced); err != nil {
		return nil, err
	}
	deletes := map[string]int{}
	for _, c := range cs {
		if !enforced {
			break
		}
		if c.After == nil && referenced[c.Table] {
			deletes[c.Table]++
		}
	}
	var made []string
	for table, n := range deletes {
		if n < minIndexedDeletes {
			continue
		}
		var on [][2]string
		err := data.EachRow(ctx, t, unindexedReferencesSQL, []any{table}, func(scan data.RowScanner) error {
			var c [2]string
			err := scan(&c[0], &c[1])
			on = append(on, c)
			return err
		})
		if err != nil {
			return nil, err
		}
		for _, c := range on {
			name := fmt.Sprintf("lcm_tui_ease_%d", len(made))
			if _, err := t.ExecContext(ctx, "CREATE INDEX "+name+" ON "+data.QuoteName(c[0])+" ("+data.QuoteName(c[1])+")"); err != nil {
				return nil, err
			}
			made = append(made, name)
		}
	}
	return func() error {
		t.ForgetStatements() // A statement that uses an index would be in the way.
		for _, name := range made {
			if _, err := t.ExecContext(ctx, "DROP INDEX "+name); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
