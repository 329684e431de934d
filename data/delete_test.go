package data_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/lcmtest"
)

// crowd is a database with so many messages in one context, and as many summaries.
func crowd(t testing.TB, n int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := lcmtest.Create(path, lcmtest.Head)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = h.Conversation(lcmtest.Conversation{SessionKey: "agent:main:main", Active: true}); err != nil {
		t.Fatal(err)
	}
	const numbers = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
	err = h.Tx(func(h *lcmtest.Host) error {
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

// clearing deletes all messages with their items, and all summaries.
func clearing(t testing.TB, db *data.DB) data.Batch {
	t.Helper()
	b := data.Batch{Op: "test", Title: "clear", Forgets: true}
	for _, table := range []string{"context_items", "messages", "summaries"} {
		rows, err := db.Images(t.Context(), table, data.Row{"conversation_id": int64(1)})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			b.Changes = append(b.Changes, db.Delete(table, r))
		}
	}
	return b
}

// TestManyDeletesLeaveTheSchemaAsItIs: the indexes that they need are there only while
// they are made, in a write and in the undo of what was inserted.
func TestManyDeletesLeaveTheSchemaAsItIs(t *testing.T) {
	t.Parallel()
	path := crowd(t, 200)
	was, schema := dump(t, path), schemaOf(t, path)
	db := open(t, path)
	id, err := db.Write(t.Context(), clearing(t, db))
	if err != nil {
		t.Fatal(err)
	}
	if got := schemaOf(t, path); got != schema {
		t.Errorf("the schema is\n%s\nand was\n%s", got, schema)
	}
	if err := db.Undo(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was || schemaOf(t, path) != schema {
		t.Error("undo brought something else back")
	}
}

// schemaOf is the schema of a file without that of our own table.
func schemaOf(t testing.TB, path string) string {
	t.Helper()
	h, err := lcmtest.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	out := ""
	err = h.Each("SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master WHERE name <> 'lcm_tui_undo' ORDER BY rowid", nil, func(scan func(...any) error) error {
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

// BenchmarkDelete is what the deletion of many messages and summaries takes.
func BenchmarkDelete(b *testing.B) {
	const rows = 100_000
	for b.Loop() {
		b.StopTimer()
		db := open(b, crowd(b, rows))
		batch := clearing(b, db)
		b.StartTimer()
		if _, err := db.Write(b.Context(), batch); err != nil {
			b.Fatal(err)
		}
	}
}
