package change_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

// TestUndoOfAnImport: messages of an import are taken out of the middle of a host's
// conversation by force only, since the host would store its whole history again; out of
// conversations that are over, that are an agent's without a host, or that the import made,
// they are taken at once.
func TestUndoOfAnImport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		op, change string
		refused    bool
	}{
		"nothing came since":            {"backfill", "SELECT 1", false},
		"the conversation went on":      {"backfill", "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 500, 'user', 'later', 1)", true},
		"another operation":             {"transplant", "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 500, 'user', 'later', 1)", false},
		"the conversation was archived": {"backfill", "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 500, 'user', 'later', 1); UPDATE conversations SET active = 0", false},
		"an agent without a host":       {"backfill", "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 500, 'user', 'later', 1); UPDATE conversations SET session_key = 'agent:main:claude-code:x'", false},
		"another one without a host":    {"backfill", "INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 500, 'user', 'later', 1); UPDATE conversations SET session_key = 'agent:main:gemini:x'", false},
	} {
		h, db := beside(t, fakehost.Head)
		record, err := change.Write(t.Context(), db, change.Batch{Op: c.op, Title: name, Changes: []change.Change{
			change.Insert(db, "messages", newMessage(100, nil)), change.Insert(db, "messages", newMessage(101, nil)),
		}})
		must(t, err)
		for statement := range strings.SplitSeq(c.change, ";") {
			must(t, h.Exec(statement))
		}
		was := dump(t, db.Path())
		var replay *change.ReplayError
		err = change.Undo(t.Context(), db, record)
		if c.refused {
			if !errors.As(err, &replay) || replay.Messages != 2 || replay.Later != 1 || replay.Hint() == "" || dump(t, db.Path()) != was {
				t.Errorf("%s: %v", name, err)
			}
			err = change.ForceUndo(t.Context(), db, record)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if _, err := lcm.ReadMessage(t.Context(), db, 100); !errors.Is(err, data.ErrNotFound) {
			t.Errorf("%s: the message is still there: %v", name, err)
		}
	}
}

// TestUndoOfAnImportedConversation takes it away whatever was said in it since.
func TestUndoOfAnImportedConversation(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	record, err := change.Write(t.Context(), db, change.Batch{Op: "backfill", Title: "import", Changes: []change.Change{
		change.Insert(db, "conversations", data.Row{"conversation_id": int64(7), "session_id": "s7"}),
		change.Insert(db, "messages", newMessage(100, data.Row{"conversation_id": int64(7)})),
	}})
	must(t, err)
	must(t, h.Exec("INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 7, 500, 'user', 'later', 1)"))
	var replay *change.ReplayError
	if err := change.Undo(t.Context(), db, record); err == nil || errors.As(err, &replay) {
		t.Errorf("its later message would name no conversation: %v", err)
	}
	must(t, h.Exec("DELETE FROM messages WHERE message_id = 500"))
	must(t, change.Undo(t.Context(), db, record))
}

// TestUndoOfAnImportLooksUnderTheLock: what a host writes while the undo waits for its lock counts.
func TestUndoOfAnImportLooksUnderTheLock(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, rows := range []int{1000, 1} { // Whole, and in parts.
		h, db := beside(t, fakehost.Head)
		db.PartRows = rows
		record, err := change.Write(t.Context(), db, change.Batch{Op: "backfill", Title: "import", Changes: []change.Change{
			change.Insert(db, "messages", newMessage(100, nil)), change.Insert(db, "messages", newMessage(101, nil)),
		}})
		must(t, err)
		locked, release := make(chan struct{}), make(chan struct{})
		var later error
		var writing sync.WaitGroup
		writing.Go(func() {
			later = h.Tx(func(w *fakehost.Writer) error {
				err := w.Exec("INSERT OR IGNORE INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (500, 1, 500, 'user', 'later', 1)")
				close(locked)
				<-release
				return err
			})
		})
		<-locked
		waiting := sync.OnceFunc(func() { close(release) })
		var replay *change.ReplayError
		err = change.Undo(data.ReportWaits(t.Context(), func(int, int, string) { waiting() }), db, record)
		waiting()
		writing.Wait()
		if !errors.As(err, &replay) || later != nil {
			t.Errorf("in parts of %d: %v, %v", rows, err, later)
		}
		if _, err := lcm.ReadMessage(t.Context(), db, 100); err != nil {
			t.Errorf("in parts of %d: the message is gone: %v", rows, err)
		}
	}
}
