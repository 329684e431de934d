package sessionkey_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// TestHeartbeats: a turn goes if its answer is nothing but the word, and if a message of it names the file;
// messages below summaries stay. Undo gives the file back.
func TestHeartbeats(t *testing.T) {
	t.Parallel()
	const poll = "Read HEARTBEAT.md if it exists. If nothing needs attention, reply HEARTBEAT_OK."
	type spoken struct{ role, text string }
	for name, c := range testlength.SomeOf(map[string]struct {
		texts   []spoken
		summary bool   // One is made of the first two messages.
		goes    string // By number, from 1.
	}{
		"a turn":                        {[]spoken{{"user", "hello"}, {"assistant", "hi"}, {"user", poll}, {"assistant", "HEARTBEAT_OK"}, {"user", "bye"}}, false, "3 4"},
		"with blanks and case":          {[]spoken{{"user", poll}, {"assistant", " \n heartbeat_Ok\u00a0"}}, false, "1 2"},
		"with tools between":            {[]spoken{{"user", "heartbeat"}, {"assistant", "reading"}, {"tool", "heartbeat.md is empty"}, {"assistant", "HEARTBEAT_OK"}}, false, "1 2 3 4"},
		"the file isn't named":          {[]spoken{{"user", "ping"}, {"assistant", "HEARTBEAT_OK"}}, false, ""},
		"named in the turn before":      {[]spoken{{"user", poll}, {"assistant", "I mailed you."}, {"user", "ping"}, {"assistant", "HEARTBEAT_OK"}}, false, ""},
		"the answer says more":          {[]spoken{{"user", poll}, {"assistant", "HEARTBEAT_OK. All is well."}}, false, ""},
		"the user says it":              {[]spoken{{"user", poll}, {"user", "HEARTBEAT_OK"}}, false, ""},
		"no user before it":             {[]spoken{{"assistant", "heartbeat.md"}, {"assistant", "HEARTBEAT_OK"}}, false, ""},
		"two turns":                     {[]spoken{{"user", poll}, {"assistant", "HEARTBEAT_OK"}, {"user", poll}, {"assistant", "HEARTBEAT_OK"}}, false, "1 2 3 4"},
		"only back to the last user":    {[]spoken{{"user", "hello"}, {"user", poll}, {"assistant", "HEARTBEAT_OK"}}, false, "2 3"},
		"a second answer without asked": {[]spoken{{"user", poll}, {"assistant", "HEARTBEAT_OK"}, {"assistant", "HEARTBEAT_OK"}}, false, "1 2"},
		"below a summary":               {[]spoken{{"user", poll}, {"assistant", "HEARTBEAT_OK"}, {"user", poll}, {"assistant", "HEARTBEAT_OK"}}, true, "3 4"},
	}) {
		for _, level := range []fakehost.Level{fakehost.V0_6, fakehost.Head} {
			t.Run(fmt.Sprintf("%s of %s", name, level), func(t *testing.T) {
				t.Parallel()
				path := t.TempDir() + "/lcm.db"
				w, err := fakehost.Create(path, level)
				must(t, err)
				conv, err := w.Conversation(fakehost.Conversation{SessionKey: liveKey, Active: true})
				must(t, err)
				var ids []int64
				for i, m := range c.texts {
					id, err := w.Message(conv, fakehost.Message{Role: m.role, Content: m.text, At: time.Unix(1_780_000_000+int64(i), 0)})
					must(t, err)
					ids = append(ids, id)
				}
				if c.summary {
					_, err := w.Leaf(conv, ids[:2], "What was said.")
					must(t, err)
				}
				must(t, w.Close())
				db := openAlone(t, path, time.Now())
				before := testdb.Dump(t, path)
				p, err := (&sessionkey.Heartbeats{}).Plan(t.Context(), db, noReport)
				if c.goes == "" {
					if !errors.Is(err, ops.ErrNothing) {
						t.Fatal(err)
					}
					return
				}
				must(t, err)
				record, err := ops.Apply(t.Context(), db, p)
				must(t, err)
				var left []string
				for i := range c.texts {
					n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE message_id = ?", ids[i])
					if must(t, err); n == 0 {
						left = append(left, fmt.Sprint(i+1))
					}
				}
				if got := strings.Join(left, " "); got != c.goes {
					t.Errorf("%q went, want %q", got, c.goes)
				}
				if n, err := testdb.Count(path, "SELECT count(*) FROM context_items WHERE message_id IS NOT NULL AND message_id NOT IN (SELECT message_id FROM messages)"); n != 0 || err != nil {
					t.Errorf("%d items of the context are of deleted messages (%v)", n, err)
				}
				must(t, ops.Undo(t.Context(), db, record))
				if testdb.Dump(t, path) != before {
					t.Error("undo doesn't give the file back")
				}
			})
		}
	}
}

// TestHeartbeatsOfOtherSessions: hosts of 1.0 would store them again, and coding agents have none.
func TestHeartbeatsOfOtherSessions(t *testing.T) {
	t.Parallel()
	db := openAlone(t, testdb.Sample(t, fakehost.Beta), time.Now())
	var refused *sessionkey.RefusedError
	if _, err := (&sessionkey.Heartbeats{}).Plan(t.Context(), db, noReport); !errors.As(err, &refused) {
		t.Error(err)
	}
}
