package change

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

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
