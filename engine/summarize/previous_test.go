package summarize_test

import (
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
)

// family returns a conversation of eight leaves named a to h, of which ab and cd are
// made, and abcd of both: abcd, e, f, g and h stand in the context. No model made f.
func family(t *testing.T) (path string, ids map[string]string) {
	t.Helper()
	path, ids = filepath.Join(t.TempDir(), "lcm.db"), map[string]string{}
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	start := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	conv, err := h.Conversation(fakehost.Conversation{Active: true, At: start})
	check(err)
	messages := map[string]int64{}
	for i, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
		id, err := h.Message(conv, fakehost.Message{Role: "user", Content: "said " + name, At: start.Add(time.Duration(i) * time.Hour)})
		check(err)
		messages[name] = id
	}
	for name, m := range messages {
		text := "text of " + name
		if name == "f" {
			text += "\n[Truncated from 9 tokens]"
		}
		ids[name], err = h.Leaf(conv, []int64{m}, text)
		check(err)
	}
	for _, of := range []string{"ab", "cd"} {
		ids[of], err = h.Condense(conv, []string{ids[of[:1]], ids[of[1:]]}, "text of "+of)
		check(err)
	}
	ids["abcd"], err = h.Condense(conv, []string{ids["ab"], ids["cd"]}, "text of abcd")
	check(err)
	check(h.Close())
	return path, ids
}

func TestBefore(t *testing.T) {
	t.Parallel()
	path, ids := family(t)
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := lineage.Load(t.Context(), db, 1, 8)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a":    "",
		"b":    "text of a",
		"c":    "text of ab",
		"d":    "text of ab\n\ntext of c",
		"e":    "text of abcd",
		"f":    "text of abcd\n\ntext of e",
		"g":    "text of abcd\n\ntext of e", // f was made by no model.
		"h":    "text of e\n\ntext of g",
		"ab":   "",
		"cd":   "text of ab",
		"abcd": "",
	} {
		got, err := form().PreviousOf(t.Context(), db, g, ids[name], nil)
		if err != nil || got != want {
			t.Errorf("before %s: %q, want %q (%v)", name, got, want, err)
		}
	}
	if got := summarize.EarlierSummaries(g, "sum_nowhere"); got != nil {
		t.Errorf("before a summary that isn't there: %v", got)
	}
}

func TestEarlierEndsOnACycle(t *testing.T) {
	t.Parallel()
	path, ids := family(t)
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, statement := range []string{
		"UPDATE summaries SET depth = 1",
		"DELETE FROM context_items",
		"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT '" + ids["a"] + "', '" + ids["abcd"] + "', 0",
	} {
		if err := h.Exec(statement); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	g, err := lineage.Load(t.Context(), db, 1, 8)
	if err != nil {
		t.Fatal(err)
	}
	if got := summarize.EarlierSummaries(g, ids["d"]); len(got) == 0 {
		t.Error("nothing is before a leaf that has a sibling")
	}
}
