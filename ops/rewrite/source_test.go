package rewrite_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

// TestStaleWhenASourceChangesMeanwhile: what a text was made of may change while a model
// is asked, and then the text speaks of something that nobody said.
func TestStaleWhenASourceChangesMeanwhile(t *testing.T) {
	t.Parallel()
	const first = "(SELECT message_id FROM summary_messages ORDER BY summary_id, ordinal LIMIT 1)"
	for name, c := range map[string]struct{ change, named string }{
		"the text of a message": {"UPDATE messages SET content = 'something else' WHERE message_id = " + first, "message"},
		"a part of it": {`INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, text_content)
			SELECT 'another', message_id, 's', 'text', 77, 'and more' FROM messages WHERE message_id = ` + first, "message"},
		"a message is gone": {"PRAGMA foreign_keys = 0; DELETE FROM messages WHERE message_id = " + first, "message"},
		"the conversation":  {"UPDATE conversations SET session_id = 'another' WHERE conversation_id = 1", "conversations"},
		"it is gone":        {"PRAGMA foreign_keys = 0; DELETE FROM conversations WHERE conversation_id = 1", "conversations"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, path := sample(t, fakehost.Head)
			var once sync.Once
			m := &script{answer: func(r summarize.Request) (string, error) {
				once.Do(func() { meanwhile(t, path, c.change) })
				return short(r)
			}}
			p := plan(t, db, op(m, rewrite.Pick{Summary: leafOf(t, db)}))
			was := dump(t, path)
			var stale *data.StaleError
			if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) || !strings.Contains(stale.What, c.named) {
				t.Errorf("got %v", err)
			}
			if dump(t, path) != was {
				t.Error("a stale plan wrote")
			}
		})
	}
}

// leafOf returns the first leaf of the sample.
func leafOf(t *testing.T, db *data.DB) string {
	t.Helper()
	links, err := lcm.MessageLinks(t.Context(), db, 1)
	if err != nil || len(links) == 0 {
		t.Fatal(err)
	}
	first := links[0].Summary
	for _, l := range links {
		first = min(first, l.Summary)
	}
	return first
}

// meanwhile runs statements as somebody else.
func meanwhile(t *testing.T, path, statements string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Error(err)
		return
	}
	for _, s := range strings.Split(statements, ";") {
		err = errors.Join(err, h.Exec(s))
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Error(err)
	}
}
