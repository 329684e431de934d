package trash

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/leftover"
)

// markName begins the name of the file by which others see that a process is at work between a file of the trash and
// the record of it.
const markName = "prune"

// Keep writes what is going to be removed to a new file in the trash, as Create does, and then calls remove, which
// removes it from the database under one record with the detail that it is given: that of the caller, with the receipt. Where
// remove fails before anything is written, the file of the trash goes. Before, it cleans up after stopped prunes and restores.
func Keep(ctx context.Context, db *data.DB, c Contents, detail map[string]any, report data.Report, remove func(change.Receipt, json.RawMessage) (change.Outcome, error)) (out change.Outcome, err error) {
	if err := CheckFolder(db); err != nil {
		return out, err
	}
	cleanUp(ctx, db)
	mark, err := leftover.CreateFile(data.TrashFolder(db.Path()), markName)
	if err != nil {
		return out, folderError(data.TrashFolder(db.Path()), err)
	}
	defer func() {
		_ = os.Remove(mark.Name()) // The next prune removes one that stays.
		_ = mark.Close()
	}()
	receipt, err := Create(ctx, db, c, report)
	if err != nil {
		return out, err
	}
	detail["trash"] = receipt
	text, err := json.Marshal(detail)
	if err == nil {
		out, err = remove(receipt, text)
	}
	var stopped *change.StoppedError
	if err != nil && !errors.As(err, &stopped) {
		err = errors.Join(err, os.Remove(receipt.Path))
	}
	return out, err
}

// cleanUp removes large files that stopped prunes and restores left without a row, and files of the trash whose prunes
// were stopped before they removed anything: no record has them, and all that is in them is in the database. While another
// prune is at work, its files may be among them, so all stay. What can't be removed or read stays, and keeps nobody from pruning.
func cleanUp(ctx context.Context, db *data.DB) {
	_ = removeEmptied(db) // The run that was told to delete them says what it can't.
	entries, _ := os.ReadDir(data.TrashFolder(db.Path()))
	there := map[string]bool{}
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".db" {
			there[e.Name()] = true
		}
	}
	if len(there) == 0 || isAtWork(db) { // After the names were read, and before the records are.
		return
	}
	files, _ := List(ctx, db)
	for _, f := range files {
		_ = Restore{File: f}.removeUnnamed(ctx, db) // What stays is found by a prune of files.
		if there[f.Name] && f.Record == 0 && f.Problem == "" && isAllThere(ctx, db, f) {
			_ = os.Remove(f.Path) // One that stays is listed in the trash.
		}
	}
}

// isAllThere reports whether the database is known to have all that is in a file of the trash.
func isAllThere(ctx context.Context, db *data.DB, f File) bool {
	r := Restore{File: f}
	p, err := r.Preview(ctx, db)
	if err != nil || !p.Empty() || p.Changed+p.Lost > 0 {
		return false
	}
	for _, s := range f.Files {
		if _, err := os.Lstat(f.Stored(s)); !errors.Is(err, os.ErrNotExist) {
			return false
		}
	}
	w, err := r.begin(ctx, db)
	if err != nil {
		return false
	}
	missing, err := w.missingRows(ctx, db)
	return err == nil && missing == 0
}

// missingRows counts the rows of the file, of whichever table, whose keys aren't in the database.
func (w *restorer) missingRows(ctx context.Context, db *data.DB) (missing int64, err error) {
	reader, err := db.OpenReader(ctx, "ATTACH "+quoted(data.FileURI(w.restore.File.Path, "mode=ro"))+" AS trash")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, reader.Close()) }()
	for table, rows := range w.restore.File.Rows {
		if rows == 0 {
			continue
		}
		query := "SELECT count(*) FROM trash." + data.QuoteName(table) + " s WHERE NOT EXISTS (SELECT 1 FROM main." + data.QuoteName(table) + " m WHERE " + w.sameKey(table) + ")"
		if err := reader.EachRow(ctx, "read the trash", query, nil, func(scan data.RowScanner) error {
			var n int64
			err := scan(&n)
			missing += n
			return err
		}); err != nil {
			return 0, err
		}
	}
	return missing, nil
}
