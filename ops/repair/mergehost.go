package repair

import (
	"context"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ops/repair/draft"
)

// migrationModes are the modes of a transcript epoch, the worst last.
var migrationModes = []string{"verified", "repairable", "legacy_prefix", "corrupt"}

// mergeHostTables does what hosts of 1.0 do to their own tables when they repair a rollover
// split: the pending batches of both conversations are deleted, since their ranges mean other
// messages, trust rows follow their messages, and the epoch of the live conversation gets the
// worse mode of both.
func (m *merge) mergeHostTables(ctx context.Context) error {
	deleted := 0
	for _, c := range m.both() {
		batches, err := lcm.PendingBatches(ctx, m.state.db, lcm.PendingSelection{Conversation: c.ID})
		if err != nil {
			return err
		}
		var ids []string
		for _, b := range batches {
			ids = append(ids, b.ID)
		}
		changes, err := change.DeleteBatches(ctx, m.state.db, ids...)
		if err != nil {
			return err
		}
		for _, edit := range changes {
			m.state.rows.Delete(edit.Table, edit.Before)
		}
		deleted += len(ids)
	}
	if deleted > 0 {
		m.state.plan.Note(plural.Count(deleted, "pending batch of both conversations is", "pending batches of both conversations are") + " deleted; the host plans new ones")
	}
	trusted, err := data.ImagesIn(ctx, m.state.db, data.AnchorTrustTable, "conversation_id", []any{m.ended.ID}, "message_id", "conversation_id", "updated_at")
	if err != nil {
		return err
	}
	for _, r := range trusted {
		m.state.rows.Set(data.AnchorTrustTable, r, data.Row{"conversation_id": m.live.ID, "updated_at": m.state.db.FormatNow()})
	}
	return m.mergeEpochs(ctx)
}

// mergeEpochs joins the epochs of both conversations.
func (m *merge) mergeEpochs(ctx context.Context) error {
	var epochs [2]data.Row // The live one's first.
	for i, c := range m.both() {
		rows, err := data.Images(ctx, m.state.db, data.EpochTable, data.Row{"conversation_id": c.ID})
		if err != nil {
			return err
		}
		if len(rows) > 0 {
			epochs[i] = rows[0]
		}
	}
	live, ended := epochs[0], epochs[1]
	if ended == nil {
		return nil
	}
	m.state.rows.Delete(data.EpochTable, ended)
	if live != nil {
		mode := worseMode(draft.Text(live["migration_mode"]), draft.Text(ended["migration_mode"]))
		m.state.rows.Set(data.EpochTable, live, data.Row{"migration_mode": mode, "updated_at": m.state.db.FormatNow()})
		return nil
	}
	row := data.Row{}
	for column, v := range ended {
		row[column] = v
	}
	row["conversation_id"], row["updated_at"] = m.live.ID, m.state.db.FormatNow()
	sessions, err := data.ImagesIn(ctx, m.state.db, "conversations", "conversation_id", []any{m.live.ID}, "conversation_id", "session_id", "session_key")
	if err != nil {
		return err
	}
	for _, s := range sessions {
		row["session_id"], row["session_key"] = s["session_id"], s["session_key"]
	}
	m.state.rows.Insert(data.EpochTable, row)
	return nil
}

// worseMode returns the worse of two modes. One that no known host writes is the worst.
func worseMode(a, b string) string {
	rank := func(mode string) int {
		if i := slices.Index(migrationModes, mode); i >= 0 {
			return i
		}
		return len(migrationModes)
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}
