package removal

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/ops/trash"
)

// orphanAge is how old a file must be: a host writes a file before the row that names it.
const orphanAge = 24 * time.Hour

// OrphanFile is a large file that no row names.
type OrphanFile struct {
	trash.StoredFile
	ModifiedAt time.Time
}

// OrphanFiles finds the large files in a folder that no row of large_files names and that are
// older than a day. named is how many more there are whose ids stand in texts: a repair may bring
// their rows back. Only names that hosts give are looked at.
func OrphanFiles(ctx context.Context, db *data.DB, folder string) (orphans []OrphanFile, named int, err error) {
	rows, err := lcm.FileIDs(ctx, db)
	if err != nil {
		return nil, 0, err
	}
	paths, err := storedPaths(ctx, db)
	if err != nil {
		return nil, 0, err
	}
	err = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		id := fileID(e.Name())
		_, hasRow := rows[id]
		if !e.Type().IsRegular() || id == "" || hasRow || paths[path] {
			return ctx.Err()
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		if db.Now().Sub(info.ModTime()) > orphanAge {
			conversation, _ := strconv.ParseInt(filepath.Base(filepath.Dir(path)), 10, 64) // 0 where the folder has another name.
			stored := trash.StoredFile{ID: id, Conversation: conversation, Path: path, Bytes: info.Size()}
			orphans = append(orphans, OrphanFile{stored, info.ModTime()})
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, 0, err
	}
	found := len(orphans)
	orphans, err = withoutNamed(ctx, db, orphans)
	return orphans, found - len(orphans), err
}

// fileID returns the id with which the name of a large file begins, or is empty.
func fileID(name string) (id string) {
	lcm.EachFileID(name, func(at int, found string) {
		if at == 0 {
			id = found
		}
	})
	return id
}

// storedPaths returns the paths that rows name.
func storedPaths(ctx context.Context, db *data.DB) (map[string]bool, error) {
	out := map[string]bool{}
	if !db.Schema().Has("large_files", "storage_uri") {
		return out, nil
	}
	err := db.EachRow(ctx, "read large files", "SELECT storage_uri FROM large_files", nil, func(scan data.RowScanner) error {
		var uri data.Text
		err := scan(&uri)
		out[filepath.Clean(strings.TrimPrefix(string(uri), "file://"))] = true
		return err
	})
	return out, err
}

// textTables are the tables of whose texts a repair or a host can bring back the row of a file.
var textTables = []string{"messages", "message_parts", "summaries", "focus_briefs", data.PendingNodeTable}

// withoutNamed returns the files whose ids stand in no text.
func withoutNamed(ctx context.Context, db *data.DB, orphans []OrphanFile) ([]OrphanFile, error) {
	if len(orphans) == 0 {
		return nil, nil
	}
	wanted := map[string]bool{}
	for _, o := range orphans {
		wanted[o.ID] = true
	}
	for _, table := range textTables {
		for _, column := range db.Schema().TextColumns(table) {
			name := data.QuoteName(column)
			query := "SELECT " + name + " FROM " + table + " WHERE instr(" + name + ", '" + lcm.FileIDPrefix + "')"
			err := db.EachRow(ctx, "read texts", query, nil, func(scan data.RowScanner) error {
				var text data.Text
				err := scan(&text)
				lcm.EachFileID(string(text), func(_ int, id string) { delete(wanted, id) })
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return slices.DeleteFunc(orphans, func(o OrphanFile) bool { return !wanted[o.ID] }), nil
}

// RemoveFiles moves large files that no row names into the trash, under a record. Those for which
// a row came since stay.
func RemoveFiles(ctx context.Context, db *data.DB, r Request, orphans []OrphanFile, detail map[string]any, report data.Report) (out Result, err error) {
	var files []trash.StoredFile
	rows, err := lcm.FileIDs(ctx, db)
	if err != nil {
		return out, err
	}
	for _, o := range orphans {
		if _, hasRow := rows[o.ID]; !hasRow {
			files = append(files, o.StoredFile)
		}
	}
	if len(files) == 0 {
		return out, &data.StaleError{What: "every one of the files", Why: "has a row by now"}
	}
	contents := trash.Contents{Verb: "files", Selector: r.Selector, Files: files}
	out.Outcome, err = trash.Keep(ctx, db, contents, detail, report, func(receipt change.Receipt, text json.RawMessage) (change.Outcome, error) {
		out.Trash = receipt
		set := change.SetWrite{Op: "prune", Title: r.Title, Detail: text, Report: report}
		set.Write = func(_ context.Context, t *change.Turn) (bool, error) {
			t.Progress(int64(len(files)), int64(len(files)), "files")
			return true, nil
		}
		return change.WriteSet(ctx, db, set)
	})
	if err != nil {
		return out, err
	}
	out.Files, out.Unmoved = moveFiles(out.Trash, files)
	if out.Files == 0 {
		return out, fmt.Errorf("no file could be moved into the trash; the first is %s", out.Unmoved[0])
	}
	return out, nil
}
