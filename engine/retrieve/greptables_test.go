package retrieve_test

import (
	"context"
	"database/sql"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
	"lcm-tui/internal/testdb"
)

// changed returns a database of three messages and a summary on which statements were run.
func changed(t *testing.T, statements ...string) *data.DB {
	t.Helper()
	db := conversation(t, "the retry queue grows", "请先备份数据库 before the retry", "nothing")
	path := db.Path()
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	w, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range statements {
		if _, err := w.ExecContext(t.Context(), s); err != nil {
			t.Fatalf("%s: %v", s, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return testdb.Open(t, path)
}

// TestGrepWithoutSearchTables: where a search table is missing or broken, every text is read, and
// the result says so.
func TestGrepWithoutSearchTables(t *testing.T) {
	t.Parallel()
	for name, statements := range map[string][]string{
		"missing":                {"DROP TABLE messages_fts"},
		"without a shadow table": {"DROP TABLE messages_fts_idx"},
		"without its content":    {"DELETE FROM messages_fts_data"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := changed(t, statements...)
			r := retrieve.GrepRequest{Pattern: "Retry QUEUE", Mode: retrieve.FullText, In: retrieve.InMessages}
			got, err := r.Run(t.Context(), db, retrieve.AllConversations())
			if err != nil {
				t.Fatal(err)
			}
			if len(got.Messages) != 1 || got.Messages[0].Snippet != "the retry queue grows" || got.Messages[0].Rank != 0 {
				t.Errorf("found %+v", got.Messages)
			}
			if len(got.Notes) != 1 || !strings.Contains(got.Notes[0], "every text was read") {
				t.Errorf("notes: %q", got.Notes)
			}
		})
	}
}

// TestGrepShowsRowsWithoutATime: a row whose time can't be read is found, and comes last.
func TestGrepShowsRowsWithoutATime(t *testing.T) {
	t.Parallel()
	db := changed(t, "UPDATE messages SET created_at = 'yesterday' WHERE message_id = 2")
	for _, mode := range []retrieve.GrepMode{retrieve.Regex, retrieve.FullText} {
		got, err := retrieve.GrepRequest{Pattern: "retry", Mode: mode, In: retrieve.InMessages}.Run(t.Context(), db, retrieve.AllConversations())
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Messages) != 2 || got.Messages[1].ID != 2 || !strings.Contains(got.Text(), "msg#2] (user, -)") {
			t.Errorf("%s: %s", mode, got.Text())
		}
	}
}

// TestGrepOfLongTexts: the snippet of a long text is that of a search table, which would take minutes for a text that has the words
// of the pattern again and again.
func TestGrepOfLongTexts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("nothing to see. ", 2000) + "The retries: a queue of two. " + strings.Repeat("nothing to see. ", 2000)
	db := conversation(t, long, strings.Repeat("retry queue ", 20_000))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	got, err := retrieve.GrepRequest{Pattern: "queues retry", Mode: retrieve.FullText, In: retrieve.InMessages}.Run(ctx, db, retrieve.AllConversations())
	if err != nil || len(got.Messages) != 2 {
		t.Fatalf("%v: %+v", err, got)
	}
	var want string
	err = db.EachRow(ctx, "read a snippet", "SELECT snippet(messages_fts, 0, '', '', '...', 32) FROM messages_fts WHERE messages_fts MATCH 'queue retry' AND rowid = 1", nil,
		func(scan data.RowScanner) error { return scan(&want) })
	if i := slices.IndexFunc(got.Messages, func(m retrieve.GrepMessage) bool { return m.ID == 1 }); err != nil || got.Messages[i].Snippet != want {
		t.Errorf("%v: %q, SQLite's is %q", err, got.Messages[i].Snippet, want)
	}
}

// TestGrepOfGreekCapitals: a word in capitals is found as it is written in small letters, with the sigma at its end.
func TestGrepOfGreekCapitals(t *testing.T) {
	t.Parallel()
	db := changed(t, "DROP TABLE messages_fts", "UPDATE messages SET content = 'ένας σοφος' WHERE message_id = 1")
	got, err := retrieve.GrepRequest{Pattern: "ΣΟΦΟΣ", Mode: retrieve.FullText, In: retrieve.InMessages}.Run(t.Context(), db, retrieve.AllConversations())
	if err != nil || len(got.Messages) != 1 || got.Messages[0].ID != 1 {
		t.Errorf("found %+v, %v", got, err)
	}
}
