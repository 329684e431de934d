package data

import "context"

// SchemaObjects are the tables, indexes, views and triggers of the file with the statements that
// make them, as they stand in it.
func (db *DB) SchemaObjects(ctx context.Context) ([]SchemaObject, error) {
	const query = "SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table', name"
	return Collect(ctx, db, "read schema", query, nil, func(scan RowScanner, o *SchemaObject) error {
		return scan((*Text)(&o.Kind), (*Text)(&o.Name), (*Text)(&o.SQL))
	})
}

// PragmaValues are the settings of the file that SQLite knows by these names.
func (db *DB) PragmaValues(ctx context.Context, names ...string) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range names {
		err := Each(ctx, db, "read settings", "PRAGMA "+name, nil, func(scan RowScanner) error {
			var v Text
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
