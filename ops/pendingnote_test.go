package ops_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
)

// preparing returns a file whose host has prepared summaries of conversation 1, and the number of
// nodes that are ready.
func preparing(t *testing.T) (db *data.DB, ready int) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Beta)
	must(err)
	_, err = w.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	must(err)
	for i := range 20 {
		_, err := w.Message(1, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: strings.Repeat("many words ", 8), At: time.Now()})
		must(err)
	}
	must(w.Close())
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 60})
	must(err)
	defer h.Close()
	_, nodes, _, err := h.Plan(1)
	must(err)
	for i, n := range nodes[1:] {
		n, _, err = h.Claim(n)
		must(err)
		must(h.Finish(n, fmt.Sprintf("summary %d", i)))
	}
	return testdb.Open(t, path), len(nodes) - 1
}

// TestNotePendingSaysWhatIsLost: a change of the context costs what the host has prepared of it,
// and an estimate says so, too; what is outside of the range costs nothing.
func TestNotePendingSaysWhatIsLost(t *testing.T) {
	t.Parallel()
	db, ready := preparing(t)
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	message := func(id int64) data.Row { return data.Row{"message_id": id} }
	edited := func(id int64) change.Change {
		before, after := message(id), message(id)
		before["content"], after["content"] = "many words", "other words"
		return change.Change{Table: "messages", Key: []string{"message_id"}, Before: before, After: after}
	}
	removed := change.Change{Table: "context_items", Before: data.Row{"conversation_id": int64(1), "ordinal": items[2].Ordinal}}
	estimate := ops.New("compact", "an estimate")
	estimate.Impact.ModelCalls, estimate.Contexts = 1, []ops.ContextChange{{Conversation: 1}}
	for name, c := range map[string]struct {
		plan ops.Plan
		lost bool
	}{
		"an item of the context":    {planOf(removed), true},
		"a message of the range":    {planOf(edited(items[3].Message)), true},
		"a message behind it":       {planOf(edited(items[len(items)-1].Message)), false},
		"an estimate":               {estimate, true},
		"nothing":                   {ops.New("none", "nothing"), false},
		"what no batch is made of":  {planOf(change.Change{Table: "large_files", Before: data.Row{"file_id": "f"}}), false},
		"an item of another's list": {planOf(change.Change{Table: "context_items", Before: data.Row{"conversation_id": int64(2), "ordinal": int64(1)}}), false},
	} {
		p := c.plan
		if err := ops.NotePending(t.Context(), db, &p); err != nil {
			t.Fatal(err)
		}
		got, want := strings.Join(p.Warnings, "\n"), fmt.Sprintf("prepared for this conversation become stale (%d nodes, ", ready)
		if strings.Contains(got, want) != c.lost || !c.lost && len(p.Warnings) > 0 {
			t.Errorf("%s: it warns %q", name, got)
		}
	}
}

// TestNotePendingSaysWhatIsDeleted: a batch that names a message goes with the message.
func TestNotePendingSaysWhatIsDeleted(t *testing.T) {
	t.Parallel()
	db, _ := preparing(t)
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := planOf(change.Change{Table: "messages", Key: []string{"message_id"}, Before: data.Row{"message_id": items[1].Message}})
	if err := ops.NotePending(t.Context(), db, &p); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(p.Notes, "\n"); got != "1 pending batch of the host names what is deleted, and is deleted, too" || len(p.Warnings) > 0 {
		t.Errorf("it notes %q, and warns %q", got, p.Warnings)
	}
}

func planOf(cs ...change.Change) ops.Plan {
	p := ops.New("test", "a test")
	p.Changes = cs
	return p
}
