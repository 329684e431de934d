package repair_test

import (
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestAConversationIsDeletedWhole: with all that belongs to it, after a backup, and undo
// brings back every row.
func TestAConversationIsDeletedWhole(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range []fakehost.Level{fakehost.V0_4, fakehost.V0_11, fakehost.Head} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := broken(t, level, "subagent")
			tellable := level != fakehost.V0_4 // Which had no archive.
			if tellable {
				end(t, path, 1, 0)
			}
			was := dump(t, path)
			db := open(t, path)
			o := &repair.Op{Conversation: 1, Faults: []integrity.FaultID{integrity.JobConversation}, Choices: map[string]string{"V06": "delete"}, FilesDir: files(path)}
			p, err := o.Plan(t.Context(), db, noReport)
			var nothing *repair.NothingError
			if !tellable && errors.As(err, &nothing) && strings.Contains(nothing.Hint(), "doesn't say whether the conversation is over") {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if p.Backup == "" || !strings.Contains(p.Title, "delete Moving the ledger #1") {
				t.Errorf("%q, backup %q", p.Title, p.Backup)
			}
			id, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, query := range []string{
				"SELECT count(*) FROM conversations WHERE conversation_id = 1",
				"SELECT count(*) FROM messages WHERE conversation_id = 1",
				"SELECT count(*) FROM summaries WHERE conversation_id = 1",
				"SELECT count(*) FROM message_parts WHERE message_id NOT IN (SELECT message_id FROM messages)",
				"SELECT count(*) FROM messages_fts_docsize WHERE id NOT IN (SELECT message_id FROM messages)",
				"SELECT count(*) FROM pragma_foreign_key_check",
			} {
				if n, err := testdb.Count(path, query); err != nil || n != 0 {
					t.Errorf("%s: %d, %v", query, n, err)
				}
			}
			if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id = 2"); err != nil || n == 0 {
				t.Errorf("the other conversation has %d messages, %v", n, err)
			}
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			if got := dump(t, path); got != was {
				t.Error("undo doesn't bring everything back")
			}
		})
	}
}

// TestASourceOfAnotherIsNotDeleted: it would tear a hole into the other one.
func TestASourceOfAnotherIsNotDeleted(t *testing.T) {
	t.Parallel()
	path := broken(t, fakehost.Head, "subagent", "cross-conversation")
	end(t, path, 1, 0)
	end(t, path, 2, 0)
	db := open(t, path)
	for _, conv := range []int64{1, 2} {
		o := &repair.Op{Conversation: conv, Faults: []integrity.FaultID{integrity.JobConversation}, Choices: map[string]string{"V06": "delete"}, FilesDir: files(path)}
		p, err := o.Plan(t.Context(), db, noReport)
		var nothing *repair.NothingError
		switch {
		case errors.As(err, &nothing):
			if !strings.Contains(nothing.Hint(), "refers to it") {
				t.Errorf("conversation %d: %s", conv, nothing.Hint())
			}
		case err != nil:
			t.Fatal(err)
		default:
			var broken *data.InvariantError
			if _, err := ops.Apply(t.Context(), db, p); err != nil && !errors.As(err, &broken) {
				t.Fatal(err)
			}
			if n, err := testdb.Count(path, "SELECT count(*) FROM pragma_foreign_key_check"); err != nil || n != 0 {
				t.Errorf("conversation %d: %d rows hang in the air, %v", conv, n, err)
			}
		}
	}
}
