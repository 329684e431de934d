package compare_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/compare"
	"lcm-tui/internal/fakehost"
)

// item returns a line of a rollout by which somebody says a text.
func item(role, text string) string {
	return fmt.Sprintf(`{"timestamp":"2026-03-01T08:00:01.000Z","type":"response_item","payload":{"type":"message","role":%q,"content":[{"type":"input_text","text":%q}]}}`, role, text)
}

// TestCompare: items find their messages in order, and what can't be distinguished is
// covered, forgotten, missing or only in the context says so.
func TestCompare(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionID: "s", Active: true})
		if err != nil {
			return err
		}
		var ids []int64
		for _, text := range []string{"Old, and summarised.", "Go on.", "Go on.", "Only here.", "Dropped from the context.", "Say \"hi\"\nin two lines."} {
			id, err := h.Message(conv, fakehost.Message{Role: "user", Content: text})
			if err != nil {
				return err
			}
			ids = append(ids, id)
		}
		if _, err := h.Leaf(conv, ids[:1], "It was old."); err != nil {
			return err
		}
		return h.Exec("DELETE FROM context_items WHERE message_id = ?", ids[4])
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "rollout-s.jsonl")
	lines := []string{
		`{"timestamp":"2026-03-01T08:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}`,
		item("user", "Old,  and summarised."), item("user", "Go on."), item("user", "Go on."), item("user", "Go on."),
		item("user", "Dropped from the context."), item("user", `Say \"hi\"\nin two lines.`), item("user", "Never stored."), "not JSON",
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	c, err := compare.Compare(t.Context(), db, 1, file)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range c.Rows {
		doubt := ""
		if r.Ambiguous {
			doubt = " ~"
		}
		got = append(got, fmt.Sprintf("%d %s %d%s", r.Line, r.Place, r.Seq, doubt))
	}
	want := []string{
		"2 summary 1", "3 context 2 ~", "4 context 3 ~", "5 context 3 ~", "0 extra 4", "6 forgotten 5", "7 context 6", "8 missing 0",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if c.Aligned != 6 || len(c.Missing) != 1 || len(c.Extra) != 1 || len(c.Ambiguous) != 3 || c.BadLines != 1 {
		t.Errorf("%d aligned, %d missing, %d extra, %d ambiguous, %d bad lines", c.Aligned, len(c.Missing), len(c.Extra), len(c.Ambiguous), c.BadLines)
	}
}
