package change

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

// undoTable holds what was written. It is in the same file as the data because
// SQLite in WAL mode doesn't commit two files as one. It is made by the first
// write, never by browsing. Its ids are never used again though it has no
// AUTOINCREMENT, which would write into a table of the host: records are kept.
const undoTable = "lcm_tui_undo"

const undoSchema = `CREATE TABLE IF NOT EXISTS lcm_tui_undo (
	id INTEGER PRIMARY KEY,
	op TEXT NOT NULL,
	title TEXT NOT NULL,
	applied_at TEXT NOT NULL,
	undone_at TEXT,
	detail TEXT NOT NULL,
	changes TEXT NOT NULL,
	search TEXT NOT NULL)`

// Record is one write of this program.
type Record struct {
	ID        int64           `json:"id"`
	Op        string          `json:"op"`
	Title     string          `json:"title"`
	AppliedAt data.Time       `json:"applied_at"`
	UndoneAt  data.Time       `json:"undone_at"`
	Detail    json.RawMessage `json:"detail,omitempty"` // What the operation wants to remember, such as its impact.
	// Redoes is the undone record whose changes it made again, and RedoneBy the record that
	// made its changes again; 0 is none.
	Redoes   int64 `json:"redoes,omitempty"`
	RedoneBy int64 `json:"redone_by,omitempty"`
	// StaleBatches is how many pending batches it made stale, which stay so when it is undone,
	// and DeletedBatches how many it deleted.
	StaleBatches   int64 `json:"stale_batches,omitempty"`
	DeletedBatches int64 `json:"deleted_batches,omitempty"`
	// Unfinished says that parts of it are missing, or that parts of it are undone.
	Unfinished bool `json:"unfinished,omitempty"`
	// UncleanPages says that pages of the file may still hold the secrets that it replaced.
	UncleanPages bool `json:"unclean_pages,omitempty"`
	// RestoredOver is the backup that was restored over its changes, or empty.
	RestoredOver string `json:"restored_over,omitempty"`
}

// Undone reports whether the record was undone.
func (r Record) Undone() bool { return !r.UndoneAt.Null }

// HalfUndone reports whether the record was written whole and its undo was interrupted.
func (r Record) HalfUndone() bool { return r.Unfinished && !r.CutShort() }

// State returns what became of the record, in words.
func (r Record) State() string {
	switch {
	case r.RestoredOver != "":
		return "restored over"
	case r.Unfinished:
		return "not finished"
	case r.UncleanPages:
		return "pages not rewritten"
	case r.RedoneBy != 0:
		return fmt.Sprintf("redone as #%d", r.RedoneBy)
	case r.Undone():
		return "undone"
	}
	return "applied"
}

// ErrUndone says that a record was undone already.
var ErrUndone = errors.New("undone already")

// ErrNoRecord says that there is nothing to undo.
var ErrNoRecord = errors.New("there is nothing to undo")

func writeRecord(ctx context.Context, t *tx, b Batch, search []Change) (int64, error) {
	if _, err := t.ExecContext(ctx, undoSchema); err != nil {
		return 0, fmt.Errorf("make the undo table: %w", err)
	}
	if b.Bulk {
		var err error
		if search, err = digestInserts(search); err != nil {
			return 0, err
		}
	}
	changes, err := b.encode()
	if err != nil {
		return 0, fmt.Errorf("record: %w", err)
	}
	index, err := json.Marshal(search)
	if err != nil {
		return 0, fmt.Errorf("record: %w", err)
	}
	detail := b.Detail
	if detail == nil {
		detail = json.RawMessage("{}")
	}
	id, err := insertRecord(ctx, t, b.Op, b.Title, data.FormatTimeMillis(t.Now), string(detail), string(changes), string(index))
	if err != nil {
		return 0, fmt.Errorf("record: %w", err)
	}
	return id, noteAllowance(ctx, t, b, id)
}

// insertRecord inserts the row of a record. A home gives its number before: what inserts it is sent with the COMMIT.
func insertRecord(ctx context.Context, t *tx, cells ...any) (id int64, err error) {
	if t.IsHome() {
		if id, err = t.ReserveRecord(ctx); err != nil {
			return 0, err
		}
		_, err = t.ExecContext(ctx, `INSERT INTO lcm_tui_undo (op, title, applied_at, detail, changes, search, id) VALUES (?, ?, ?, ?, ?, ?, ?)`, append(cells, id)...)
		return id, err
	}
	r, err := t.ExecContext(ctx, `INSERT INTO lcm_tui_undo (op, title, applied_at, detail, changes, search) VALUES (?, ?, ?, ?, ?, ?)`, cells...)
	if err != nil {
		return 0, err
	}
	return r.LastInsertId()
}

