package removal

import (
	"context"
	"encoding/json"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// recordTables are this program's tables that keep what records changed, with the column that
// names the record.
var recordTables = []struct{ table, record string }{
	{"lcm_tui_undo_part", "record"},
	{"lcm_tui_set_turn", "record"},
	{"lcm_tui_undo", "id"},
}

// OldRecords returns the records that are older than a time and of which nothing is missing, the
// oldest first, and the bytes that they take. Records of replaced secrets aren't among them: they say
// which numbers the placeholders have.
func OldRecords(ctx context.Context, db *data.DB, before time.Time) (out []change.Record, bytes int64, err error) {
	all, err := change.History(ctx, db)
	if err != nil {
		return nil, 0, err
	}
	ids := []int64{}
	for i := len(all) - 1; i >= 0; i-- {
		if r := all[i]; !r.Unfinished && r.Op != change.OpSecrets && r.AppliedAt.Valid() && r.AppliedAt.Before(before) {
			out, ids = append(out, r), append(ids, r.ID)
		}
	}
	if len(out) == 0 {
		return nil, 0, nil
	}
	const undo = "SELECT coalesce(sum(octet_length(changes) + octet_length(search) + octet_length(detail)), 0) FROM lcm_tui_undo WHERE id IN (SELECT value FROM json_each(?))"
	const parts = "SELECT coalesce(sum(octet_length(changes) + octet_length(search)), 0) FROM lcm_tui_undo_part WHERE record IN (SELECT value FROM json_each(?))"
	for table, query := range map[string]string{"lcm_tui_undo": undo, "lcm_tui_undo_part": parts} {
		if some, err := hasTable(ctx, reader(db), table); err != nil || !some {
			if err != nil {
				return nil, 0, err
			}
			continue
		}
		err := db.EachRow(ctx, "read history", query, []any{jsonList(ids)}, func(scan data.RowScanner) error {
			var n int64
			err := scan(&n)
			bytes += n
			return err
		})
		if err != nil {
			return nil, 0, err
		}
	}
	return out, bytes, nil
}

// hasTable reports whether the file has a table by now.
func hasTable(ctx context.Context, read rowReader, name string) (some bool, err error) {
	err = read(ctx, "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", []any{name}, func(data.RowScanner) error {
		some = true
		return nil
	})
	return some, err
}

// RemoveRecords deletes records for good, under a record of its own, which keeps their ids from
// being used again.
func RemoveRecords(ctx context.Context, db *data.DB, title string, records []change.Record, detail map[string]any, report data.Report) (change.Outcome, error) {
	text, err := json.Marshal(detail)
	if err != nil {
		return change.Outcome{}, err
	}
	left, total := records, int64(len(records))
	return change.WriteSet(ctx, db, change.SetWrite{Op: "prune", Title: title, Detail: text, NoUndo: true, Report: report, Write: func(ctx context.Context, t *change.Turn) (bool, error) {
		n := 0
		for ; n < len(left) && !t.Full(); n++ {
			for _, r := range recordTables {
				if some, err := hasTable(ctx, t.EachRow, r.table); err != nil || !some {
					if err != nil {
						return false, err
					}
					continue
				}
				if _, err := t.Exec(ctx, "DELETE FROM "+r.table+" WHERE "+r.record+" = ?", left[n].ID); err != nil {
					return false, err
				}
			}
			t.Wrote(1)
		}
		left = left[n:]
		t.Progress(total-int64(len(left)), total, "records")
		return len(left) == 0, nil
	}})
}
