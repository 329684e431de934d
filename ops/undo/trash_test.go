package undo_test

import (
	"errors"
	"os"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/prune/removal"
	"lcm-tui/ops/trash"
	"lcm-tui/ops/undo"
)

func quiet(int, int, string) {}

// pruned returns a file from which a conversation was removed, as it was before, and the removal.
func pruned(t *testing.T) (db *data.DB, before string, out removal.Result) {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	before = testdb.Dump(t, path)
	db = testdb.Open(t, path)
	g, err := change.GuardConversation(t.Context(), db, 2, false)
	if err == nil {
		r := removal.Request{Title: "prune conversations", Guards: []change.ConversationGuard{g}}
		out, err = removal.RemoveConversations(t.Context(), db, r, map[string]any{}, quiet)
	}
	if err != nil {
		t.Fatal(err)
	}
	return db, before, out
}

func TestUndoOfAPruneRestoresFromItsTrash(t *testing.T) {
	t.Parallel()
	db, before, out := pruned(t)
	p, err := (&undo.Op{Record: out.Record}).Plan(t.Context(), db, quiet)
	if err != nil || p.Undoes != out.Record || !strings.Contains(strings.Join(p.Notes, "\n"), "1 conversation comes back") {
		t.Errorf("the plan says %q, %v", p.Notes, err)
	}
	if p.Empty() {
		t.Error("nothing can be applied")
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	if testdb.Dump(t, db.Path()) != before {
		t.Error("the file isn't what it was")
	}
	if err := ops.Undo(t.Context(), db, out.Record); !errors.Is(err, change.ErrUndone) {
		t.Errorf("undone again: %v", err)
	}
}

func TestAPruneWhoseTrashIsGoneIsNotUndone(t *testing.T) {
	t.Parallel()
	db, _, out := pruned(t)
	if err := os.Remove(out.Trash.Path); err != nil {
		t.Fatal(err)
	}
	now := testdb.Dump(t, db.Path())
	if err := ops.Undo(t.Context(), db, out.Record); !errors.Is(err, trash.ErrMissing) {
		t.Errorf("undo without trash: %v", err)
	}
	if _, err := (&undo.Op{Record: out.Record}).Plan(t.Context(), db, quiet); !errors.Is(err, trash.ErrMissing) {
		t.Errorf("the plan without trash: %v", err)
	}
	if testdb.Dump(t, db.Path()) != now {
		t.Error("the file changed")
	}
}

func TestARestoreIsNotUndone(t *testing.T) {
	t.Parallel()
	db, _, out := pruned(t)
	f, err := trash.Read(t.Context(), out.Trash.Path)
	if err != nil {
		t.Fatal(err)
	}
	r, err := (trash.Restore{File: f, Conversations: []int64{2}}).Apply(t.Context(), db, quiet)
	if err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, r.Record); !errors.Is(err, ops.ErrRestored) {
		t.Errorf("undo of a restore: %v", err)
	}
}

// TestTextsComeBackAfterTheirConversation: texts that were forgotten before their conversation was removed have
// no place until the conversation is back, so their record can't be undone before that of the removal.
func TestTextsComeBackAfterTheirConversation(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	before := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	forgotten, err := removal.ForgetTexts(t.Context(), db, removal.Forgetting{
		Verb: "text", Title: "forget texts", Rules: []removal.TextRule{{Conversation: 2}},
	}, map[string]any{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	g, err := change.GuardConversation(t.Context(), db, 2, false)
	if err != nil {
		t.Fatal(err)
	}
	removed, err := removal.RemoveConversations(t.Context(), db, removal.Request{Title: "prune conversations", Guards: []change.ConversationGuard{g}}, map[string]any{}, quiet)
	if err != nil {
		t.Fatal(err)
	}
	var blocked *change.BlockedError
	if err := ops.Undo(t.Context(), db, forgotten.Record); !errors.As(err, &blocked) || blocked.By != removed.Record {
		t.Errorf("texts without their conversation: %v", err)
	}
	if _, err := (&undo.Op{Record: forgotten.Record}).Plan(t.Context(), db, quiet); !errors.As(err, &blocked) {
		t.Errorf("the plan says: %v", err)
	}
	for _, record := range []int64{removed.Record, forgotten.Record} {
		if err := ops.Undo(t.Context(), db, record); err != nil {
			t.Fatal(err)
		}
	}
	if testdb.Dump(t, path) != before {
		t.Error("the file isn't what it was")
	}
}
