package data

import (
	"context"
	"slices"
)

// isPendingTable reports whether a table is of what a host prepares in the background. The
// writer alone changes it, and no record has it: see abandonPending.
func isPendingTable(table string) bool {
	return slices.Contains([]string{pendingBatches, pendingNodes, pendingMessages, pendingChildren}, table)
}

// withoutPendingTables leaves those tables to the writer.
func (b Batch) withoutPendingTables() Batch {
	if slices.ContainsFunc(b.Changes, func(c Change) bool { return isPendingTable(c.Table) }) {
		b.Changes = slices.DeleteFunc(slices.Clone(b.Changes), func(c Change) bool { return isPendingTable(c.Table) })
	}
	return b
}

const cascadesSQL = `SELECT m.name, f."from", f."table", f."to" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f.on_delete = 'CASCADE' AND f."table" IN ('messages', 'summaries', 'conversations')`

// cascade is a table whose rows go with those of another, by a rule of the schema.
type cascade struct{ table, column, of, key string }

// cascades are those that plans don't know: tables of newer hosts.
func (t *tx) cascades(ctx context.Context) (out []cascade, err error) {
	err = each(ctx, t, cascadesSQL, nil, func(scan RowScanner) error {
		var f cascade
		var key text // NULL for the key of the other table.
		err := scan(&f.table, &f.column, &f.of, &key)
		if f.key = string(key); f.key == "" {
			f.key = namedBy[f.of]
		}
		if !slices.Contains(CoreTables, f.table) && !isPendingTable(f.table) && len(t.schema.Key(f.table)) > 0 {
			out = append(out, f)
		}
		return err
	})
	return out, err
}

// withCascades adds the rows to deletions that the schema would delete with them, so that
// the record has them and undo brings them back.
func (t *tx) withCascades(ctx context.Context, cs []Change) ([]Change, error) {
	_, gone := createdAndDeleted(cs)
	if len(gone) == 0 {
		return cs, nil
	}
	tables, err := t.cascades(ctx)
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
		columns := t.schema.Columns(f.table)
		for chunk := range slices.Chunk(ids, maxArgs) {
			query := "SELECT " + quoteAll(columns) + " FROM " + QuoteName(f.table) + " WHERE " + QuoteName(f.column) + " IN (" + marks(len(chunk)) + ")"
			err := each(ctx, t, query, chunk, func(scan RowScanner) error {
				r, err := scanRow(scan, columns)
				c := Change{Table: f.table, Key: t.schema.Key(f.table), Before: r}
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
