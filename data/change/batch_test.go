package change_test

import (
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestAddedMessageGetsAnotherNumberEverywhere: where a host took its number since the plan
// was made, a place that another item had names the new message too.
func TestAddedMessageGetsAnotherNumberEverywhere(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	testdb.WithoutHost(db)
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	const first = 21
	after := items[0].Row()
	after["message_id"] = int64(first)
	b := change.Batch{Op: "place", Title: "place", Forgets: true, FirstMessage: first, Changes: []change.Change{
		change.Insert(db, "messages", data.Row{
			"message_id": int64(first), "conversation_id": int64(1), "seq": int64(99), "role": "user", "content": "new", "token_count": int64(1), "created_at": db.FormatNow(),
		}),
		{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, Before: items[0].Row(), After: after},
	}}
	appendOne(t, h)
	_, err = change.Write(t.Context(), db, b)
	must(t, err)
	now, err := lcm.Context(t.Context(), testdb.Open(t, db.Path()), 1)
	must(t, err)
	if now[0].Message != first+1 || now[20].Message != first {
		t.Errorf("the first place names message %d and the host's %d, want %d and %d", now[0].Message, now[20].Message, first+1, first)
	}
}
