package compact_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
)

// refs returns what stands in a context, in order.
func refs(t *testing.T, db *data.DB, conv int64) (out []string) {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, conv)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		out = append(out, it.Ref())
	}
	return out
}

// folding compacts the oldest messages of a conversation but for so many.
func folding(conv int64, but int) *compact.Op {
	o := op(&brief{})
	o.Conversation = conv
	o.Request.Config.FreshTailCount, o.Request.Config.LeafChunkTokens = but, 100_000
	return o
}

// apply plans and writes.
func apply(t *testing.T, db *data.DB, o ops.Op) change.Outcome {
	t.Helper()
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestUndoAfterTheHostCompactedElsewhere: the host has given all items other ordinals. What
// was summarized comes back in order, where its summary stands now.
func TestUndoAfterTheHostCompactedElsewhere(t *testing.T) {
	t.Parallel()
	path, db, conv, ids := live(t, 20)
	before := refs(t, db, conv)
	record := apply(t, db, folding(conv, 12)).Record
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err := h.Leaf(conv, ids[10:14], "what the host made of them")
	if err == nil {
		_, err = h.Message(conv, fakehost.Message{Role: "user", Content: "and on"})
	}
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	finish(t, path, conv, nil)
	items := refs(t, db, conv)
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	want := slices.Concat(items[:1], before[:10], []string{theirs}, before[14:], items[len(items)-1:])
	if got := refs(t, db, conv); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

// TestUndoComparesOnlyItsOwnRows: that a host touched the conversation is no reason to
// refuse.
func TestUndoComparesOnlyItsOwnRows(t *testing.T) {
	t.Parallel()
	path, db, conv, _ := live(t, 20)
	before := refs(t, db, conv)
	record := apply(t, db, folding(conv, 12)).Record
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Exec("UPDATE conversations SET updated_at = '2030-01-01 00:00:00', title = 'another'")
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	if got := refs(t, db, conv); !cmp.Equal(got, before) {
		t.Error(cmp.Diff(before, got))
	}
}

// TestUndoNamesTheRecordThatBlocksIt, and works once that is undone.
func TestUndoNamesTheRecordThatBlocksIt(t *testing.T) {
	t.Parallel()
	path, db, conv, _ := live(t, 20)
	testdb.WithoutHost(db)
	was := dump(t, path)
	first := apply(t, db, folding(conv, 12)).Record
	second := folding(conv, 6) // It condenses the summary of the first with its own.
	second.Request.Config.CondensedTargetTokens, second.Request.Config.LeafMinFanout = 1, 2
	second.Request.Config.LeafChunkTokens = 100
	later := apply(t, db, second).Record
	var blocked *change.BlockedError
	if err := ops.Undo(t.Context(), db, first); !errors.As(err, &blocked) || blocked.By != later || blocked.Hint() == "" {
		t.Fatalf("got %v", err)
	}
	for _, id := range []int64{later, first} {
		if err := ops.Undo(t.Context(), db, id); err != nil {
			t.Fatal(err)
		}
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestBackgroundSummariesAreGivenUp: what a host of 1.0 has prepared from items that we
// change is stale in the same transaction, and stays so after an undo.
func TestBackgroundSummariesAreGivenUp(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v1.0/rich.db")
	db := testdb.Open(t, path)
	conv := int64(9)
	const active = "SELECT count(*) FROM pending_compaction_batches WHERE conversation_id = 9 AND status = 'planning'"
	const open = `SELECT count(*) FROM pending_summary_nodes WHERE conversation_id = 9 AND (status IN ('planned', 'running', 'ready', 'failed')
		OR status = 'stale' AND (lease_owner IS NOT NULL OR lease_expires_at IS NOT NULL))`
	others := "SELECT count(*) FROM pending_compaction_batches WHERE conversation_id <> 9 AND status = 'planning'"
	count := func(query string) int {
		n, err := testdb.Count(path, query)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if count(active) == 0 || count(open) == 0 {
		t.Fatal("nothing is prepared")
	}
	elsewhere := count(others)
	out := apply(t, db, folding(conv, 8))
	if out.StaleBatches == 0 || count(active) != 0 || count(open) != 0 || count(others) != elsewhere {
		t.Errorf("%+v: %d batches, %d nodes, %d elsewhere", out, count(active), count(open), count(others)-elsewhere)
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil {
		t.Fatal(err)
	}
	if count(active) != 0 {
		t.Error("undo brought a batch back that the host may publish")
	}
}

// TestAPlanNamesTheUnfinishedCompactionBeforeIt: its summaries stay beside the new ones, over the same messages. Where nobody reads that,
// nothing is compacted.
func TestAPlanNamesTheUnfinishedCompactionBeforeIt(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path, db, conv, _ := live(t, 40)
	db.PartRows = 5
	record := apply(t, db, folding(conv, 30)).Record
	h, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, h.Exec("UPDATE lcm_tui_undo SET title = title || ' (not finished)'"))
	testdb.Must(t, h.Close())
	warned := func() bool {
		p, err := folding(conv, 10).Plan(t.Context(), db, noReport)
		testdb.Must(t, err)
		return strings.Contains(strings.Join(p.Warnings, "\n"), fmt.Sprintf("record %d is not finished", record))
	}
	if !warned() {
		t.Error("the plan doesn't name it")
	}
	unattended := folding(conv, 10)
	unattended.Unattended = true
	var unfinished *change.UnfinishedError
	if _, err := unattended.Plan(t.Context(), db, noReport); !errors.As(err, &unfinished) || unfinished.Record != record {
		t.Errorf("unattended: %v", err)
	}
	testdb.Must(t, change.Undo(t.Context(), db, record))
	if warned() {
		t.Error("the plan names it after its undo")
	}
}