// History returns the records of the file, newest first.
func History(ctx context.Context, db *data.DB) ([]Record, error) {
	if some, err := data.HasTable(ctx, db, undoTable); err != nil || !some {
		return nil, err
	}
	const query = `SELECT id, op, title, applied_at, undone_at, detail, CASE WHEN json_valid(detail) THEN json_extract(detail, '$.redoes') END,
		CASE WHEN json_valid(detail) THEN json_extract(detail, '$.stale_batches') END, CASE WHEN json_valid(detail) THEN json_extract(detail, '$.deleted_batches') END,
		CASE WHEN json_valid(detail) THEN json_extract(detail, '$.restored_over.backup') END,
		CASE WHEN json_valid(detail) THEN coalesce(json_extract(detail, '$.unclean_pages'), 0) ELSE 0 END > 0
		FROM lcm_tui_undo ORDER BY id DESC`
	all, err := data.Collect(ctx, db, "read history", query, nil, func(scan data.RowScanner, r *Record) error {
		var detail data.Text
		err := scan(&r.ID, (*data.Text)(&r.Op), (*data.Text)(&r.Title), &r.AppliedAt, &r.UndoneAt, &detail, (*data.Integer)(&r.Redoes), (*data.Integer)(&r.StaleBatches), (*data.Integer)(&r.DeletedBatches), (*data.Text)(&r.RestoredOver), &r.UncleanPages)
		if json.Valid([]byte(detail)) {
			r.Detail = json.RawMessage(detail)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return all, relate(ctx, db, all)
}

// relate fills in what records say of each other, and which of them aren't finished.
func relate(ctx context.Context, db *data.DB, all []Record) error {
	open, err := UnfinishedChanges(ctx, db)
	if err != nil {
		return err
	}
	at := map[int64]*Record{}
	for i := range all {
		at[all[i].ID] = &all[i]
	}
	for _, u := range open {
		if r := at[u.Record]; r != nil {
			r.Unfinished = true
		}
	}
	for _, r := range all { // The newest first, so that it is the one that counts.
		if done := at[r.Redoes]; done != nil && done.RedoneBy == 0 && !(r.Undone() && r.CutShort()) {
			done.RedoneBy = r.ID
		}
	}
	return nil
}

// RecordChanges returns the changes of a record as they were written, or a
// NotFoundError.
func RecordChanges(ctx context.Context, db *data.DB, id int64) (Record, []Change, error) {
	r, cs, err := recordedChanges(ctx, db, id)
	return r, slices.DeleteFunc(cs, Change.IsUnchanged), err
}

// recordedChanges works as RecordChanges with the rows that stood beside those that changed.
func recordedChanges(ctx context.Context, db *data.DB, id int64) (Record, []Change, error) {
	rs, err := History(ctx, db)
	if err != nil {
		return Record{}, nil, err
	}
	for _, r := range rs {
		if r.ID != id {
			continue
		}
		var raw data.Text
		if _, err := data.One(ctx, db, "read record", "SELECT changes FROM lcm_tui_undo WHERE id = ?", []any{id}, &raw); err != nil {
			return r, nil, err
		}
		cs, err := readChanges(string(raw))
		if err != nil {
			return r, nil, err
		}
		more, err := partChanges(ctx, db, id)
		return r, append(cs, more...), err
	}
	return Record{}, nil, db.NotFound("record", id)
}

// Last returns the newest record that isn't undone, or ErrNoRecord.
func Last(ctx context.Context, db *data.DB) (Record, error) {
	rs, err := History(ctx, db)
	if err != nil {
		return Record{}, err
	}
	return LastApplied(rs)
}

// LastApplied returns the newest of some records that isn't undone, or ErrNoRecord. Its text names the newest one, since an undo that
// was killed may have reached it.
func LastApplied(records []Record) (Record, error) {
	for _, r := range records {
		if !r.Undone() {
			return r, nil
		}
	}
	if len(records) > 0 && records[0].RestoredOver == "" {
		return Record{}, fmt.Errorf("%w: record %d is undone already", ErrNoRecord, records[0].ID)
	}
	return Record{}, ErrNoRecord
}

// searchOf returns the changes of search tables of a record that isn't undone.
func searchOf(ctx context.Context, t *tx, id int64) ([]Change, error) {
	var raw string
	err := t.QueryRowContext(ctx, "SELECT search FROM lcm_tui_undo WHERE id = ? AND undone_at IS NULL", id).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		err = ErrUndone
	}
	if err != nil {
		return nil, fmt.Errorf("record %d: %w", id, err)
	}
	return readChanges(raw)
}

// markUndone marks a record as undone.
func markUndone(ctx context.Context, t *tx, id int64) error {
	r, err := t.ExecContext(ctx, "UPDATE lcm_tui_undo SET undone_at = ? WHERE id = ? AND undone_at IS NULL", data.FormatTimeMillis(t.Now), id)
	if err == nil {
		var n int64
		if n, err = r.RowsAffected(); err == nil && n == 0 {
			err = ErrUndone
		}
	}
	if err != nil {
		return fmt.Errorf("record %d: %w", id, err)
	}
	return nil
}

// ChangesNotSent is what a replica has in the place of the changes of a record, as JSON. A file that is restored of the replica has it, too.
const ChangesNotSent = `"not sent"`

// ErrChangesNotSent says that a record came from a replica, which has no changes of records.
var ErrChangesNotSent = hint.New("what the record changed stands only in the file that was sent to the replica", "show it or undo it in that file; or plan a change that does the opposite")

// readChanges returns changes as they were recorded, or ErrChangesNotSent.
func readChanges(raw string) (cs []Change, err error) {
	if raw == ChangesNotSent {
		return nil, ErrChangesNotSent
	}
	if err := json.Unmarshal([]byte(raw), &cs); err != nil {
		return nil, err
	}
	return expandDigests(cs)
}

// InsertedSummaries returns the summaries that this program has made since a time.
func InsertedSummaries(ctx context.Context, db data.Querier, since time.Time) (map[string]bool, error) {
	out := map[string]bool{}
	query := "SELECT changes FROM lcm_tui_undo WHERE julianday(applied_at) >= julianday(?1)"
	parts, err := data.HasTable(ctx, db, partTable)
	if err != nil {
		return nil, err
	}
	if parts {
		query += " UNION ALL SELECT p.changes FROM lcm_tui_undo_part p JOIN lcm_tui_undo u ON u.id = p.record WHERE julianday(u.applied_at) >= julianday(?1)"
	}
	err = data.Each(ctx, db, "read history", query, []any{data.FormatTimeMillis(since)}, func(scan data.RowScanner) error {
		var raw data.Text
		if err := scan(&raw); err != nil {
			return err
		}
		cs, err := readChanges(string(raw))
		if errors.Is(err, ErrChangesNotSent) {
			err = nil
		}
		for _, c := range cs {
			if c.Table == "summaries" && c.Before == nil {
				out[data.CellText(c.After["summary_id"])] = true
			}
		}
		return err
	})
	return out, err
}

// RecordsOf returns the ids of the records that changed rows which name a conversation. It decodes only
// records of which a part keeps no more than the keys of rows, as those of imports do. In the others
// it looks for the member of a row, which no text can be taken for: its quotes are escaped.
func RecordsOf(ctx context.Context, db *data.DB, conv int64) (map[int64]bool, error) {
	member, rows := `"`+conversationColumn+`":`+strconv.FormatInt(conv, 10), `"`+rowsColumn+`":`
	out, byKey := map[int64]bool{}, map[int64]bool{}
	for table, id := range map[string]string{undoTable: "id", partTable: "record"} {
		some, err := data.HasTable(ctx, db, table)
		if err != nil {
			return nil, err
		}
		if !some {
			continue
		}
		err = data.Each(ctx, db, "read history", "SELECT "+id+", changes FROM "+table, nil, func(scan data.RowScanner) error {
			var id data.Integer
			var raw data.Text
			err := scan(&id, &raw)
			changes := string(raw)
			out[int64(id)] = out[int64(id)] || strings.Contains(changes, member+",") || strings.Contains(changes, member+"}")
			byKey[int64(id)] = byKey[int64(id)] || strings.Contains(changes, rows)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	for id, keys := range byKey {
		if out[id] || !keys {
			continue
		}
		_, changes, err := RecordChanges(ctx, db, id)
		if err != nil {
			return nil, err
		}
		out[id] = slices.ContainsFunc(changes, func(c Change) bool { return c.isOf(conv) })
	}
	return out, nil
}

// conversationColumn is the column by which a row names its conversation.
const conversationColumn = "conversation_id"

// isOf reports whether a row of a change names a conversation.
func (c Change) isOf(conv int64) bool {
	for _, row := range []data.Row{c.Before, c.After} {
		if v, ok := row[conversationColumn]; ok && data.CellInteger(v) == conv {
			return true
		}
	}
	return false
}

// Receipt names a trash file in the record of the prune.
type Receipt struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
	// Rows are the copied rows by table.
	Rows map[string]int64 `json:"rows"`
}

// Name returns the name of the file in its folder.
func (r Receipt) Name() string { return filepath.Base(r.Path) }

// ReceiptOf returns the receipt in the record of a prune, and false where it has none.
func ReceiptOf(r Record) (Receipt, bool) {
	var detail struct {
		Trash *Receipt `json:"trash"`
	}
	if json.Unmarshal(r.Detail, &detail) != nil || detail.Trash == nil || detail.Trash.Path == "" {
		return Receipt{}, false
	}
	return *detail.Trash, true
}
