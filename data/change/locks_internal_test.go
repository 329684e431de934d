package change

import (
	"slices"
	"testing"

	"lcm-tui/data"
)

// TestTheConversationsOfABatch: rows name their conversation, or belong to rows that do; what a guard asks of all conversations
// needs the lock of all.
func TestTheConversationsOfABatch(t *testing.T) {
	t.Parallel()
	message := Change{Table: "messages", Key: []string{"message_id"}, After: data.Row{"message_id": int64(7), conversationColumn: int64(2)}}
	part := Change{Table: "message_parts", Key: []string{"part_id"}, After: data.Row{"part_id": "p", "message_id": int64(7)}}
	item := Change{Table: "context_items", Key: []string{conversationColumn, "ordinal"}, Before: data.Row{conversationColumn: int64(1), "ordinal": int64(3)}}
	for name, c := range map[string]struct {
		batch Batch
		want  []int64
	}{
		"rows":               {Batch{Changes: []Change{message, item}}, []int64{1, 2}},
		"a part":             {Batch{Changes: []Change{part, message}}, []int64{2}},
		"a guard":            {Batch{Changes: []Change{message}, Guards: []Guard{{Where: data.Row{conversationColumn: int64(5)}}}}, []int64{2, 5}},
		"a guard of all":     {Batch{Changes: []Change{message}, Guards: []Guard{{Where: data.Row{"session_key": "k"}}}}, nil},
		"a table of its own": {Batch{Changes: []Change{message, {Table: "host_notes", After: data.Row{"id": int64(1)}}}}, nil},
		"nothing":            {Batch{}, nil},
	} {
		got, err := lockedConversations(t.Context(), nil, c.batch)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v (%v)", name, got, c.want, err)
		}
	}
}
