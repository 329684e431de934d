package data_test

import (
	"math"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// oddNames are names that SQLite allows and that a careless statement breaks on.
var oddNames = []string{"we]ird", "we[ird", "we`ird", `we"ird`, "we'ird", "we ird", "we;ird", "wé--ird", "select"}

// TestNamesOfAnyKind: a table or column may have any name; it is read, copied and
// counted as any other.
func TestNamesOfAnyKind(t *testing.T) {
	t.Parallel()
	for _, name := range oddNames {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head)
			quoted := `"` + doubled(name) + `"`
			script := "CREATE TABLE " + quoted + " (id INTEGER PRIMARY KEY, " + quoted + " TEXT); INSERT INTO " + quoted + " VALUES (1, 'kept');" +
				"ALTER TABLE messages ADD COLUMN " + quoted + " TEXT"
			if err := faults.Alter(path, script); err != nil {
				t.Fatal(err)
			}
			db := testdb.Open(t, path)
			if !db.Schema().Has("messages", name) || !db.Schema().Has(name, name) {
				t.Errorf("%q isn't found", name)
			}
			r, err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"), noReport)
			if err != nil || r.Tables[name] != 1 {
				t.Errorf("backup: %v, %v", r.Tables[name], err)
			}
			if rows, err := data.Images(t.Context(), db, name, data.Row{name: "kept"}); err != nil || len(rows) != 1 {
				t.Errorf("%d rows, %v", len(rows), err)
			}
		})
	}
}

func doubled(name string) (out string) {
	for _, r := range name {
		if r == '"' {
			out += `"`
		}
		out += string(r)
	}
	return out
}

// TestIDsAtTheEndsOfTheRange: ids are any 64 bit numbers, and counting by them ends.
func TestIDsAtTheEndsOfTheRange(t *testing.T) {
	t.Parallel()
	for _, ids := range [][2]int64{{1, math.MaxInt64}, {math.MinInt64, math.MaxInt64}, {math.MinInt64, -1}, {math.MaxInt64 - 1, math.MaxInt64}} {
		path := testdb.Sample(t, fakehost.Head)
		if err := faults.Alter(path, "DELETE FROM conversations; DELETE FROM messages"); err != nil {
			t.Fatal(err)
		}
		h, err := fakehost.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		for i, id := range ids {
			for _, q := range []string{
				"INSERT INTO conversations (conversation_id, session_id) VALUES (?1, 's' || ?1)",
				"INSERT INTO messages (conversation_id, seq, role, content, token_count) VALUES (?1, ?1, 'user', 'hello', 1)",
			} {
				if err := h.Exec(q, id); err != nil {
					t.Fatalf("%d: %v", i, err)
				}
			}
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		db := testdb.Open(t, path)
		stats, err := lcm.AllStats(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if stats[id] == nil || stats[id].Messages != 1 {
				t.Errorf("conversation %d: %+v", id, stats[id])
			}
		}
	}
}
