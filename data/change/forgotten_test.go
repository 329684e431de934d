package change_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestForgottenText: a stub says what was there, and is recognized only as a whole.
func TestForgottenText(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 3, 4, 23, 30, 0, 0, time.FixedZone("", -3600))
	for stub, want := range map[string]data.Forgotten{
		data.ForgottenText("tool", 12, day, 340, nil): {Role: "tool", Seq: 12, Date: "2026-03-05", Bytes: 340},
		data.ForgottenText("user", 1, time.Time{}, 0, []string{"file_00112233445566aa", "file_00112233445566bb"}): {
			Role: "user", Seq: 1, Files: []string{"file_00112233445566aa", "file_00112233445566bb"},
		},
	} {
		got, ok := data.ParseForgotten(stub)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s: %v\n%s", stub, ok, diff)
		}
	}
	if got, want := data.ForgottenText("assistant", 7, day, 5, []string{"file_00112233445566aa"}),
		"[LCM Forgotten: assistant message 7, 2026-03-05, 5 bytes] files: file_00112233445566aa"; got != want {
		t.Errorf("got %s", got)
	}
	for _, text := range []string{
		"", "[LCM Forgotten: ", "[LCM Forgotten: tool message x, 2026-03-05, 340 bytes]",
		"[LCM Forgotten: tool message 12, 2026-03-05, 340 bytes] said the stub",
		"What is [LCM Forgotten: tool message 12, 2026-03-05, 340 bytes]?",
		"[LCM Forgotten: tool message 12, 2026-03-05, 340 bytes] files: ",
		"[LCM Forgotten: tool message 12, 2026-03-05, 340 bytes]\n",
	} {
		if data.IsForgotten(text) {
			t.Errorf("%q counts as forgotten", text)
		}
	}
}

// TestStubsAreNeverIndexed: a text that becomes a stub leaves the search table, a rebuilt
// table doesn't hold it, and undo brings both back.
func TestStubsAreNeverIndexed(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	row := data.Row{"message_id": int64(7)}
	m, err := lcm.ReadMessage(t.Context(), db, 7)
	if err != nil {
		t.Fatal(err)
	}
	row["content"] = m.Content
	stub := data.ForgottenText(m.Role, m.Seq, m.CreatedAt.Time, int64(len(m.Content)), nil)
	c := change.Change{Table: "messages", Key: []string{"message_id"}, Before: row, After: data.Row{"message_id": int64(7), "content": stub}}
	first, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "forget", Changes: []change.Change{c}})
	if err != nil {
		t.Fatal(err)
	}
	indexed := func(when string) {
		t.Helper()
		for query, want := range map[string]int{
			"SELECT count(*) FROM messages_fts WHERE rowid = 7":                      0,
			"SELECT count(*) FROM messages_fts WHERE messages_fts MATCH 'forgotten'": 0,
			"SELECT count(*) > 5 FROM messages_fts":                                  1,
		} {
			if n, err := testdb.Count(path, query); err != nil || n != want {
				t.Errorf("%s: %s: %d, %v", when, query, n, err)
			}
		}
	}
	indexed("written")
	second, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "rebuild", Rebuild: []string{data.MessageIndex}})
	if err != nil {
		t.Fatal(err)
	}
	indexed("rebuilt")
	for _, id := range []int64{second, first} {
		if err := change.Undo(t.Context(), db, id); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(was, dump(t, path)); diff != "" {
		t.Error(diff)
	}
}

// TestForgottenMessagesSaySo: a message that is a stub is read as forgotten, whole and clipped,
// also in JSON; another isn't.
func TestForgottenMessagesSaySo(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	testdb.Forget(t, path, "seq = 3")
	db := open(t, path)
	for _, clip := range []int{data.WholeText, 40} {
		page, err := lcm.Messages(t.Context(), db, 1, lcm.Page{Before: 5, Limit: 4, Clip: clip})
		if err != nil || len(page) != 4 {
			t.Fatalf("%d messages, %v", len(page), err)
		}
		for _, m := range page {
			if m.Forgotten != (m.Seq == 3) {
				t.Errorf("clipped at %d: #%d forgotten: %v", clip, m.Seq, m.Forgotten)
			}
			b, err := json.Marshal(m)
			if err != nil || strings.Contains(string(b), `"forgotten":true`) != (m.Seq == 3) {
				t.Errorf("%s, %v", b, err)
			}
		}
	}
}
