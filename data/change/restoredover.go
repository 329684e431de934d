package change

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/sorting"
)

// ErrRestoredOver says that a record is of a write whose rows a backup has replaced since.
var ErrRestoredOver = errors.New("a backup from before it was restored, so its changes aren't in the file any more")

// restoredOverError returns ErrRestoredOver about a record.
func restoredOverError(r Record) error {
	return &hint.Error{
		Text: fmt.Sprintf("record %d can be neither undone nor redone: %v (%s)", r.ID, ErrRestoredOver, r.RestoredOver),
		Next: "plan the same change again; or restore the copy that was made before the backup was restored",
		Err:  ErrRestoredOver,
	}
}

// RecordsMissingIn returns the records of this file that a backup of it lacks, oldest first.
func RecordsMissingIn(ctx context.Context, db *data.DB, backup *data.DB) ([]Record, error) {
	live, err := History(ctx, db)
	if err != nil {
		return nil, err
	}
	old, err := History(ctx, backup)
	if err != nil {
		return nil, err
	}
	live = slices.DeleteFunc(live, func(r Record) bool {
		return slices.ContainsFunc(old, func(o Record) bool { return o.ID == r.ID && o.AppliedAt == r.AppliedAt })
	})
	sorting.Stable(live, func(a, b *Record) int { return int(a.ID - b.ID) })
	return live, nil
}

// KeepRecords inserts records into a file over which a backup was restored, as records that can be
// neither undone nor redone, because their changes aren't in the file. A number that the backup uses
// for another record is changed.
func KeepRecords(ctx context.Context, q interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
}, records []Record, backup string, now time.Time,
) error {
	if len(records) == 0 {
		return nil
	}
	if _, err := q.ExecContext(ctx, undoSchema); err != nil {
		return fmt.Errorf("make the undo table: %w", err)
	}
	at := data.FormatTimeMillis(now.UTC())
	for _, r := range records {
		detail := map[string]any{}
		if json.Unmarshal(r.Detail, &detail) != nil || detail == nil {
			detail = map[string]any{}
		}
		detail["restored_over"] = map[string]string{"backup": backup, "at": at}
		text, err := json.Marshal(detail)
		if err != nil {
			return err
		}
		undone := at
		if r.Undone() {
			undone = data.FormatTimeMillis(r.UndoneAt.Time)
		}
		const insert = `INSERT INTO lcm_tui_undo (id, op, title, applied_at, undone_at, detail, changes, search)
			VALUES (CASE WHEN EXISTS (SELECT 1 FROM lcm_tui_undo WHERE id = ?1) THEN NULL ELSE ?1 END, ?2, ?3, ?4, ?5, ?6, '[]', '[]')`
		if _, err := q.ExecContext(ctx, insert, r.ID, r.Op, r.Title, data.FormatTimeMillis(r.AppliedAt.Time), undone, string(text)); err != nil {
			return fmt.Errorf("keep record %d: %w", r.ID, err)
		}
	}
	return nil
}
