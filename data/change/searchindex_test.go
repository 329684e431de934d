package change_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestIndexRowsAreChangedAndBroughtBack: rows of the search tables are changed like
// others, and undo brings them back even where they were wrong.
func TestIndexRowsAreChangedAndBroughtBack(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	if err := faults.Break(path, "fts-out-of-sync"); err != nil {
		t.Fatal(err)
	}
	was := dump(t, path)
	db := open(t, path)
	m, err := lcm.ReadMessage(t.Context(), db, 7)
	if err != nil {
		t.Fatal(err)
	}
	b := change.Batch{Op: "test", Title: "index", Changes: []change.Change{
		{Table: "messages_fts", Key: []string{"rowid"}, After: data.Row{"rowid": int64(7), "content": m.Content}},
		{
			Table: "messages_fts", Key: []string{"rowid"},
			Before: data.Row{"rowid": int64(777777), "content": "orphan row about wombats"},
		},
	}}
	id, err := change.Write(t.Context(), db, b)
	if err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'wombats'": 0,
		"SELECT count(*) FROM messages_fts WHERE rowid = 7":                    1,
	} {
		if n, err := testdb.Count(path, query); err != nil || n != want {
			t.Errorf("%s: %d, %v", query, n, err)
		}
	}
	var stale *data.StaleError
	if _, err := change.Write(t.Context(), db, b); !errors.As(err, &stale) {
		t.Errorf("again: %v", err)
	}
	if err := change.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(was, dump(t, path)); diff != "" {
		t.Error(diff)
	}
}

// TestRebuild: a search table is rebuilt however it is damaged, and undo leaves it
// in step with the rows.
func TestRebuild(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, damage := range map[string][]string{
		"well":       nil,
		"no shadow":  {"DROP TABLE messages_fts_docsize"},
		"no shadows": {"DROP TABLE messages_fts_data", "DROP TABLE messages_fts_config", "DROP TABLE messages_fts_content"},
		"noise":      {"UPDATE messages_fts_data SET block = x'00ff00ff' WHERE id > 1"},
		"gone":       {"DROP TABLE messages_fts"},
		"stale": {
			"DROP TABLE messages_fts",
			"CREATE VIRTUAL TABLE messages_fts USING fts5(content, content='messages', content_rowid='message_id')",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			h, err := fakehost.Open(path)
			if err != nil {
				t.Fatal(err)
			}
			for _, q := range damage {
				if err := h.Exec(q); err != nil {
					t.Fatal(err)
				}
			}
			if err := h.Close(); err != nil {
				t.Fatal(err)
			}
			db := open(t, path)
			if name == "well" || name == "gone" { // As where there are very many.
				db.PartRows = 1
			}
			rows, err := data.Images(t.Context(), db, "messages", data.Row{"message_id": int64(2)})
			if err != nil {
				t.Fatal(err)
			}
			b := change.Batch{Op: "test", Title: "rebuild", Rebuild: []string{"messages_fts"}, Changes: []change.Change{
				change.Update(db, "messages", rows[0], data.Row{"content": "a quokka came by"}),
			}}
			id, err := change.Write(t.Context(), db, b)
			if err != nil {
				t.Fatal(err)
			}
			finds(t, path, 1)
			if err := change.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			finds(t, path, 0)
		})
	}
}

// finds fails unless search is whole and finds the quokka so many times.
func finds(t *testing.T, path string, want int) {
	t.Helper()
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'quokka'": want,
		`SELECT count(*) FROM messages m WHERE trim(content) <> '' AND NOT EXISTS
			(SELECT 1 FROM messages_fts_docsize d WHERE d.id = m.message_id)`: 0,
		"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'": 0,
	} {
		if n, err := testdb.Count(path, query); err != nil || n != want {
			t.Errorf("%s: %d, not %d, %v", query, n, want, err)
		}
	}
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	if err := h.Exec("INSERT INTO messages_fts(messages_fts) VALUES('integrity-check')"); err != nil {
		t.Error(err)
	}
}
