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

// TestPartsOfASessionOfCodex: where the user went back, the session goes on in another file, whose lines have the same places again.
// Nothing of either is lost, and the context is what Codex goes on with.
func TestPartsOfASessionOfCodex(t *testing.T) {
	t.Parallel()
	meta := func(base string) string {
		return fmt.Sprintf(`{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c9","cwd":"/w"%s}}`, base) + "\n"
	}
	says := func(role, text string) string {
		return fmt.Sprintf(`{"timestamp":"2026-02-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}}`, role, text) + "\n"
	}
	const context = "SELECT m.content FROM context_items c JOIN messages m USING (message_id) ORDER BY c.ordinal"
	goesOn := meta(`,"history_base":{"thread_id":"p1","end_ordinal_exclusive":3,"end_byte_offset":1}`)
	for _, restarted := range []bool{false, true} {
		f := newFollowed(t)
		for i, step := range []struct {
			file, text string
			stored     int
			want       []string
		}{
			{"rollout-1-c9.jsonl", meta("") + says("user", "one") + says("assistant", "1") + says("user", "go on") + says("assistant", "2"), 4, []string{"one", "1", "go on", "2"}},
			{"rollout-2-c9_p1.jsonl", meta(""), 4, []string{"one", "1", "go on", "2"}},
			{"rollout-2-c9_p1.jsonl", meta("") + says("user", "one") + says("assistant", "11"), 6, []string{"one", "11"}},
			{"rollout-2-c9_p1.jsonl", meta("") + says("user", "one") + says("assistant", "11") + says("user", "go on") + says("assistant", "2"), 8, []string{"one", "11", "go on", "2"}},
			{"rollout-3-c9_p2.jsonl", goesOn + says("user", "go on") + says("assistant", "2"), 10, []string{"one", "11", "go on", "2"}},
			{"rollout-3-c9_p2.jsonl", goesOn + says("user", "go on") + says("assistant", "2") + says("user", "go on"), 11, []string{"one", "11", "go on", "2", "go on"}},
		} {
			f.write(step.file, step.text)
			f.again(restarted)
			if got := testdb.Rows(t, f.DB.Path(), context); f.count(countMessages) != step.stored || !slices.Equal(got, step.want) {
				t.Errorf("step %d: the context of %d messages is %q, want %q of %d", i, f.count(countMessages), got, step.want, step.stored)
			}
		}
	}
}
