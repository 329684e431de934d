package pending_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// newest returns the newest batch of a conversation of a fixture that was altered.
func newest(t *testing.T, name string, conv int64, sql string) *pending.Batch {
	t.Helper()
	path := testdb.Fixture(t, name)
	if err := faults.Alter(path, sql); sql != "" && err != nil {
		t.Fatal(err)
	}
	batches, err := pending.Read(t.Context(), testdb.Open(t, path), conv, 0)
	if err != nil || len(batches) == 0 {
		t.Fatal(len(batches), err)
	}
	return batches[0]
}

// TestStretches are what stands in the context, from the widest summaries that are ready to the
// fresh tail.
func TestStretches(t *testing.T) {
	t.Parallel()
	type stretch struct {
		first, last int64
		state, node string
	}
	of := func(b *pending.Batch) (out []stretch) {
		items := 0
		for _, s := range b.Stretches(b.Judge(options()).FreshTail) {
			out, items = append(out, stretch{s.First, s.Last, s.State, s.Node}), items+s.Items
		}
		if items != len(b.Items) {
			t.Errorf("%d of %d items are in a stretch", items, len(b.Items))
		}
		return out
	}
	const batch = "psn_63dc19ef6f1455d4_6c2746efa9a4c37e"
	want := []stretch{
		{0, 3, "prepared", batch + "-condensed-d3-0-3"},
		{4, 21, "prepared", "psn_fb82e8dd7aa8096b-condensed-d1-4-21"},
		{22, 27, "prepared", "psn_fb82e8dd7aa8096b-leaf-22-27"},
		{28, 32, "prepared", "psn_1f2081cf87caaf61-leaf-28-32"},
		{33, 44, "raw", ""},
		{45, 50, "fresh tail", ""},
	}
	if diff := cmp.Diff(want, of(newest(t, "v1.0/small.db", 1, "")), cmp.AllowUnexported(stretch{})); diff != "" {
		t.Error(diff)
	}
	// Without the widest, those below it stand in its place, and summaries that stand there stay.
	narrow := newest(t, "v1.0/small.db", 1, `UPDATE pending_summary_nodes SET status = 'planned', content = NULL WHERE kind = 'condensed';
		UPDATE pending_summary_nodes SET status = 'planned', content = NULL WHERE node_id = 'psn_c719b7c86457cbfb-leaf-10-21'`)
	want = []stretch{
		{0, 3, "published", ""},
		{4, 9, "prepared", batch + "-leaf-4-9"},
		{10, 21, "planned", "psn_c719b7c86457cbfb-leaf-10-21"},
		{22, 27, "prepared", "psn_fb82e8dd7aa8096b-leaf-22-27"},
		{28, 32, "prepared", "psn_1f2081cf87caaf61-leaf-28-32"},
		{33, 44, "raw", ""},
		{45, 50, "fresh tail", ""},
	}
	if diff := cmp.Diff(want, of(narrow), cmp.AllowUnexported(stretch{})); diff != "" {
		t.Error(diff)
	}
}

// TestNextClaim is the first node by ordinal and depth that is open, due, and made of nodes that
// are ready.
func TestNextClaim(t *testing.T) {
	t.Parallel()
	const (
		leaf4, leaf10 = "psn_63dc19ef6f1455d4_6c2746efa9a4c37e-leaf-4-9", "psn_c719b7c86457cbfb-leaf-10-21"
		above         = "psn_fb82e8dd7aa8096b-condensed-d1-4-21"
		open          = "UPDATE pending_summary_nodes SET content = NULL, status = "
	)
	both := "WHERE node_id IN ('" + leaf4 + "', '" + leaf10 + "', '" + above + "')"
	for name, c := range map[string]struct{ sql, want, next string }{
		"nothing is open":                 {"", "", ""},
		"the first leaf":                  {open + "'planned' " + both, leaf4, ""},
		"the node above waits":            {open + "'planned' WHERE node_id IN ('" + leaf10 + "', '" + above + "')", leaf10, ""},
		"the node above, all below ready": {open + "'planned' WHERE node_id = '" + above + "'", above, ""},
		"a promoted child is ready":       {open + "'planned' WHERE node_id = '" + above + "'; UPDATE pending_summary_nodes SET status = 'promoted' WHERE node_id = '" + leaf4 + "'", above, ""},
		"one fails, another is planned":   {open + "'planned' " + both + "; UPDATE pending_summary_nodes SET status = 'failed', retry_count = 1, next_attempt_after = '2026-11-01T12:05:00.000Z' WHERE node_id = '" + leaf4 + "'", leaf10, "2026-11-01T12:05:00.000Z"},
		"one failed, and its time came":   {open + "'failed', retry_count = 2, next_attempt_after = '2026-11-01T12:00:00.000Z' " + both, leaf4, ""},
		"all failed for good":             {open + "'failed', retry_count = 3 " + both, "", ""},
		"leases run":                      {open + "'running', lease_owner = 'engine:a', lease_expires_at = '2026-11-01T12:00:30.000Z' " + both, "", "2026-11-01T12:00:30.000Z"},
		"no lease runs out":               {open + "'running' " + both, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newest(t, "v1.0/small.db", 1, c.sql)
			got := ""
			if n := b.NextClaim(at); n != nil {
				got = n.ID
			}
			if next := b.NextAttemptAt(at); got != c.want || next.Raw != c.next {
				t.Errorf("%q, next at %q", got, next.Raw)
			}
		})
	}
}

// TestStateOfABatchThatWaits: a node above others waits with them.
func TestStateOfABatchThatWaits(t *testing.T) {
	t.Parallel()
	b := newest(t, "v1.0/small.db", 1, `UPDATE pending_summary_nodes SET content = NULL, status = 'planned' WHERE node_id = 'psn_fb82e8dd7aa8096b-condensed-d1-4-21';
		UPDATE pending_summary_nodes SET content = NULL, status = 'failed', retry_count = 1, next_attempt_after = '2026-11-01T12:05:00.000Z'
		WHERE node_id = 'psn_c719b7c86457cbfb-leaf-10-21'`)
	if s := b.State(at); s != pending.Waiting {
		t.Error(s)
	}
	if s := b.State(at.Add(5 * time.Minute)); s != pending.Preparing {
		t.Error(s)
	}
	if b.Status = lcm.BatchStale; b.State(at) != pending.NoState {
		t.Error("a stale batch has a state")
	}
}
