package change_test

import (
	"fmt"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
)

// atEnd returns a batch that appends messages to the first conversation, with numbers that only say their order.
func atEnd(db *data.DB, texts ...string) change.Batch {
	b := change.Batch{Op: "backfill", Title: "append", Bulk: true, AtEnd: true, FirstMessage: 1}
	for i, text := range texts {
		id := int64(i + 1)
		b.Changes = append(b.Changes, change.Insert(db, "messages", newMessage(id, data.Row{"content": text})))
		b.Changes = append(b.Changes, change.Insert(db, "context_items", data.Row{
			"conversation_id": int64(1), "ordinal": id, "item_type": "message", "message_id": id, "summary_id": nil, "created_at": "2026-01-01 00:00:00",
		}))
	}
	return b
}

// TestMessagesThatGoToTheEnd get the numbers behind the last ones when they are written: batches that were planned before others wrote
// aren't stale, each keeps its order, and none leaves a gap.
func TestMessagesThatGoToTheEnd(t *testing.T) {
	t.Parallel()
	_, db := beside(t, fakehost.Head)
	end := func() (seq, ordinal, items int64) {
		const query = "SELECT (SELECT max(seq) FROM messages WHERE conversation_id = 1), max(ordinal), max(ordinal) - min(ordinal) + 1 - count(*) FROM context_items WHERE conversation_id = 1"
		if _, err := data.One(t.Context(), db, "read", query, nil, &seq, &ordinal, &items); err != nil {
			t.Fatal(err)
		}
		return seq, ordinal, items
	}
	seq, ordinal, _ := end()
	first, second := atEnd(db, "one", "two"), atEnd(db, "three", "four", "five")
	for _, b := range []change.Batch{first, second} {
		if _, err := change.Write(t.Context(), db, b); err != nil {
			t.Fatal(err)
		}
	}
	if s, o, gaps := end(); s != seq+5 || o != ordinal+5 || gaps != 0 {
		t.Errorf("it ends at seq %d, ordinal %d with %d gaps; want %d and %d without", s, o, gaps, seq+5, ordinal+5)
	}
	var found []string
	const query = "SELECT m.content FROM context_items ci JOIN messages m ON m.message_id = ci.message_id AND m.seq = ? + ci.ordinal WHERE ci.conversation_id = 1 AND ci.ordinal > ? ORDER BY ci.ordinal"
	err := data.Each(t.Context(), db, "read", query, []any{seq - ordinal, ordinal}, func(scan data.RowScanner) error {
		found = append(found, "")
		return scan(&found[len(found)-1])
	})
	if err != nil || fmt.Sprint(found) != "[one two three four five]" {
		t.Errorf("the context ends with %v, %v", found, err)
	}
}
