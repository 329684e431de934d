package prune

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/trash"
)

// HistoryOp deletes this program's own records and trash files that are older than a time. What
// they changed can't be undone any more.
type HistoryOp struct{ Before time.Time }

// Name implements ops.Op.
func (*HistoryOp) Name() string { return "prune" }

// Plan implements ops.Op.
func (o *HistoryOp) Plan(ctx context.Context, db *data.DB, _ data.Report) (ops.Plan, error) {
	records, bytes, err := removal.OldRecords(ctx, db, o.Before)
	if err != nil {
		return ops.Plan{}, err
	}
	files, err := trash.Expired(ctx, db, o.Before)
	if err == nil {
		files, err = withoutNeeded(ctx, db, files, records)
	}
	if err != nil {
		return ops.Plan{}, err
	}
	set := ops.Set{
		Verb: "history", Selector: "records and trash from before " + o.Before.Format(time.DateTime), Bytes: bytes,
		Rows: map[string]int64{"lcm_tui_undo": int64(len(records))}, Writer: &historyWriter{records, files},
	}
	for _, f := range files {
		set.Files = append(set.Files, ops.SetFile{Path: f.Path, Bytes: f.Bytes + f.FilesBytes, At: f.MadeAt.Time})
		set.Bytes += f.Bytes + f.FilesBytes
	}
	p := ops.NewSet(o.Name(), "delete "+plural.Count(len(records), "record", "records")+" and "+plural.Count(len(files), "trash file", "trash files"), set)
	if p.Empty() {
		return p, nil
	}
	p.Warn("what these records changed and these trash files keep can't be undone or restored afterwards, and this can't be undone either")
	return p, nil
}

// withoutNeeded returns the files of the trash but for those of records that stay and aren't undone: an unfinished one, or one
// that was written after its file. Without its file such a record could never be undone.
func withoutNeeded(ctx context.Context, db *data.DB, files []trash.File, deleted []change.Record) ([]trash.File, error) {
	all, err := change.History(ctx, db)
	needed := map[int64]bool{}
	for _, r := range all {
		needed[r.ID] = !r.Undone()
	}
	for _, r := range deleted {
		needed[r.ID] = false
	}
	return slices.DeleteFunc(files, func(f trash.File) bool { return needed[f.Record] }), err
}

// historyWriter deletes the records and files of a plan.
type historyWriter struct {
	records []change.Record
	files   []trash.File
}

// WriteSet implements ops.SetWriter.
func (w *historyWriter) WriteSet(ctx context.Context, db *data.DB, p ops.Plan, detail map[string]any, report data.Report) (change.Outcome, error) {
	out, err := removal.RemoveRecords(ctx, db, p.Title, w.records, detail, report)
	if err != nil {
		return out, err
	}
	return out, trash.Empty(ctx, db, w.files)
}
