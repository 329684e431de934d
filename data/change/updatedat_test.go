package change_test

import (
	"errors"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
)

// TestAConversationThatWasOnlyTouched: a host notes when it changed a conversation last. That
// alone makes no plan and no undo stale; its title does.
func TestAConversationThatWasOnlyTouched(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	const newer = "2031-05-05 05:05:05"
	b := retitle(t, db, "ours")
	must(t, h.Exec("UPDATE conversations SET updated_at = ?", newer))
	record, err := change.Write(t.Context(), db, b)
	if err != nil {
		t.Fatalf("touched since the plan: %v", err)
	}
	must(t, h.Exec("UPDATE conversations SET updated_at = ?", newer))
	must(t, change.Undo(t.Context(), db, record))
	c, err := lcm.ReadConversation(t.Context(), db, 1)
	if err != nil || c.Title == "ours" || c.UpdatedAt.Raw != newer {
		t.Errorf("after the undo: %+v, %v", c, err)
	}
	record, err = change.Write(t.Context(), db, retitle(t, db, "ours again"))
	must(t, err)
	must(t, h.Exec("UPDATE conversations SET title = 'theirs'"))
	var stale *data.StaleError
	if err := change.Undo(t.Context(), db, record); !errors.As(err, &stale) {
		t.Errorf("undo over another title: %v", err)
	}
}

// TestTouchConversation is the change by which hosts find the conversation that changed last.
func TestTouchConversation(t *testing.T) {
	t.Parallel()
	_, db := beside(t, fakehost.Head)
	c, err := change.TouchConversation(t.Context(), db, 1)
	must(t, err)
	if _, err := change.Write(t.Context(), db, change.Batch{Op: "test", Changes: []change.Change{c}}); err != nil {
		t.Error(err)
	}
	if _, err := change.TouchConversation(t.Context(), db, 99); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("a conversation that isn't there: %v", err)
	}
}

// TestHashesThatAHostFillsIn: a host gives rows that have none an identity hash. That makes
// no undo stale, whether the record has the row or only its digest; another text does.
func TestHashesThatAHostFillsIn(t *testing.T) {
	t.Parallel()
	for name, bulk := range map[string]bool{"rows": false, "digests": true} {
		h, db := beside(t, fakehost.Head)
		was := dump(t, db.Path())
		insert := func() int64 {
			t.Helper()
			record, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: name, Bulk: bulk, Changes: []change.Change{
				change.Insert(db, "messages", newMessage(100, nil)), change.Insert(db, "messages", newMessage(101, nil)),
			}})
			must(t, err)
			return record
		}
		record := insert()
		must(t, h.Exec("UPDATE messages SET identity_hash = 'abc' WHERE message_id = 100"))
		if err := change.Undo(t.Context(), db, record); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if dump(t, db.Path()) != was {
			t.Errorf("%s: undo left something", name)
		}
		record = insert()
		must(t, h.Exec("UPDATE messages SET content = 'theirs' WHERE message_id = 101"))
		var stale *data.StaleError
		if err := change.Undo(t.Context(), db, record); !errors.As(err, &stale) {
			t.Errorf("%s: undo over another text: %v", name, err)
		}
	}
}
