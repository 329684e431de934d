package lcm_test

import (
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestPendingRowsAreRead as a host wrote them: batches newest first, nodes in the order in
// which the host works on them, each with its sources.
func TestPendingRowsAreRead(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Fixture(t, "v1.0/small.db"))
	bs, err := lcm.PendingBatches(t.Context(), db, lcm.PendingSelection{Conversation: 1})
	must(t, err)
	var got []string
	for _, b := range bs {
		got = append(got, b.ID+" "+b.Status)
	}
	want := []string{
		"pcb_63dc19ef6f1455d4_6c2746efa9a4c37e planning", "pcb_1bfb5847a3dc0c06_ca271a63089c958b published", "pcb_cfac6192304f83ae_3320f927ec32aee3 published",
	}
	if !slices.Equal(got, want) {
		t.Errorf("batches %q", got)
	}
	if b := bs[0]; !b.Active() || b.First != 0 || b.Last != 32 || b.FreshTailStart.Value != 36 || !b.Failure.Null || !b.PublishedAt.Null || !b.CreatedAt.Valid() {
		t.Errorf("%+v", b)
	}
	if b := bs[1]; b.Active() || !b.PublishedAt.Valid() {
		t.Errorf("%+v", b)
	}
	active := lcm.PendingSelection{Conversation: 1, OnlyActive: true}
	ns, err := lcm.PendingNodes(t.Context(), db, active, data.WholeText)
	must(t, err)
	from, err := lcm.ReadPendingSources(t.Context(), db, active)
	must(t, err)
	if len(ns) != 8 || len(from) != 8 {
		t.Fatalf("%d nodes, sources of %d", len(ns), len(from))
	}
	n := ns[0]
	if n.ID != "psn_63dc19ef6f1455d4_6c2746efa9a4c37e-condensed-d3-0-3" || n.Depth != 3 || n.Status != lcm.NodeReady || n.Last != 3 ||
		n.Tokens.Value != 55 || len(n.Content.Text) != 218 || n.Bytes != 218 || !n.LeaseOwner.Null || !n.ReadyAt.Valid() {
		t.Errorf("%+v", n)
	}
	if c := from[n.ID].Children; len(c) != 2 || c[0].ChildSummary == "" || c[1].ChildNode != ns[1].ID || c[0].Missing || c[1].Missing {
		t.Errorf("children %+v", c)
	}
	if m := from[ns[3].ID].Messages; ns[3].Kind != lcm.KindLeaf || len(m) != 6 || m[0].Owner != 1 {
		t.Errorf("messages of %s: %+v", ns[3].ID, m)
	}
	clipped, err := lcm.PendingNodes(t.Context(), db, lcm.PendingSelection{Batch: bs[0].ID}, 10)
	if err != nil || len(clipped) != 8 || len(clipped[0].Content.Text) != 10 || clipped[0].Bytes != 218 {
		t.Errorf("%d nodes, %v", len(clipped), err)
	}
	counts, err := lcm.PendingBatchCounts(t.Context(), db)
	if err != nil || counts[1][lcm.BatchPublished] != 2 || counts[1][lcm.BatchPlanning] != 1 || counts[2][lcm.BatchPlanning] != 1 {
		t.Errorf("counts %v, %v", counts, err)
	}
}

