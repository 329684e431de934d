package change

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Turn is one of the short transactions in which a set is written. It is good until the
// function that it was given to returns.
type Turn struct {
	t      *tx
	record int64
	number int
	began  time.Time
	most   time.Duration // That its statements may take.
	rows   int
	at     progress
}

// Exec runs a statement of a package below data, and returns how many rows it changed.
func (t *Turn) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	r, err := exec(ctx, t.t, query, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// EachRow runs a query and calls fn with every row. fn must not write rows that the query reads.
func (t *Turn) EachRow(ctx context.Context, query string, args []any, fn func(data.RowScanner) error) error {
	return data.EachRow(ctx, t.t, query, args, fn)
}

// Schema says what the file can do now: a host may have migrated it since it was opened.
func (t *Turn) Schema() *data.Schema { return t.t.Schema }

// Now returns when the turn began, by the clock of the handle.
func (t *Turn) Now() time.Time { return t.t.Now }

// Record returns the id of the record of the set.
func (t *Turn) Record() int64 { return t.record }

// Wrote counts rows towards the size of the turn.
func (t *Turn) Wrote(rows int) { t.rows += rows }

// Full reports whether the turn has taken its rows or its time: what is left is for the next.
func (t *Turn) Full() bool {
	return t.rows >= min(MaxTurnRows, t.t.db.PartRows) || time.Since(t.began) >= t.most
}

// Done returns how much of the set the turns before have written, in the unit of Progress.
func (t *Turn) Done() int64 { return t.at.Done }

// Progress says that done of total are written with this turn. unit names what is counted, in
// the plural.
func (t *Turn) Progress(done, total int64, unit string) { t.at = progress{done, total, unit} }

// setTurnTable has what the turns of a set note for its undo.
const setTurnTable = "lcm_tui_set_turn"

const setTurnSchema = `CREATE TABLE IF NOT EXISTS lcm_tui_set_turn (
	record INTEGER NOT NULL,
	turn INTEGER NOT NULL,
	note TEXT NOT NULL,
	PRIMARY KEY (record, turn))`

// Note keeps, with the record, what the turn wrote, for a set that is undone by rule. A turn
// has one note.
func (t *Turn) Note(ctx context.Context, note any) error {
	text, err := json.Marshal(note)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	if _, err := t.t.ExecContext(ctx, setTurnSchema); err != nil {
		return fmt.Errorf("make the undo table: %w", err)
	}
	_, err = t.t.ExecContext(ctx, "INSERT INTO lcm_tui_set_turn (record, turn, note) VALUES (?, ?, ?)", t.record, t.number, string(text))
	return err
}

// SetNotes calls fn with the notes of a record's turns, the first turn first.
func SetNotes(ctx context.Context, db *data.DB, record int64, fn func(note json.RawMessage) error) error {
	if some, err := data.HasTable(ctx, db, setTurnTable); err != nil || !some {
		return err
	}
	const query = "SELECT note FROM lcm_tui_set_turn WHERE record = ? ORDER BY turn"
	return db.EachRow(ctx, "read record", query, []any{record}, func(scan data.RowScanner) error {
		var note data.Text
		if err := scan(&note); err != nil {
			return err
		}
		return fn(json.RawMessage(note))
	})
}

// batchesOfMessages selects the active batches that a host prepares from messages of a list: those
// whose range has them, and those of which a node names them.
const batchesOfMessages = "SELECT b.batch_id FROM " + data.PendingBatchTable + " b WHERE b." + lcm.ActiveBatch + ` AND (
	EXISTS (SELECT 1 FROM context_items ci WHERE ci.conversation_id = b.conversation_id AND ci.ordinal BETWEEN b.compactable_start_ordinal AND b.compactable_end_ordinal
		AND ci.message_id IN (SELECT value FROM json_each(?1)))
	OR EXISTS (SELECT 1 FROM ` + data.PendingNodeTable + " n JOIN " + data.PendingNodeMessageTable + ` l ON l.node_id = n.node_id WHERE n.batch_id = b.batch_id
		AND l.message_id IN (SELECT value FROM json_each(?1)))) ORDER BY 1`

// GiveUp makes the pending batches stale that a host prepares from some messages, as the host does when it
// gives one up: the batch gets the reason, and its open nodes lose their leases and keep their texts. What
// changes such messages calls it in the same turn: a host looks before the transaction in which it publishes. Undo
// doesn't make them active again. It returns the number of batches; files before 1.0 have none.
func (t *Turn) GiveUp(ctx context.Context, reason string, messages []int64) (batches int64, err error) {
	s := t.Schema()
	if !s.Has(data.PendingBatchTable, "compactable_start_ordinal", "compactable_end_ordinal", "failure_summary") || !s.Has(data.PendingNodeTable, "batch_id", "lease_owner", "lease_expires_at") ||
		!s.Has(data.PendingNodeMessageTable, "node_id", "message_id") || len(messages) == 0 {
		return 0, nil
	}
	list, err := json.Marshal(messages)
	if err != nil {
		return 0, err
	}
	var ids []string
	err = t.EachRow(ctx, batchesOfMessages, []any{string(list)}, func(scan data.RowScanner) error {
		ids = append(ids, "")
		return scan(&ids[len(ids)-1])
	})
	if err != nil {
		return 0, err
	}
	return int64(len(ids)), t.GiveUpBatches(ctx, reason, ids)
}

// GiveUpBatches makes batches stale, as GiveUp does with those that it finds. Columns that the file lacks are left out.
func (t *Turn) GiveUpBatches(ctx context.Context, reason string, ids []string) (err error) {
	now := data.FormatTime(t.Now())
	nodes := "UPDATE " + data.PendingNodeTable + " SET status = '" + lcm.NodeStale + "', lease_owner = NULL, lease_expires_at = NULL, updated_at = ? WHERE batch_id = ? AND " + openNode
	hasNodes := t.Schema().Has(data.PendingNodeTable, "batch_id", "status", "lease_owner", "lease_expires_at", "updated_at")
	for _, id := range ids {
		if err == nil && hasNodes {
			_, err = t.Exec(ctx, nodes, now, id)
		}
		if err == nil {
			_, err = t.Exec(ctx, "UPDATE "+data.PendingBatchTable+" SET status = '"+lcm.BatchStale+"', failure_summary = ?, updated_at = ? WHERE batch_id = ?", reason, now, id)
		}
	}
	return err
}
