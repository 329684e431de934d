package change_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestRecordsOfAConversation: without decoding them, those records are found in which a row names the
// conversation, whatever stands in the texts of the others.
func TestRecordsOfAConversation(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	write := func(b change.Batch) {
		t.Helper()
		if _, err := change.Write(t.Context(), db, b); err != nil {
			t.Fatal(err)
		}
	}
	row, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": int64(2)})
	if err != nil {
		t.Fatal(err)
	}
	title := func(text string) change.Change {
		return change.Update(db, "conversations", row[0], data.Row{"title": text})
	}
	write(change.Batch{Op: "key", Title: "one", Changes: []change.Change{title("a")}})
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	odd := []string{`"conversation_id":1,`, `{"conversation_id":1}`, `\"conversation_id\":1}`, `"conversation_id":1`, "conversation_id"}
	r := rand.New(rand.NewPCG(1, 2))
	for n := int64(2); n < 200; n++ {
		edit := change.Change{Table: "messages", Key: []string{"message_id"}, Before: data.Row{"message_id": n}, After: data.Row{"message_id": n, "content": odd[r.IntN(len(odd))]}}
		switch r.IntN(4) {
		case 0:
			edit.After["conversation_id"] = int64([]int{1, 2, 11, 12, 21}[r.IntN(5)])
		case 1:
			edit.Before["conversation_id"], edit.After = int64(1+r.IntN(20)), nil
		case 2:
			edit = change.Change{Table: "context_items", Key: []string{"conversation_id", "ordinal"}, After: data.Row{"$rows": fmt.Sprintf(`[[%d,3,"abcd"],[%d,4,"abcd"]]`, 1+r.IntN(3), 1+r.IntN(12))}}
		}
		text, err := json.Marshal([]change.Change{edit})
		if err == nil {
			err = h.Exec("INSERT INTO lcm_tui_undo (id, op, title, applied_at, detail, changes, search) VALUES (?, 'edit', '', '2026-01-01 00:00:00', '{}', ?, '[]')", n, string(text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	all, err := change.History(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, conv := range []int64{1, 2, 11, 12, 99} {
		found, err := change.RecordsOf(t.Context(), db, conv)
		if err != nil {
			t.Fatal(err)
		}
		want := 0
		for _, record := range all {
			_, changes, err := change.RecordChanges(t.Context(), db, record.ID)
			if err != nil {
				t.Fatal(err)
			}
			of := false
			for _, c := range changes {
				for _, r := range []data.Row{c.Before, c.After} {
					if v, ok := r["conversation_id"]; ok && data.CellInteger(v) == conv {
						of = true
					}
				}
			}
			if of {
				want++
			}
			if found[record.ID] != of {
				t.Errorf("record %d of conversation %d: %v, want %v: %v", record.ID, conv, found[record.ID], of, changes)
			}
		}
		if want == 0 && conv != 99 {
			t.Errorf("no record is of conversation %d", conv)
		}
	}
}

// BenchmarkRecordsOf: 40 records of 2 MB each.
func BenchmarkRecordsOf(b *testing.B) {
	path := testdb.Sample(b, fakehost.Head)
	db := testdb.Open(b, path)
	h, err := fakehost.Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer h.Close()
	var changes []change.Change
	for n := range int64(4000) {
		changes = append(changes, change.Change{Table: "messages", Key: []string{"message_id"}, After: data.Row{"message_id": n, "conversation_id": int64(7), "content": fmt.Sprintf("%0400d", n)}})
	}
	text, err := json.Marshal(changes)
	if err == nil {
		err = h.Exec("CREATE TABLE lcm_tui_undo (id INTEGER PRIMARY KEY, op TEXT NOT NULL, title TEXT NOT NULL, applied_at TEXT NOT NULL, undone_at TEXT, detail TEXT NOT NULL, changes TEXT NOT NULL, search TEXT NOT NULL)")
	}
	for range 40 {
		if err == nil {
			err = h.Exec("INSERT INTO lcm_tui_undo (op, title, applied_at, detail, changes, search) VALUES ('edit', '', '2026-01-01 00:00:00', '{}', ?, '[]')", string(text))
		}
	}
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(40 * len(text)))
	for b.Loop() {
		if found, err := change.RecordsOf(b.Context(), db, 8); err != nil || found[1] {
			b.Fatal(found, err)
		}
	}
}
