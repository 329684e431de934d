package change

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"lcm-tui/data"
)

// ReplayError says that an undo was refused because it would leave a hole in the history of a
// conversation that a host continues.
type ReplayError struct {
	Conversation int64
	Messages     int // That would be deleted.
	Later        int // That came after the first of them.
}

func (e *ReplayError) Error() string {
	return fmt.Sprintf("conversation %d went on after the import: %d messages followed the first of the %d that undo would delete", e.Conversation, e.Later, e.Messages)
}

// ScreenHint says why that matters.
func (e *ReplayError) ScreenHint() string {
	return "when the host starts again and misses one of them, it stores the whole history a second time"
}

// Hint says why that matters, and how to do it all the same.
func (e *ReplayError) Hint() string {
	return e.ScreenHint() + "; --force deletes them all the same"
}

// importOperation is the name of the operation that stores messages which a host has in its
// own history too.
const importOperation = "backfill"

// checkImportUndo fails with a ReplayError if an undo removes imported messages from the
// middle of a conversation that a host may continue. Session keys tell which imports are of
// agents that keep no database.
func checkImportUndo(ctx context.Context, t *tx, r Record, undo []Change) error {
	if r.Op != importOperation {
		return nil
	}
	gone, made := map[int64]bool{}, map[int64]bool{}
	lo, hi := int64(math.MaxInt64), int64(math.MinInt64)
	for _, c := range undo {
		switch {
		case c.Before == nil || c.After != nil:
		case c.Table == "messages":
			id := data.CellInteger(c.Before["message_id"])
			gone[id], lo, hi = true, min(lo, id), max(hi, id)
		case c.Table == "conversations":
			made[data.CellInteger(c.Before["conversation_id"])] = true
		}
	}
	first := map[int64]int64{} // The lowest seq that goes, by conversation.
	err := data.EachRow(ctx, t, "SELECT message_id, conversation_id, seq FROM messages WHERE message_id BETWEEN ? AND ?", []any{lo, hi},
		func(scan data.RowScanner) error {
			var id, conv, seq data.Integer
			err := scan(&id, &conv, &seq)
			if at, known := first[int64(conv)]; gone[int64(id)] && (!known || int64(seq) < at) {
				first[int64(conv)] = int64(seq)
			}
			return err
		})
	for conv, seq := range first {
		if err == nil && !made[conv] {
			err = checkNoHole(ctx, t, conv, seq, gone)
		}
	}
	return err
}

// checkNoHole fails if messages would remain in a host's conversation after some that are
// removed.
func checkNoHole(ctx context.Context, t *tx, conv, seq int64, gone map[int64]bool) error {
	var active bool
	var key data.Text
	query := "SELECT " + t.Schema.Expr("conversations", "c", "active", "1") + ", " + t.Schema.Expr("conversations", "c", "session_key", "NULL") + " FROM conversations c WHERE conversation_id = ?"
	if err := t.QueryRowContext(ctx, query, conv).Scan(&active, &key); err != nil {
		return fmt.Errorf("conversation %d: %w", conv, err)
	}
	noHost := func(client string) bool { return strings.Contains(string(key), ":"+client+":") }
	if !active || slices.ContainsFunc([]string{"claude-code", "codex", "gemini"}, noHost) {
		return nil
	}
	e := &ReplayError{Conversation: conv, Messages: len(gone)}
	err := data.EachRow(ctx, t, "SELECT message_id FROM messages WHERE conversation_id = ? AND seq >= ?", []any{conv, seq}, func(scan data.RowScanner) error {
		var id data.Integer
		err := scan(&id)
		if !gone[int64(id)] {
			e.Later++
		}
		return err
	})
	if err == nil && e.Later > 0 {
		return e
	}
	return err
}
