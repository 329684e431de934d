package home_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/testhome"
)

// TestAnUndoLocksItsConversations and no others, also that of an import, whose record has only the keys of its rows, and that of a record
// that is undone in parts.
func TestAnUndoLocksItsConversations(t *testing.T) {
	t.Parallel()
	address := testhome.New(t)
	holder, db := testhome.Open(t, address), testhome.Open(t, address)
	begun(t, holder, 2)
	was := testhome.Dump(t, db)
	write := func(texts int) (record int64) {
		b := change.Batch{Op: "backfill", Title: "import", FirstMessage: 1, AtEnd: true, Bulk: true}
		for n := range texts {
			id := int64(n + 1)
			b.Changes = append(b.Changes, appended(db, 1, "a message", lcm.NextNumbers{Message: id, Seq: id, Ordinal: id}).Changes...)
			b.Changes = append(b.Changes, change.Insert(db, "message_parts", data.Row{
				"part_id": db.NewID(), "message_id": id, "session_id": "session-0", "part_type": "text", "ordinal": int64(0), "text_content": "a message",
			}))
		}
		record, err := change.Write(t.Context(), db, b)
		if err != nil {
			t.Fatal(err)
		}
		return record
	}
	db.Wait = 0
	held := func(conversation int64, fn func() error) (err error) {
		failed := holder.Transact(t.Context(), data.Transaction{Verb: "hold", Conversations: []int64{conversation}}, func(*data.Tx) error {
			err = fn()
			return nil
		})
		return errors.Join(err, failed)
	}
	for name, rows := range map[string]int{"whole": 500, "in parts": 6} {
		record := write(8)
		db.PartRows = rows
		undo := func() error { return change.Undo(t.Context(), db, record) }
		if err := held(1, undo); !errors.Is(err, data.ErrLocked) {
			t.Errorf("%s, while another program has the conversation: %v", name, err)
		}
		if err := held(2, undo); err != nil {
			t.Errorf("%s, while another program has another one: %v", name, err)
		}
		if testhome.Dump(t, db) != was {
			t.Errorf("%s: it left other rows", name)
		}
	}
}
