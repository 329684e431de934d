package change

import (
	"context"
	"encoding/json"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

// checkAlone fails where another process may have the file open. It asks under the write lock: who opens
// the file later reads what the transaction writes.
func checkAlone(t *tx) error {
	if isAway(t) {
		return nil
	}
	return &hint.Error{Text: t.holders.String() + ", and this is written only while no other has", Next: "stop the host and what else has the database open, and try again", Err: data.ErrInUse}
}

// noteAlone notes in a record that it was written while no other process had the file open.
func noteAlone(ctx context.Context, t *tx, record int64) error {
	_, err := t.ExecContext(ctx, `UPDATE lcm_tui_undo SET detail = json_set(CASE WHEN json_valid(detail) THEN detail ELSE '{}' END, '$.alone', json('true')) WHERE id = ?`, record)
	if err != nil {
		return fmt.Errorf("record: %w", err)
	}
	return nil
}

// alone reports whether a record was written only because no other process had the file open.
func (r Record) alone() bool {
	var detail struct {
		Alone bool `json:"alone"`
	}
	return json.Unmarshal(r.Detail, &detail) == nil && detail.Alone
}

// checkAloneUndo fails, for a record that was written while the file was open nowhere else, where it is
// open elsewhere now, or where a host has stored messages in a conversation behind those that the record moved
// there. made are its changes.
func checkAloneUndo(ctx context.Context, t *tx, r Record, made []Change) error {
	if !r.alone() {
		return nil
	}
	if err := checkAlone(t); err != nil {
		return err
	}
	last := map[int64]int64{} // The highest seq that the record left, by conversation.
	for _, c := range made {
		if c.Table == "messages" && c.Before != nil && c.After != nil {
			conv := data.CellInteger(c.After["conversation_id"])
			last[conv] = max(last[conv], data.CellInteger(c.After["seq"]))
		}
	}
	for conv, seq := range last {
		var later bool
		err := t.QueryRowContext(ctx, "SELECT EXISTS (SELECT 1 FROM messages WHERE conversation_id = ? AND seq > ?)", conv, seq).Scan(&later)
		if err != nil {
			return err
		}
		if later {
			return &data.StaleError{What: data.Label("conversations", []string{"conversation_id"}, data.Row{"conversation_id": conv}), Why: "has messages that a host stored since, which would stay behind"}
		}
	}
	return nil
}

// followingAnchors returns the changes by which trust rows follow messages that an undo moves to other conversations:
// a host may have written them since.
func followingAnchors(ctx context.Context, t *tx, cs []Change) (out []Change, err error) {
	const conversation, message = "conversation_id", "message_id"
	if !t.Schema.Has(data.AnchorTrustTable, message, conversation) {
		return nil, nil
	}
	known := map[string]bool{}
	for _, c := range cs {
		if c.Table == data.AnchorTrustTable {
			known[data.CellText(c.row()[message])] = true
		}
	}
	for _, c := range cs {
		to, moves := c.After[conversation]
		if c.Table != "messages" || c.Before == nil || !moves || data.SameValue(c.Before[conversation], to) || known[data.CellText(c.After[message])] {
			continue
		}
		got, err := t.Row(ctx, data.AnchorTrustTable, data.Row{message: c.After[message]}, []string{message, conversation})
		if err != nil {
			return nil, err
		}
		if got != nil && !data.SameValue(got[conversation], to) {
			out = append(out, Change{Table: data.AnchorTrustTable, Key: []string{message}, Before: got, After: data.Row{message: got[message], conversation: to}})
		}
	}
	return out, nil
}
