package pending_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestVerdictsBesideAHost agree at each step with what a host that prepares summaries would do.
func TestVerdictsBesideAHost(t *testing.T) {
	t.Parallel()
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
	must(w.Close())
	h, err := fakehost.Start(path, fakehost.Config{FreshTailCount: 4, LeafChunkTokens: 40})
	must(err)
	t.Cleanup(func() { _ = h.Close() })
	for i := range 20 {
		_, err := h.Append(1, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("message %d %s", i, strings.Repeat("of words ", 6)), At: time.Now().UTC()})
		must(err)
	}
	db := testdb.Open(t, path)
	verdict := func() pending.Verdict {
		t.Helper()
		batches, err := pending.Read(t.Context(), db, 1, data.WholeText)
		if err != nil || len(batches) != 1 {
			t.Fatal(len(batches), err)
		}
		return batches[0].Judge(pending.Options{Now: at, TailStart: assemble.Tail{Count: 4}.Start})
	}
	batch, nodes, ok, err := h.Plan(1)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for i, n := range nodes {
		if v := verdict(); v.Outcome != pending.Waits || v.NextClaim != n.ID || len(v.Frontier) != i {
			t.Errorf("before node %d: %+v", i, v)
		}
		claimed, ok, err := h.Claim(n)
		if err != nil || !ok {
			t.Fatal(ok, err)
		}
		must(h.Finish(claimed, fmt.Sprintf("summary %d", i)))
	}
	if v := verdict(); v.Outcome != pending.Publishes || v.State != pending.Prepared || len(v.Frontier) != len(nodes) {
		t.Errorf("when all is ready: %+v", v)
	}
	if why, err := h.Check(batch); why != "" || err != nil {
		t.Fatal(why, err)
	}
	must(h.Exec("UPDATE messages SET content = 'edited' WHERE message_id = 2"))
	v := verdict()
	why, err := h.Check(batch)
	if must(err); v.Outcome != pending.GivesUp || v.Reason != why || why == "" {
		t.Errorf("after an edit: %+v, the host says %q", v, why)
	}
	if v := verdict(); v.Outcome != pending.Finished || v.State != pending.NoState {
		t.Errorf("when the host gave it up: %+v", v)
	}
}
