package change

import (
	"context"
	"database/sql"
	"strconv"

	"lcm-tui/data"
)

// OpSecrets is the operation of records that say where secrets were replaced. They have no values,
// so they can't be undone.
const OpSecrets = "secrets"

// MarkUnclean notes in the record of a set that pages of the file may still hold what the turn
// replaced: pages that are free, and gaps in others. The note stays until the file was rewritten.
func (t *Turn) MarkUnclean(ctx context.Context) error {
	const query = "UPDATE lcm_tui_undo SET detail = json_set(detail, '$.unclean_pages', coalesce(json_extract(detail, '$.unclean_pages'), 0) + 1) WHERE id = ?"
	_, err := t.t.ExecContext(ctx, query, t.record)
	return err
}

// UncleanRecord is a record of replaced secrets whose values may still stand in pages of the file.
type UncleanRecord struct {
	ID    int64
	turns int64 // How many turns have marked it.
}

// UncleanPagesError says that values which were replaced may still stand in pages of the file.
type UncleanPagesError struct{ Records []UncleanRecord }

func (e *UncleanPagesError) Error() string {
	ids := ""
	for i, r := range e.Records {
		if i > 0 {
			ids += ", "
		}
		ids += strconv.FormatInt(r.ID, 10)
	}
	return "the file isn't rewritten since secrets were replaced (record " + ids + "): its pages may still hold them"
}

// Hint says how the file is rewritten.
func (*UncleanPagesError) Hint() string {
	return "stop every program that has the database open, then give lcm-tui secrets --apply --irreversible: it rewrites the file, also where no secret is left to replace"
}

// ScreenHint says it for a screen.
func (*UncleanPagesError) ScreenHint() string {
	return "stop every other program that has the database open, then give unused space back: that rewrites the file"
}

const (
	hasRecordsSQL = "SELECT count(*) FROM main.sqlite_master WHERE type = 'table' AND name = '" + undoTable + "'"
	uncleanSQL    = `SELECT id, json_extract(detail, '$.unclean_pages') FROM main.lcm_tui_undo
		WHERE op = '` + OpSecrets + `' AND CASE WHEN json_valid(detail) THEN json_extract(detail, '$.unclean_pages') END > 0 ORDER BY id`
)

// UncleanRecords returns the records of replaced secrets since which the file wasn't rewritten, the
// oldest first.
func UncleanRecords(ctx context.Context, db *data.DB) ([]UncleanRecord, error) {
	if some, err := data.HasTable(ctx, db, undoTable); err != nil || !some {
		return nil, err
	}
	return data.Collect(ctx, db, "read history", uncleanSQL, nil, func(scan data.RowScanner, r *UncleanRecord) error { return scan(&r.ID, &r.turns) })
}

// CheckPages returns an *UncleanPagesError where the file wasn't rewritten since secrets were replaced.
func CheckPages(ctx context.Context, db *data.DB) error {
	records, err := UncleanRecords(ctx, db)
	if err == nil && len(records) > 0 {
		err = &UncleanPagesError{records}
	}
	return err
}

// UncleanPages works as UncleanRecords on a connection of the caller's own. MarkPagesClean takes them
// once the file is rewritten.
func UncleanPages(ctx context.Context, conn *sql.Conn) (out []UncleanRecord, err error) {
	var tables int
	if err := conn.QueryRowContext(ctx, hasRecordsSQL).Scan(&tables); err != nil || tables == 0 {
		return nil, err
	}
	err = data.EachRow(ctx, conn, uncleanSQL, nil, func(scan data.RowScanner) error {
		var r UncleanRecord
		err := scan(&r.ID, &r.turns)
		out = append(out, r)
		return err
	})
	return out, err
}

// MarkPagesClean notes that the file was rewritten since the turns of these records. One to which a
// turn was added meanwhile stays as it is. A record that was stopped will not go on, and says so.
func MarkPagesClean(ctx context.Context, conn *sql.Conn, records []UncleanRecord) error {
	const query = `UPDATE main.lcm_tui_undo SET detail = json_remove(detail, '$.unclean_pages'), title = replace(title, ?, ' (stopped before its end)')
		WHERE id = ? AND json_extract(detail, '$.unclean_pages') = ?`
	for _, r := range records {
		if _, err := conn.ExecContext(ctx, query, notFinished, r.ID, r.turns); err != nil {
			return err
		}
	}
	return nil
}

// CountBulkRecords counts the records that can be undone and have only digests of inserted rows.
func CountBulkRecords(ctx context.Context, db *data.DB) (n int, err error) {
	if some, err := data.HasTable(ctx, db, undoTable); err != nil || !some {
		return 0, err
	}
	parts := "0"
	if some, err := data.HasTable(ctx, db, partTable); err != nil {
		return 0, err
	} else if some {
		parts = "EXISTS (SELECT 1 FROM lcm_tui_undo_part p WHERE p.record = u.id AND instr(p.changes, ?1))"
	}
	query := "SELECT count(*) FROM lcm_tui_undo u WHERE undone_at IS NULL AND (instr(changes, ?1) OR " + parts + ")"
	_, err = data.One(ctx, db, "read history", query, []any{`"` + rowsColumn}, &n)
	return n, err
}
