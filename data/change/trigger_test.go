package change_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestFilesWithTriggersAreNotWritten: neither where a trigger was there when the file was opened, nor where
// it came since. On other tables it is nobody's business.
func TestFilesWithTriggersAreNotWritten(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, table := range []string{"messages", "summary_messages", "large_files", "messages_fts_content", "lcm_tui_undo", "LCM_tui_undo_part", "pending_summary_nodes", "padding"} {
		for _, since := range []bool{false, true} {
			h, first := beside(t, fakehost.Head)
			must(t, h.Close())
			path := first.Path()
			_, err := change.Write(t.Context(), first, deleting(t, first, 4))
			must(t, err)
			execute(t, path, "CREATE TABLE IF NOT EXISTS padding (a)", "CREATE TABLE IF NOT EXISTS pending_summary_nodes (a)", "CREATE TABLE IF NOT EXISTS lcm_tui_undo_part (record, part, changes, search, undone)")
			trigger := "CREATE TRIGGER other_program AFTER DELETE ON " + table + " BEGIN DELETE FROM padding; END"
			if !since {
				execute(t, path, trigger)
			}
			db := open(t, path)
			b := deleting(t, db, 5)
			if since {
				execute(t, path, trigger)
			}
			before := dump(t, path)
			if _, err = change.Write(t.Context(), db, b); table == "padding" {
				must(t, err)
				continue
			}
			if !errors.Is(err, data.ErrTriggers) || !strings.Contains(err.Error(), "other_program") || !strings.Contains(hint.Of(err), "DROP TRIGGER") {
				t.Errorf("%s: %v", table, err)
			}
			if _, err := change.WriteSet(t.Context(), db, blankingTexts(3)); !errors.Is(err, data.ErrTriggers) {
				t.Errorf("a set, %s: %v", table, err)
			}
			if err := change.Undo(t.Context(), db, 1); !errors.Is(err, data.ErrTriggers) {
				t.Errorf("undo, %s: %v", table, err)
			}
			if (db.Writable() == nil) != since {
				t.Errorf("%s: %v", table, db.Writable())
			}
			if dump(t, path) != before {
				t.Errorf("%s: rows changed", table)
			}
		}
	}
}

// TestASetProvesWhatItChanges: where SQLite changes other rows as well, the turn is rolled back.
func TestASetProvesWhatItChanges(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	execute(t, path, "CREATE TABLE host_notes (about INTEGER REFERENCES messages (message_id) ON DELETE CASCADE)", "INSERT INTO host_notes SELECT message_id FROM messages")
	for _, table := range []string{"context_items", "summary_messages", "message_parts"} {
		execute(t, path, "DELETE FROM "+table)
	}
	before := testdb.Dump(t, path)
	db := testdb.Open(t, path)
	w := blankingTexts(3)
	w.Write = func(ctx context.Context, t *change.Turn) (bool, error) {
		if _, err := t.Exec(ctx, "DELETE FROM messages_fts WHERE rowid = 1"); err != nil {
			return false, err
		}
		n, err := t.Exec(ctx, "DELETE FROM messages WHERE message_id = 1")
		if err == nil && n != 1 {
			err = errors.New("the message isn't there")
		}
		return true, err
	}
	var broken *data.InvariantError
	if _, err := change.WriteSet(t.Context(), db, w); !errors.As(err, &broken) {
		t.Errorf("a cascade into a table of another program: %v", err)
	}
	if testdb.Dump(t, path) != before {
		t.Error("rows changed")
	}
}
