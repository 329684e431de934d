package trash

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/leftover"
)

// isAtWork reports whether a prune of a database is at work, or may be. It makes large files before their rows, so what
// has no row then may get one.
func isAtWork(db *data.DB) bool { return leftover.InUse(data.TrashFolder(db.Path()), markName) }

// removeUnnamed removes the large files that were made for messages of a trash file, and that no row names: their payloads
// stand in the messages again, since they were restored, or still, since the prune was stopped. Files of a message that names
// them stay, since a repair may bring their rows back.
func (r Restore) removeUnnamed(ctx context.Context, db *data.DB) error {
	if r.File.Problem != "" || r.File.Removed != removedTexts || !r.isOfOrigin(db) {
		return nil
	}
	from, err := data.Open(ctx, r.File.Path)
	if err != nil {
		return err
	}
	has := from.Schema().Has(replacementTable, "paths")
	if err := from.Close(); err != nil || !has {
		return err
	}
	reader, err := db.OpenReader(ctx, "ATTACH "+quoted(data.FileURI(r.File.Path, "mode=ro"))+" AS trash")
	if err != nil {
		return err
	}
	made := map[string]string{} // Paths by the ids of the files.
	const query = "SELECT r.files, r.paths FROM trash." + replacementTable + " r JOIN main.messages m ON m.message_id = r.message_id WHERE NOT " + namesFiles
	err = reader.EachRow(ctx, "read the trash", query, nil, func(scan data.RowScanner) error {
		var files, paths string
		var ids, at []string
		if err := errors.Join(scan(&files, &paths), json.Unmarshal([]byte(files), &ids), json.Unmarshal([]byte(paths), &at)); err != nil {
			return err
		}
		for i := range min(len(ids), len(at)) {
			made[ids[i]] = at[i]
		}
		return nil
	})
	if err := errors.Join(err, reader.Close()); err != nil || len(made) == 0 {
		return err
	}
	rows, err := lcm.FileIDs(ctx, db)
	if err != nil || isAtWork(db) {
		return err
	}
	for id, path := range made {
		isOwn := strings.HasPrefix(id, lcm.FileIDPrefix) && strings.HasPrefix(filepath.Base(path), id+".") // Else somebody altered the trash.
		if _, named := rows[id]; !named && isOwn {
			_ = os.Remove(path) // One that stays is a file without a row, which a prune of files finds.
		}
	}
	return nil
}
