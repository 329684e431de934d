package change_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// repaired returns a sample with dangling links in which a batch deletes one and adds a summary.
func repaired(t *testing.T) (path string, db *data.DB, record int64) {
	t.Helper()
	path = sample(t, fakehost.Head)
	if err := faults.Break(path, "dangling-edges"); err != nil {
		t.Fatal(err)
	}
	db = open(t, path)
	links, err := data.Images(t.Context(), db, "summary_messages", data.Row{"message_id": int64(888888)})
	if err != nil || len(links) != 1 {
		t.Fatal(links, err)
	}
	all, err := lcm.Summaries(t.Context(), db, 1, data.WholeText)
	if err != nil {
		t.Fatal(err)
	}
	fresh := all[0]
	fresh.ID = "sum_1234123412341234"
	record, err = change.Write(t.Context(), db, change.Batch{Op: "test", Title: "repair", Changes: []change.Change{
		change.Delete(db, "summary_messages", links[0]), change.Insert(db, "summaries", lcm.SummaryRow(db, fresh)),
	}})
	if err != nil {
		t.Fatal(err)
	}
	return path, db, record
}

// TestUndoBringsDamageBack: what was repaired broke the schema's rules, and does again.
func TestUndoBringsDamageBack(t *testing.T) {
	t.Parallel()
	path, db, record := repaired(t)
	if err := change.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM summary_messages WHERE message_id = 888888"); err != nil || n != 1 {
		t.Errorf("%d links, %v", n, err)
	}
}

// TestUndoBringsNoOtherDamage: a row that came since isn't left naming nothing, though
// the schema's rules are off.
func TestUndoBringsNoOtherDamage(t *testing.T) {
	t.Parallel()
	path, db, record := repaired(t)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Exec("INSERT INTO summary_messages VALUES ('sum_1234123412341234', 1, 0)"); err != nil {
		t.Fatal(err)
	}
	_ = h.Close()
	was := dump(t, path)
	var since *data.StaleError
	if err := change.Undo(t.Context(), db, record); !errors.As(err, &since) {
		t.Errorf("got %v", err)
	}
	if dump(t, path) != was {
		t.Error("a refused undo wrote")
	}
}

// TestUndoNamesWhatTheHostWroteSince: a row that stands in the way of an undo isn't taken for damage.
func TestUndoNamesWhatTheHostWroteSince(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		made  func(*data.DB) change.Change
		since string
		want  string
	}{
		"a message with the seq of one that was deleted": {
			func(db *data.DB) change.Change {
				rows, err := data.Images(t.Context(), db, "messages", data.Row{"message_id": int64(100)})
				must(t, err)
				return change.Delete(db, "messages", rows[0])
			},
			"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 100, 'user', 'later', 1)",
			"message 500 has the seq of message 100 now",
		},
		"a message in a conversation that was made": {
			func(db *data.DB) change.Change {
				return change.Insert(db, "conversations", data.Row{"conversation_id": int64(7), "session_id": "s7"})
			},
			"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 7, 1, 'user', 'later', 1)",
			"conversations 7 is named by a row of messages that came since",
		},
	} {
		h, db := beside(t, fakehost.Head)
		must(t, h.Exec("INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (100, 1, 100, 'user', 'text', 1)"))
		record, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: name, Forgets: true, Changes: []change.Change{c.made(db)}})
		must(t, err)
		must(t, h.Exec(c.since))
		var since *data.StaleError
		if err := change.Undo(t.Context(), db, record); !errors.As(err, &since) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
