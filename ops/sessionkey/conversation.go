package sessionkey

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/ops"
)

// The tables that say which session a conversation belongs to.
const (
	conversations = "conversations"
	bootstrap     = "conversation_bootstrap_state"
	maintenance   = "conversation_compaction_maintenance"
	focusBriefs   = "focus_briefs"
)

// conversation is a conversation with the rows that say which session it belongs to.
type conversation struct {
	lcm.Conversation
	row        data.Row
	transcript data.Row // What the host notes of its transcript; nil where there is no row.
	keepsTime  bool     // updated_at stays: it is the time of the newest message, as an import notes it.
}

// read reads a conversation, or returns a *data.NotFoundError.
func read(ctx context.Context, db *data.DB, id int64) (c conversation, err error) {
	if c.Conversation, err = lcm.ReadConversation(ctx, db, id); err != nil {
		return c, err
	}
	if c.row, err = onlyRow(ctx, db, conversations, id); err != nil {
		return c, err
	}
	c.transcript, err = onlyRow(ctx, db, bootstrap, id)
	return c, err
}

// onlyRow returns the row of a conversation in a table, whole; nil where there is none.
func onlyRow(ctx context.Context, db *data.DB, table string, conv int64) (data.Row, error) {
	rows, err := data.Images(ctx, db, table, data.Row{"conversation_id": conv})
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	return rows[0], nil
}

// path returns the transcript that the host follows for the conversation; empty where it follows none.
func (c conversation) path() string { return data.CellText(c.transcript["session_file_path"]) }

// name returns how texts name the conversation.
func (c conversation) name() string { return c.Label() }

// isOne reports whether hosts of 1.0 keep the file: they find sessions in their databases alone, follow
// no session file, and go by anchors.
func isOne(db *data.DB) bool { return db.Kind().Generation == data.GenerationOne }

// set adds a change of the conversation's row, with the time of the change.
func (c conversation) set(db *data.DB, p *ops.Plan, columns data.Row) {
	if !c.keepsTime {
		columns["updated_at"] = db.FormatNow()
	}
	setColumns(db, p, conversations, c.row, columns)
}

// setColumns adds a change of some columns of a row, as far as the table has them and they differ.
func setColumns(db *data.DB, p *ops.Plan, table string, row, columns data.Row) {
	differs := false
	for column, v := range columns {
		if !db.Schema().Has(table, column) {
			delete(columns, column)
			continue
		}
		differs = differs || column != "updated_at" && !isSame(row[column], v)
	}
	if differs {
		p.Changes = append(p.Changes, change.Update(db, table, row, columns))
	}
}

// isSame reports whether two cells have the same value.
func isSame(a, b any) bool {
	return (a == nil) == (b == nil) && data.CellText(a) == data.CellText(b)
}

// detach has the host look for the transcript of the conversation again. It reports whether there is
// anything to change.
func (c conversation) detach(db *data.DB, p *ops.Plan) bool {
	if c.path() == "" || isOne(db) { // A row of an upgraded file, which no host reads any more.
		return false
	}
	setColumns(db, p, bootstrap, c.transcript, data.Row{"session_file_path": "", "updated_at": db.FormatNow()})
	return true
}

// copyKey gives the focus briefs of the conversation its new key, where they have its old one.
func (c conversation) copyKey(ctx context.Context, db *data.DB, p *ops.Plan, key any) error {
	rows, err := data.Images(ctx, db, focusBriefs, data.Row{"conversation_id": c.ID})
	for _, r := range rows {
		columns := data.Row{}
		for _, column := range []string{"session_key", "generator_session_key"} {
			if c.SessionKey != "" && data.CellText(r[column]) == c.SessionKey {
				columns[column] = key
			}
		}
		setColumns(db, p, focusBriefs, r, columns)
	}
	return err
}

// closeMaintenance ends the compaction that a host owes the conversation: nobody compacts an archived
// one.
func (c conversation) closeMaintenance(ctx context.Context, db *data.DB, p *ops.Plan) error {
	r, err := onlyRow(ctx, db, maintenance, c.ID)
	if err != nil || r == nil || data.CellInteger(r["pending"]) == 0 && data.CellInteger(r["running"]) == 0 {
		return err
	}
	setColumns(db, p, maintenance, r, lcm.SettledMaintenance(db, r))
	return nil
}

// archive ends the conversation. What a host prepared for it goes: nobody publishes it, or tidies it up.
func (c conversation) archive(ctx context.Context, db *data.DB, p *ops.Plan, cause string) error {
	c.set(db, p, data.Row{"active": int64(0), "archived_at": db.FormatNow(), "archive_cause": cause})
	if err := c.deleteBatches(ctx, db, p); err != nil {
		return err
	}
	return c.closeMaintenance(ctx, db, p)
}

// deleteBatches deletes all pending batches of the conversation, finished ones too.
func (c conversation) deleteBatches(ctx context.Context, db *data.DB, p *ops.Plan) error {
	if !db.Schema().Has(data.PendingBatchTable, "batch_id", "conversation_id") {
		return nil
	}
	rows, err := data.ImagesIn(ctx, db, data.PendingBatchTable, "conversation_id", []any{c.ID}, "batch_id")
	if err != nil {
		return err
	}
	var ids []string
	for _, r := range rows {
		ids = append(ids, data.CellText(r["batch_id"]))
	}
	gone, err := change.DeleteBatches(ctx, db, ids...)
	p.Changes = append(p.Changes, gone...)
	return err
}
