package compact_test

import (
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
)

// hosted returns a conversation with two leaves of long ago and eight messages, and the host
// that it belongs to.
func hosted(t *testing.T) (*fakehost.Host, *data.DB) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	if err == nil {
		_, err = w.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	for i := range 14 {
		m := fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d of a conversation that goes on and on", i), At: time.Now()}
		if _, err := h.Append(1, m); err != nil {
			t.Fatal(err)
		}
	}
	for first := range int64(2) {
		c, _, err := h.Choose(1, first, first+2)
		if err == nil {
			_, err = h.Write(c, fmt.Sprintf("the host's leaf %d", first))
		}
		if err == nil {
			err = h.Exec("UPDATE context_items SET created_at = '2026-01-05 09:00:00'")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return h, testdb.Open(t, path)
}

// TestOnlySettledSummariesAreCondensed: beside a host at work no pass builds on one before
// it. The host that has chosen the messages of the first would delete the second, by the
// ordinal that it got, and what else is below it.
func TestOnlySettledSummariesAreCondensed(t *testing.T) {
	t.Parallel()
	h, db := hosted(t)
	testdb.BesideHost(db)
	chosen, ok, err := h.Choose(1, 2, 6)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for range 2 { // The second run finds what the first has just placed.
		p, err := op(&brief{}).Plan(t.Context(), db, noReport)
		if err != nil {
			break
		}
		made := map[any]bool{}
		for _, c := range p.Changes {
			if c.Table == "summaries" {
				made[c.After["summary_id"]] = true
			}
			if c.Table == "summary_parents" && made[c.After["parent_summary_id"]] {
				t.Errorf("%v is made of %v", c.After["summary_id"], c.After["parent_summary_id"])
			}
		}
		if _, err := ops.Apply(t.Context(), db, p); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := h.Write(chosen, "the host's third leaf"); err != nil {
		t.Fatal(err)
	}
	if n, err := testdb.Count(db.Path(), reachable, 1); err != nil || n != 14 {
		t.Errorf("%d of 14 messages can be reached (%v)", n, err)
	}
}
