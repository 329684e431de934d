package data

import "context"

// NamedFiles are the paths of the files that rows name, wherever they lie: large files, and the
// transcripts that the host reads.
func (db *DB) NamedFiles(ctx context.Context) (paths []string, err error) {
	for _, place := range []struct{ table, column string }{
		{"large_files", "storage_uri"},
		{bootstrapTable, "session_file_path"},
	} {
		if !db.Schema().Has(place.table, place.column) {
			continue
		}
		query := "SELECT DISTINCT " + place.column + " FROM " + place.table + " WHERE " + place.column + " <> ''"
		err = Each(ctx, db, "read the paths of files", query, nil, func(scan RowScanner) error {
			var path Text
			err := scan(&path)
			paths = append(paths, string(path))
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return paths, nil
}
