package prune

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
)

// FilesFolder returns the folder of large files if it lies beside the database, else empty: elsewhere
// they may be those of another database, of which this one is a copy.
func FilesFolder(db *data.DB, folder string) string {
	parent, err := os.Stat(filepath.Dir(folder))
	if err != nil {
		return "" // There is no such folder, so there are no files to move.
	}
	if beside, err := os.Stat(filepath.Dir(db.Path())); err != nil || !os.SameFile(parent, beside) {
		return ""
	}
	return folder
}

// FilesOp moves large files that no row names into the trash.
type FilesOp struct {
	// Folder is where large files lie. It is chosen by hand, since the files of another database
	// may lie there, which has their rows.
	Folder string
}

// Name implements ops.Op.
func (*FilesOp) Name() string { return "prune" }

// Plan implements ops.Op.
func (o *FilesOp) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	if info, err := os.Stat(o.Folder); err != nil || !info.IsDir() {
		return ops.Plan{}, fmt.Errorf("there is no folder %s", o.Folder)
	}
	report(0, 0, "looking for files without a row")
	orphans, named, err := removal.OrphanFiles(ctx, db, o.Folder)
	if err != nil {
		return ops.Plan{}, err
	}
	set := ops.Set{Verb: "files", Selector: "large files in " + o.Folder + " that no row names, older than a day", Trash: data.TrashFolder(db.Path())}
	for _, f := range orphans {
		set.Files = append(set.Files, ops.SetFile{Path: f.Path, Bytes: f.Bytes, At: f.ModifiedAt})
		set.Bytes += f.Bytes
	}
	set.TrashBytes = set.Bytes
	set.Writer = &filesWriter{orphans}
	p := ops.NewSet(o.Name(), "move "+plural.Count(len(orphans), "large file without a row", "large files without a row")+" into the trash", set)
	if named > 0 {
		p.Note(plural.Count(named, "file has", "files have") + " no row, but texts name " + plural.Noun(named, "it", "them") + ": a repair may bring the rows back, so they stay")
	}
	p.Note("files of another database that has the same folder aren't known here: make sure that no other one uses it")
	return p, nil
}

// filesWriter moves the files of a plan.
type filesWriter struct{ orphans []removal.OrphanFile }

// WriteSet implements ops.SetWriter.
func (w *filesWriter) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	out, err := removal.RemoveFiles(ctx, db, removal.Request{Title: p.Title, Selector: p.Set.Selector}, w.orphans, detail, report)
	warnUnmoved(db, out)
	return out.Outcome, err
}

// warnUnmoved says which files couldn't be moved into the trash.
func warnUnmoved(db *data.DB, out removal.Result) {
	if n := len(out.Unmoved); n > 0 {
		db.Warn(fmt.Errorf("%s couldn't be moved into the trash and lie in the files folder without a row: the first is %s", plural.Count(n, "large file", "large files"), out.Unmoved[0]))
	}
}
