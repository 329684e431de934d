package data

import "context"

// ColumnValues are the values, other than NULL, that a column has in the rows of a
// conversation.
func (db *DB) ColumnValues(ctx context.Context, table, column string, conv int64) (map[string]bool, error) {
	out := map[string]bool{}
	if !db.schema.Has(table, column, "conversation_id") {
		return out, nil
	}
	query := "SELECT " + QuoteName(column) + " FROM " + QuoteName(table) + " WHERE conversation_id = ? AND " + QuoteName(column) + " IS NOT NULL"
	err := db.each(ctx, "read "+table, query, []any{conv}, func(scan RowScanner) error {
		var v text
		err := scan(&v)
		out[string(v)] = true
		return err
	})
	return out, err
}
