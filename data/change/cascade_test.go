package change_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// deleting returns the deletion of a message with its place and its parts.
func deleting(t *testing.T, db *data.DB, message int64) change.Batch {
	t.Helper()
	b := change.Batch{Op: "test", Title: "delete", Forgets: true}
	for _, table := range []string{"context_items", "message_parts", "messages"} {
		rows, err := data.Images(t.Context(), db, table, data.Row{"message_id": message})
		must(t, err)
		for _, r := range rows {
			b.Changes = append(b.Changes, change.Delete(db, table, r))
		}
	}
	return b
}

// TestRowsOfUnknownTablesGoAndComeBack: a newer host has tables whose rows the schema deletes
// with a message. They are in the record, and undo brings them back.
func TestRowsOfUnknownTablesGoAndComeBack(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	for _, q := range []string{
		"CREATE TABLE host_notes (id INTEGER PRIMARY KEY, about INTEGER REFERENCES messages (message_id) ON DELETE CASCADE, note TEXT)",
		"CREATE TABLE host_marks (about INTEGER REFERENCES messages ON DELETE CASCADE, mark TEXT, PRIMARY KEY (about, mark))",
		"INSERT INTO host_notes VALUES (1, 5, 'kept with 5'), (2, 5, 'so is this'), (3, 6, 'of another')",
		"INSERT INTO host_marks VALUES (5, 'a'), (6, 'b')",
	} {
		must(t, h.Exec(q))
	}
	testdb.WithoutHost(db)
	was := dump(t, db.Path())
	record, err := change.Write(t.Context(), db, deleting(t, db, 5))
	must(t, err)
	for query, want := range map[string]int{"SELECT count(*) FROM host_notes": 1, "SELECT count(*) FROM host_marks": 1} {
		if n, err := testdb.Count(db.Path(), query); err != nil || n != want {
			t.Errorf("%s: %d, want %d (%v)", query, n, want, err)
		}
	}
	_, changes, err := change.RecordChanges(t.Context(), db, record)
	must(t, err)
	tables := map[string]int{}
	for _, c := range changes {
		tables[c.Table]++
	}
	if diff := cmp.Diff(map[string]int{"messages": 1, "message_parts": tables["message_parts"], "context_items": tables["context_items"], "host_notes": 2, "host_marks": 1}, tables); diff != "" {
		t.Errorf("the record has %s", diff)
	}
	must(t, change.Undo(t.Context(), db, record))
	if got := dump(t, db.Path()); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestWhatNoRecordWouldHaveIsRefused: a trigger, or a rule of the schema that reaches further
// than one table, changes rows that undo couldn't bring back.
func TestWhatNoRecordWouldHaveIsRefused(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string][]string{
		"a trigger": {
			"CREATE TABLE host_log (what TEXT)", "INSERT INTO host_log VALUES ('before')",
			"CREATE TRIGGER host_forgets AFTER DELETE ON messages BEGIN DELETE FROM host_log; END",
		},
		"rows of rows": {
			"CREATE TABLE host_notes (id INTEGER PRIMARY KEY, about INTEGER REFERENCES messages (message_id) ON DELETE CASCADE)",
			"CREATE TABLE host_words (note INTEGER REFERENCES host_notes (id) ON DELETE CASCADE)",
			"INSERT INTO host_notes VALUES (1, 5)", "INSERT INTO host_words VALUES (1)",
		},
		"rows that lose their name": {
			"CREATE TABLE host_notes (id INTEGER PRIMARY KEY, about INTEGER REFERENCES messages (message_id) ON DELETE SET NULL)",
			"INSERT INTO host_notes VALUES (1, 5)",
		},
	} {
		h, db := beside(t, fakehost.Head)
		for _, q := range schema {
			must(t, h.Exec(q))
		}
		was := dump(t, db.Path())
		if _, err := change.Write(t.Context(), db, deleting(t, db, 5)); err == nil {
			id, last := change.Last(t.Context(), db)
			must(t, last)
			must(t, change.Undo(t.Context(), db, id.ID))
		} else if broken := (*data.InvariantError)(nil); !errors.As(err, &broken) && !errors.Is(err, data.ErrTriggers) {
			t.Errorf("%s: %v", name, err)
		}
		if dump(t, db.Path()) != was {
			t.Errorf("%s: rows went that no record has", name)
		}
	}
}

// TestTheOrderOfDeletes: rows that name others go first, whichever order the plan has, and a
// row that is named by one that stays doesn't go.
func TestTheOrderOfDeletes(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	leaf := finish(t, h, choose(t, h, 0, 3))
	was := dump(t, db.Path())
	b := deleting(t, db, 1)
	if _, err := change.Write(t.Context(), db, b); !errors.Is(err, data.ErrConstraint) {
		t.Errorf("a message that %s is made of: %v", leaf, err)
	}
	if dump(t, db.Path()) != was {
		t.Error("a refused deletion wrote")
	}
	links, err := data.Images(t.Context(), db, "summary_messages", data.Row{"message_id": int64(1)})
	must(t, err)
	for _, r := range links {
		b.Changes = append(b.Changes, change.Delete(db, "summary_messages", r)) // Behind what it names.
	}
	record, err := change.Write(t.Context(), db, b)
	must(t, err)
	must(t, change.Undo(t.Context(), db, record))
	if got := dump(t, db.Path()); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestWhatTheSchemaDeletesTooComesBack: tables of newer hosts go with a message by a rule
// of the schema, and what these hosts prepare from it goes first; undo brings the former
// back, and not the latter.
func TestWhatTheSchemaDeletesTooComesBack(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v1.0/rich.db")
	db := open(t, path)
	const trusted = `SELECT t.message_id FROM message_transcript_anchor_trust t JOIN pending_summary_node_messages p USING (message_id)
		WHERE NOT EXISTS (SELECT 1 FROM summary_messages s WHERE s.message_id = t.message_id) ORDER BY 1 LIMIT 1`
	id, err := testdb.Count(path, trusted)
	if err != nil || id == 0 {
		t.Skipf("no message that a host both trusts and prepares: %v", err)
	}
	was := dump(t, path)
	b := change.Batch{Op: "test", Title: "delete", Forgets: true}
	for _, table := range []string{"context_items", "message_parts", "messages"} {
		rows, err := data.Images(t.Context(), db, table, data.Row{"message_id": int64(id)})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			b.Changes = append(b.Changes, change.Delete(db, table, r))
		}
	}
	record, err := change.Write(t.Context(), db, b)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{"message_transcript_anchor_trust", "pending_summary_node_messages", "messages"} {
		if n, err := testdb.Count(path, "SELECT count(*) FROM "+table+" WHERE message_id = ?", id); err != nil || n != 0 {
			t.Errorf("%d rows of %s are left, %v", n, table, err)
		}
	}
	if err := change.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}
