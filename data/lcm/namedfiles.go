package lcm

import (
	"context"

	"lcm-tui/data"
)

// NamedFiles returns the paths of the files that rows name, wherever they lie: large files, and the
// transcripts that the host reads.
func NamedFiles(ctx context.Context, db data.Querier) (paths []string, err error) {
	for _, place := range []struct{ table, column string }{
		{"large_files", "storage_uri"},
		{data.BootstrapTable, "session_file_path"},
	} {
		if !db.Schema().Has(place.table, place.column) {
			continue
		}
		query := "SELECT DISTINCT " + place.column + " FROM " + place.table + " WHERE " + place.column + " <> ''"
		err = data.Each(ctx, db, "read the paths of files", query, nil, func(scan data.RowScanner) error {
			var path data.Text
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
