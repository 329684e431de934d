package change_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

// crowd returns a database with so many messages in one context, and as many summaries.
func crowd(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true}); err != nil {
		t.Fatal(err)
	}
	const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
	err = h.Tx(func(h *fakehost.Writer) error {
		for _, q := range []string{
			"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) " + numbers + "SELECT i, 1, i, 'user', 'message ' || i, 3 FROM n",
			"INSERT INTO summaries (summary_id, conversation_id, kind, content, token_count) " + numbers + "SELECT 'sum_' || i, 1, 'leaf', 'summary ' || i, 3 FROM n",
			"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id) " + numbers + "SELECT 1, i - 1, 'message', i FROM n",
		} {
			if err := h.Exec(q, n); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

// clearing deletes a conversation with all that it has.
func clearing(t testing.TB, db *data.DB) change.Batch {
	t.Helper()
	b := change.Batch{Op: "test", Title: "clear", Forgets: true}
	for _, table := range []string{"context_items", "messages", "summaries", "conversations"} {
		rows, err := data.Images(t.Context(), db, table, data.Row{"conversation_id": int64(1)})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			b.Changes = append(b.Changes, change.Delete(db, table, r))
		}
	}
	return b
}

// TestManyDeletesLeaveTheSchemaAsItIs: the indexes that they need are there only while
// they are made, in a write and in the undo of what was inserted.
func TestManyDeletesLeaveTheSchemaAsItIs(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := crowd(t, 200)
	was, schema := dump(t, path), schemaOf(t, path)
	db := open(t, path)
	id, err := change.Write(t.Context(), db, clearing(t, db))
	if err != nil {
		t.Fatal(err)
	}
	if got := schemaOf(t, path); got != schema {
		t.Errorf("the schema is\n%s\nand was\n%s", got, schema)
	}
	if err := change.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was || schemaOf(t, path) != schema {
		t.Error("undo brought something else back")
	}
}

// schemaOf returns the schema of a file without that of our own table.
func schemaOf(t testing.TB, path string) string {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	out := ""
	err = h.Each("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master WHERE name NOT LIKE 'lcm_tui_undo%' AND tbl_name NOT LIKE 'lcm_tui_undo%' ORDER BY rowid", nil, func(scan func(...any) error) error {
		var kind, name, on, sql string
		err := scan(&kind, &name, &on, &sql)
		out += fmt.Sprintln(kind, name, on, sql)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// BenchmarkDelete is what the deletion of many messages and summaries takes and its undo,
// and how long another program waits for its turn meanwhile.
func BenchmarkDelete(b *testing.B) {
	const rows = 100_000
	var apply, undo, longest time.Duration
	for b.Loop() {
		path := crowd(b, rows)
		db := open(b, path)
		batch := clearing(b, db)
		stop, waited := waiting(b, path)
		start := time.Now()
		id, err := change.Write(b.Context(), db, batch)
		if err != nil {
			b.Fatal(err)
		}
		apply += time.Since(start)
		start = time.Now()
		if err := change.Undo(b.Context(), db, id); err != nil {
			b.Fatal(err)
		}
		undo += time.Since(start)
		close(stop)
		longest = max(longest, <-waited)
	}
	b.ReportMetric(apply.Seconds()/float64(b.N), "s-apply")
	b.ReportMetric(undo.Seconds()/float64(b.N), "s-undo")
	b.ReportMetric(longest.Seconds(), "s-longest-wait")
}

// waiting writes again and again as another program until it is stopped, and gives the
// longest time that it had to wait.
func waiting(b *testing.B, path string) (stop chan struct{}, waited chan time.Duration) {
	b.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	stop, waited = make(chan struct{}), make(chan time.Duration, 1)
	go func() {
		defer h.Close()
		longest := time.Duration(0)
		for {
			select {
			case <-stop:
				waited <- longest
				return
			case <-time.After(50 * time.Millisecond):
			}
			start := time.Now()
			if err := h.Tx(func(*fakehost.Writer) error { return nil }); err != nil {
				b.Error(err)
			}
			longest = max(longest, time.Since(start))
		}
	}()
	return stop, waited
}