// TestAnchorsEpochsAndTurnsAreRead from a file that was upgraded from 0.15.
func TestAnchorsEpochsAndTurnsAreRead(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/upgraded.db")
	db := testdb.Open(t, path)
	all, err := lcm.AnchorTrusts(t.Context(), db, 0)
	must(t, err)
	counts, err := lcm.AnchorTrustCounts(t.Context(), db)
	must(t, err)
	var sum int64
	for conv, states := range counts {
		of, err := lcm.AnchorTrusts(t.Context(), db, conv)
		must(t, err)
		for state, n := range states {
			sum += n
			found := slices.DeleteFunc(slices.Clone(of), func(a lcm.AnchorTrust) bool { return a.State != state || a.Conversation != conv })
			if int64(len(found)) != n {
				t.Errorf("conversation %d has %d anchors %s, counted %d", conv, len(found), state, n)
			}
		}
	}
	if sum == 0 || sum != int64(len(all)) {
		t.Errorf("counted %d of %d anchors", sum, len(all))
	}
	if i := slices.IndexFunc(all, lcm.AnchorTrust.Trusted); i < 0 || !all[i].VerifiedAt.Valid() || all[i].Entry.Text == "" {
		t.Error("no anchor is trusted")
	}
	epochs, err := lcm.TranscriptEpochs(t.Context(), db)
	if err != nil || len(epochs) == 0 || epochs[0].Mode != "legacy_prefix" || !strings.Contains(epochs[0].Metadata.Text, "unproven") {
		t.Errorf("epochs %+v, %v", epochs, err)
	}
	turns, err := lcm.TurnAdvancements(t.Context(), db, "")
	must(t, err)
	if len(turns) == 0 || turns[0].Messages == 0 || !turns[0].CommittedAt.Valid() {
		t.Errorf("%d turns", len(turns))
	}
	of, err := lcm.TurnAdvancements(t.Context(), db, turns[0].SessionID)
	if err != nil || len(of) == 0 || slices.ContainsFunc(of, func(a lcm.TurnAdvancement) bool { return a.SessionID != turns[0].SessionID }) {
		t.Errorf("%d turns of a session, %v", len(of), err)
	}
}

// TestPendingTablesAreReadByColumns: a column or table that is missing and a cell of another type
// read as empty, and the rest is there.
func TestPendingTablesAreReadByColumns(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		sql           string
		batches, node int
	}{
		"no batches": {"DROP TABLE pending_compaction_batches", 0, 0},
		"no nodes":   {"DROP TABLE pending_summary_nodes", 1, 0},
		"no links":   {"DROP TABLE pending_summary_node_messages; DROP TABLE pending_summary_node_children", 1, 2},
		"columns that came by ALTER": {
			"ALTER TABLE pending_summary_nodes DROP COLUMN retry_count; ALTER TABLE pending_summary_nodes DROP COLUMN next_attempt_after", 1, 2,
		},
		"no texts": {"ALTER TABLE pending_summary_nodes DROP COLUMN content; ALTER TABLE pending_compaction_batches DROP COLUMN model", 1, 2},
		"other types": {
			`UPDATE pending_compaction_batches SET compactable_end_ordinal = 'far', planned_fresh_tail_start_ordinal = x'00ff', created_at = 7.5;
			PRAGMA ignore_check_constraints = 1; UPDATE pending_summary_nodes SET content = x'00ff', token_count = 'many', retry_count = 'often',
			lease_expires_at = 3, ordinal_start = 'first', status = 4; UPDATE pending_summary_node_messages SET ordinal = 'third'`, 1, 2,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, host, batch := preparing(t)
			path := testdb.Copy(t, host.Path())
			must(t, faults.Alter(path, "PRAGMA foreign_keys = 0; "+c.sql))
			db := testdb.Open(t, path)
			for _, of := range []lcm.PendingSelection{{Conversation: 1}, {Batch: batch}, {OnlyActive: true}} {
				bs, err := lcm.PendingBatches(t.Context(), db, of)
				if err != nil || len(bs) != c.batches {
					t.Errorf("%+v: %d batches, %v", of, len(bs), err)
				}
				ns, err := lcm.PendingNodes(t.Context(), db, of, 100)
				if err != nil || len(ns) < c.node || c.node == 0 && len(ns) > 0 {
					t.Errorf("%+v: %d nodes, %v", of, len(ns), err)
				}
				_, err = lcm.ReadPendingSources(t.Context(), db, of)
				must(t, err)
			}
		})
	}
}
