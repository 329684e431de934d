package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/compare"
	"lcm-tui/internal/fakehost"
)

// TestWhyAHostLacksAnEntry: an entry that a host can't read or leaves out says why it isn't stored.
func TestWhyAHostLacksAnEntry(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionID: "s", Active: true})
		if err == nil {
			_, err = h.Message(conv, fakehost.Message{Role: "user", Content: "the only message that is stored"})
		}
		return err
	})
	if err == nil {
		err = h.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	const plain, reasoned = `[{"type":"text","text":"a plain answer"}]`, `[{"type":"thinking","thinking":"hm"},{"type":"text","text":"an answer with reasoning"}]`
	messages := []struct{ message, place, why string }{
		{`{"role":"user","content":"the only message that is stored"}`, "context", ""},
		{"{\"role\":\"user\",\"content\":\"one \u2028 line\"}", "missing", "U+2028"},
		{"{\"role\":\"user\",\"content\":\"another \u2029 line\"}", "missing", "U+2029"},
		{`{"role":"user","content":"an escaped \u2028 is fine"}`, "missing", ""},
		{`{"role":"assistant","content":` + plain + `}`, "missing", ""},
		{`{"role":"assistant","model":"delivery-mirror","content":` + plain + `}`, "missing", "as it was delivered"},
		{`{"role":"assistant","content":` + reasoned + `}`, "missing", ""},
		{`{"role":"assistant","model":"delivery-mirror","content":"an answer with reasoning"}`, "left-out", "as it was delivered"},
		{`{"role":"user"}`, "left-out", "without content"},
	}
	lines := []string{`{"type":"session","version":3,"id":"s","timestamp":"2026-03-01T08:00:00.000Z","cwd":"/w"}`}
	parent := "null"
	for i, m := range messages {
		id := `"` + string(rune('a'+i)) + `"`
		lines = append(lines, `{"type":"message","id":`+id+`,"parentId":`+parent+`,"message":`+m.message+`}`)
		parent = id
	}
	file := filepath.Join(dir, "s.jsonl")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	got, err := compare.Compare(t.Context(), db, 1, file)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range messages {
		if r := got.Rows[i]; string(r.Place) != m.place || (r.Why == "") != (m.why == "") || !strings.Contains(r.Why, m.why) {
			t.Errorf("%s: %s %q, want %s %q", m.message, r.Place, r.Why, m.place, m.why)
		}
	}
}
