package data

import "context"

// SchemaStatements are the statements that make the tables, indexes, views and triggers of the
// file, as they stand in it.
func (db *DB) SchemaStatements(ctx context.Context) ([]string, error) {
	const query = "SELECT sql FROM main.sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table', name"
	return collect(ctx, db, "read schema", query, nil, func(scan RowScanner, s *string) error { return scan((*text)(s)) })
}

// PragmaValues are the settings of the file that SQLite knows by these names.
func (db *DB) PragmaValues(ctx context.Context, names ...string) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range names {
		err := db.each(ctx, "read settings", "PRAGMA "+name, nil, func(scan RowScanner) error {
			var v text
			err := scan(&v)
			out[name] = string(v)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
