package follow_test

import (
	"fmt"
	"slices"
	"testing"

	"lcm-tui/internal/testdb"
)

// TestASessionOfCodexWhoseTurnsWereDropped: they stay stored, and leave the context with the next message, however the
// file was read before.
func TestASessionOfCodexWhoseTurnsWereDropped(t *testing.T) {
	t.Parallel()
	const (
		head  = `{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c9","cwd":"/w"}}` + "\n"
		after = `{"type":"turn_context","payload":{"model":"m"}}` + "\n"
	)
	says := func(role, text string) string {
		return fmt.Sprintf(`{"timestamp":"2026-02-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}}`, role, text) + "\n"
	}
	back := func(turns int) string {
		return fmt.Sprintf(`{"type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":%d}}`, turns) + "\n"
	}
	const context = "SELECT m.content FROM context_items c JOIN messages m USING (message_id) ORDER BY c.ordinal"
	text := head + says("user", "one") + says("assistant", "1") + says("user", "two") + says("assistant", "2")
	f := newFollowed(t)
	for i, step := range []struct {
		add    string
		stored int
		want   []string
	}{
		{"", 4, []string{"one", "1", "two", "2"}},
		{back(1), 4, []string{"one", "1", "two", "2"}},
		{after, 4, []string{"one", "1", "two", "2"}},
		{says("user", "three"), 5, []string{"one", "1", "three"}},
		{says("assistant", "3"), 6, []string{"one", "1", "three", "3"}},
		{back(2) + after + says("user", "four") + says("assistant", "4"), 8, []string{"four", "4"}},
	} {
		text += step.add
		f.write("c9.jsonl", text)
		f.again(i%2 == 0)
		if got := testdb.Rows(t, f.DB.Path(), context); f.count(countMessages) != step.stored || !slices.Equal(got, step.want) {
			t.Errorf("step %d: the context of %d messages is %q, want %q of %d", i, f.count(countMessages), got, step.want, step.stored)
		}
	}
}
