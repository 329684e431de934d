package change_test

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
)

// replaceItems writes a leaf over the items from:to of the context, as this program does.
func replaceItems(t *testing.T, db *data.DB, id string, from, to int) int64 {
	t.Helper()
	record, err := change.Write(t.Context(), db, replacement(t, db, id, from, to))
	must(t, err)
	return record
}

// order returns what stands in the context, in order.
func order(t *testing.T, db *data.DB) string {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	var out []string
	for i, it := range items {
		if out = append(out, it.Ref()); it.Ordinal != items[0].Ordinal+int64(i) {
			t.Errorf("%s stands at %d behind a gap", it.Ref(), it.Ordinal)
		}
	}
	return strings.Join(out, " ")
}

// contextOf returns the context as "ordinal:message" and "ordinal:summary", from the first to the
// last of these ordinals.
func contextOf(t *testing.T, db *data.DB, first, last int64) string {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	var out []string
	for _, it := range items {
		if it.Ordinal >= first && it.Ordinal <= last {
			out = append(out, fmt.Sprintf("%d:%s", it.Ordinal, it.Ref()))
		}
	}
	return strings.Join(out, " ")
}

// hostRenumbers closes the gaps of a context, as hosts do with their next compaction.
func hostRenumbers(t *testing.T, h *fakehost.Host) {
	t.Helper()
	must(t, h.Tx(func(w *fakehost.Writer) error {
		for _, q := range []string{
			"CREATE TEMP TABLE places AS SELECT ordinal AS was, row_number() OVER (ORDER BY ordinal) - 1 AS now FROM context_items WHERE conversation_id = 1",
			"UPDATE context_items SET ordinal = -1 - (SELECT now FROM places WHERE was = ordinal) WHERE conversation_id = 1",
			"UPDATE context_items SET ordinal = -1 - ordinal WHERE conversation_id = 1",
			"DROP TABLE places",
		} {
			if err := w.Exec(q); err != nil {
				return err
			}
		}
		return nil
	}))
}

// TestUndoOfAReplacement: what a leaf replaced comes back in its place, and what the host has
// appended since stays behind. With nobody else there all ordinals are what they were; beside
// a host all are above those that it may have chosen.
func TestUndoOfAReplacement(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		where func(*data.DB)
		first string
	}{
		"alone": {testdb.WithoutHost, "0:1"}, "beside a host": {testdb.BesideHost, "40:1"},
	} {
		h, db := beside(t, fakehost.Head)
		c.where(db)
		was := order(t, db)
		record := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
		if got, want := order(t, db), "1 2 3 sum_00000000000000a1 7"; !strings.HasPrefix(got, want) {
			t.Errorf("%s: the leaf stands in %q, want %q", name, got, want)
		}
		appendOne(t, h)
		appendOne(t, h)
		must(t, change.Undo(t.Context(), db, record))
		if got := order(t, db); got != was+" 21 22" {
			t.Errorf("%s: undo left %q", name, got)
		}
		if got := firstItems(t, db, 1); got != c.first {
			t.Errorf("%s: the first item is %s, want %s", name, got, c.first)
		}
		if err := change.Undo(t.Context(), db, record); !errors.Is(err, change.ErrUndone) {
			t.Errorf("%s: a second undo: %v", name, err)
		}
	}
}

// TestUndoAfterTheHostRenumbered: the host's next write gives the items other ordinals, and
// what was replaced still comes back in its place.
func TestUndoAfterTheHostRenumbered(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, where := range map[string]func(*data.DB){"away": testdb.WithoutHost, "beside": testdb.BesideHost} {
		for _, run := range [][2]int{{0, 3}, {3, 6}, {17, 20}, {5, 6}} {
			h, db := beside(t, fakehost.Head)
			was := order(t, db)
			record := replaceItems(t, db, "sum_00000000000000a1", run[0], run[1])
			hostRenumbers(t, h)
			appendOne(t, h)
			where(db)
			must(t, change.Undo(t.Context(), db, record))
			if got := order(t, db); got != was+" 21" {
				t.Errorf("%s, %v: %q, want %q", name, run, got, was)
			}
		}
	}
}

// TestWhatWasOnlyTakenOutComesBackToItsPlace: a record of items that were removed, and of none
// that came, has those beside them. So they come back there whatever ordinals they had.
func TestWhatWasOnlyTakenOutComesBackToItsPlace(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, at := range []int{0, 1, 7, 18, 19} {
		h, db := beside(t, fakehost.Head)
		testdb.WithoutHost(db)
		leaf := finish(t, h, choose(t, h, 6, 8)) // A summary has no seq that could tell its place.
		was := order(t, db)
		items, err := lcm.Context(t.Context(), db, 1)
		must(t, err)
		at = min(at, len(items)-1)
		after := slices.Delete(slices.Clone(items), at, at+1)
		record, err := change.Write(t.Context(), db, change.Batch{Op: "take", Title: "take", Forgets: true, Changes: change.ContextChanges(items, change.NewOrdinals(db, items, after))})
		must(t, err)
		replaceItems(t, db, "sum_00000000000000a1", 2, 4)
		testdb.BesideHost(db)
		replaceItems(t, db, "sum_00000000000000a2", 10, 12) // All items have other ordinals now.
		for range 2 {
			last, err := change.History(t.Context(), db)
			must(t, err)
			id, err := change.LastApplied(last)
			must(t, err)
			must(t, change.Undo(t.Context(), db, id.ID))
		}
		must(t, change.Undo(t.Context(), db, record))
		if got := order(t, db); got != was {
			t.Errorf("%d of %s: %q, want %q", at, leaf, got, was)
		}
	}
}

// TestAnEmptiedContextComesBackBeforeWhatFollowed: of a context with summaries nothing is left to tell the places of its items,
// so that the newest message below each does.
func TestAnEmptiedContextComesBackBeforeWhatFollowed(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	testdb.WithoutHost(db)
	finish(t, h, choose(t, h, 0, 8))
	was := order(t, db)
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	record, err := change.Write(t.Context(), db, change.Batch{Op: "empty", Title: "empty", Forgets: true, Changes: change.ContextChanges(items, nil)})
	must(t, err)
	appendOne(t, h)
	must(t, change.Undo(t.Context(), db, record))
	if got := order(t, db); got != was+" 21" {
		t.Errorf("got %q, want %q and 21", got, was)
	}
}

// TestUndoOfAnAdditionLeavesNoGap before what the host has appended since: a host of 1.0 never compacts across one.
func TestUndoOfAnAdditionLeavesNoGap(t *testing.T) {
	t.Parallel()
	for name, bulk := range map[string]bool{"an import": true, "another addition": false} {
		h, db := beside(t, fakehost.Head)
		testdb.WithoutHost(db)
		was := order(t, db)
		it := lcm.NewMessageItem(db, lcm.Message{ID: 100}, 1, 20)
		record, err := change.Write(t.Context(), db, change.Batch{
			Op: "test", Title: name, Bulk: bulk, Changes: []change.Change{change.Insert(db, "messages", newMessage(100, nil)), change.Insert(db, "context_items", it.Row())},
		})
		must(t, err)
		appendOne(t, h)
		must(t, change.Undo(t.Context(), db, record))
		if got := order(t, db); got != was+" 101" {
			t.Errorf("%s: %q, want %q and 101", name, got, was)
		}
	}
}

// TestUndoLeavesNoGapWhereItMovesTheItems: what the host has appended follows them, although they were numbered above the
// context, beside the host, by the record or before it. A host of 1.0 never compacts across a gap.
func TestUndoLeavesNoGapWhereItMovesTheItems(t *testing.T) {
	t.Parallel()
	for name, where := range map[string][2]func(*data.DB){
		"written beside the host": {testdb.WithoutHost, testdb.BesideHost}, "written after the host left": {testdb.BesideHost, testdb.WithoutHost},
	} {
		h, db := beside(t, fakehost.Head)
		where[0](db)
		replaceItems(t, db, "sum_00000000000000a1", 0, 2)
		was := order(t, db)
		where[1](db)
		record := replaceItems(t, db, "sum_00000000000000a2", 5, 9)
		appendOne(t, h)
		appendOne(t, h)
		testdb.WithoutHost(db)
		must(t, change.Undo(t.Context(), db, record))
		if got := order(t, db); got != was+" 21 22" {
			t.Errorf("%s: %q, want %q and 21 22", name, got, was)
		}
	}
}

// TestUndoOfAFilledGapOpensItAgain: the item behind it stood there before, and is none that a host has appended since.
func TestUndoOfAFilledGapOpensItAgain(t *testing.T) {
	t.Parallel()
	for _, edit := range []string{
		"DELETE FROM context_items WHERE ordinal = 7", "DELETE FROM context_items WHERE ordinal = 18",
		"DELETE FROM context_items WHERE ordinal IN (7, 8)", "DELETE FROM context_items WHERE ordinal IN (3, 7)",
	} {
		h, db := beside(t, fakehost.Head)
		must(t, h.Exec(edit))
		testdb.WithoutHost(db)
		was := contextOf(t, db, 0, 30)
		items, err := lcm.Context(t.Context(), db, 1)
		must(t, err)
		var all []lcm.ContextItem
		for o, i := int64(0), 0; o < 20; o++ {
			if i < len(items) && items[i].Ordinal == o {
				all = append(all, items[i])
				i++
				continue
			}
			all = append(all, lcm.NewMessageItem(db, lcm.Message{ID: o + 1}, 1, o))
		}
		record, err := change.Write(t.Context(), db, change.Batch{Op: "fill", Title: "fill", Changes: change.ContextChanges(items, all)})
		must(t, err)
		must(t, change.Undo(t.Context(), db, record))
		if got := contextOf(t, db, 0, 30); got != was {
			t.Errorf("%s: %s", edit, cmp.Diff(was, got))
		}
	}
}

// TestOrdinalsThatAreNoWholeNumbers are numbered as others by a write, and come back with its undo.
func TestOrdinalsThatAreNoWholeNumbers(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, where := range map[string]func(*data.DB){"beside": testdb.BesideHost, "alone": testdb.WithoutHost} {
		for _, odd := range []string{"0.5", "-1.5", "18.5", "1e300", "'x'", "'2026-01-01'", "x'00ff'", "x''"} {
			h, db := beside(t, fakehost.Head)
			must(t, h.Exec("UPDATE context_items SET ordinal = "+odd+" WHERE ordinal = 7"))
			where(db)
			was := cellsOfContext(t, db)
			items, err := lcm.Context(t.Context(), db, 1)
			must(t, err)
			message, err := lcm.ReadMessage(t.Context(), db, 4)
			must(t, err)
			after := change.NewOrdinals(db, items, append(slices.Clone(items), lcm.NewMessageItem(db, message, 1, 0)))
			record, err := change.Write(t.Context(), db, change.Batch{Op: "append", Title: "append", Changes: change.ContextChanges(items, after)})
			if err != nil {
				t.Errorf("%s, %s: %v", name, odd, err)
				continue
			}
			order(t, db)
			must(t, change.Undo(t.Context(), db, record))
			if name == "beside" {
				if got := order(t, db); len(strings.Fields(got)) != len(items) {
					t.Errorf("%s, %s: %s", name, odd, got)
				}
			} else if got := cellsOfContext(t, db); got != was {
				t.Errorf("%s, %s: %s", name, odd, cmp.Diff(was, got))
			}
		}
	}
}

// cellsOfContext returns the ordinals as the file has them, with their types, and the messages.
func cellsOfContext(t *testing.T, db *data.DB) string {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	var out []string
	for _, it := range items {
		out = append(out, fmt.Sprintf("%T(%[1]v):%s", it.Row()["ordinal"], it.Ref()))
	}
	return strings.Join(out, " ")
}

// TestNothingComesBackThatTheHostSummarizedMeanwhile: an emptied context has the summary of a compaction that the host had begun
// before, so that the messages below it would be in it twice.
func TestNothingComesBackThatTheHostSummarizedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, summarized := range []bool{false, true} {
		h, db := beside(t, fakehost.Head)
		testdb.WithoutHost(db)
		if summarized {
			finish(t, h, choose(t, h, 0, 3))
		}
		chosen := choose(t, h, 1, 4)
		items, err := lcm.Context(t.Context(), db, 1)
		must(t, err)
		record, err := change.Write(t.Context(), db, change.Batch{Op: "empty", Title: "empty", Forgets: true, Changes: change.ContextChanges(items, nil)})
		must(t, err)
		summary := finish(t, h, chosen)
		was := order(t, db)
		var stale *data.StaleError
		if err := change.Undo(t.Context(), db, record); !errors.As(err, &stale) || !strings.Contains(err.Error(), summary+" has messages of it") {
			t.Errorf("below %s: %v", summary, err)
		}
		if got := order(t, db); got != was {
			t.Errorf("%q, want %q", got, was)
		}
	}
}

// TestUndoIsRefusedOnceItsSummaryIsGone from the context: what it replaced has no place there
// any more.
func TestUndoIsRefusedOnceItsSummaryIsGone(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	record := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
	must(t, h.Exec("DELETE FROM context_items WHERE ordinal BETWEEN 23 AND 28"))
	was := dump(t, db.Path())
	var stale *data.StaleError
	if err := change.Undo(t.Context(), db, record); !errors.As(err, &stale) || stale.Hint() == "" {
		t.Errorf("got %v", err)
	}
	if dump(t, db.Path()) != was {
		t.Error("a refused undo wrote")
	}
}

// TestUndoNamesTheChangeThatStandsInTheWay: a later change of this program has to be undone
// first, and then the other can be.
func TestUndoNamesTheChangeThatStandsInTheWay(t *testing.T) {
	t.Parallel()
	_, db := beside(t, fakehost.Head)
	was := order(t, db)
	first := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
	second := replaceItems(t, db, "sum_00000000000000b2", 2, 5) // Message 3, the first leaf, message 7.
	var blocked *change.BlockedError
	if err := change.Undo(t.Context(), db, first); !errors.As(err, &blocked) || blocked.By != second || !strings.Contains(blocked.Hint(), fmt.Sprint(second)) {
		t.Errorf("got %v", err)
	}
	must(t, change.Undo(t.Context(), db, second))
	must(t, change.Undo(t.Context(), db, first))
	if got := order(t, db); got != was {
		t.Errorf("both undone leave %q", got)
	}
}

// TestUndoKeepsTheHostsSummaryBesideIt: a compaction of the host elsewhere in the context
// doesn't stand in the way.
func TestUndoKeepsTheHostsSummaryBesideIt(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	testdb.WithoutHost(db)
	record := replaceItems(t, db, "sum_00000000000000a1", 10, 14)
	hosts := finish(t, h, choose(t, h, 0, 4))
	must(t, change.Undo(t.Context(), db, record))
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	var refs []string
	for _, it := range items {
		refs = append(refs, it.Ref())
	}
	want := []string{hosts, "6", "7", "8", "9", "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20"}
	if !slices.Equal(refs, want) {
		t.Errorf("the context is %q, want %q", refs, want)
	}
}

// TestUndoCountsWhatWasMadeOfASummarySince: a host that made a summary of ours into a deeper
// one has its tokens in the counters there; undo brings these in step.
func TestUndoCountsWhatWasMadeOfASummarySince(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	testdb.WithoutHost(db)
	leaf := finish(t, h, choose(t, h, 0, 3))
	rows, err := data.Images(t.Context(), db, "summaries", data.Row{"summary_id": leaf})
	must(t, err)
	tokens := data.CellInteger(rows[0]["token_count"])
	record, err := change.Write(t.Context(), db, change.Batch{Op: "rewrite", Title: "shorter", Changes: []change.Change{
		change.Update(db, "summaries", rows[0], data.Row{"content": "short", "token_count": tokens - 2}),
	}})
	must(t, err)
	for _, q := range []string{
		"INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, descendant_token_count, source_message_token_count) VALUES ('sum_00000000000000c3', 1, 'condensed', 1, 'deeper', 5, 100, 200)",
		"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_00000000000000c3', '" + leaf + "', 0)",
		"INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, descendant_token_count, source_message_token_count) VALUES ('sum_00000000000000d4', 1, 'condensed', 2, 'deepest', 5, 1000, 2000)",
		"INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_00000000000000d4', 'sum_00000000000000c3', 0)",
	} {
		must(t, h.Exec(q))
	}
	must(t, change.Undo(t.Context(), db, record))
	for id, want := range map[string]int64{"sum_00000000000000c3": 102, "sum_00000000000000d4": 1002} {
		s, err := lcm.ReadSummary(t.Context(), db, id)
		if err != nil || s.DescendantTokens != want {
			t.Errorf("%s counts %d tokens below, want %d (%v)", id, s.DescendantTokens, want, err)
		}
	}
}

// TestUndoLeavesCountersThatTheRecordDidNotChange: a summary is counted above with the size that it gets, as where another
// program stored a wrong one. Undo and redo change no counter, since the record changed none.
func TestUndoLeavesCountersThatTheRecordDidNotChange(t *testing.T) {
	t.Parallel()
	for _, rows := range []int{0, 1} { // Also undone in parts.
		path := testdb.Sample(t, fakehost.Head)
		db := testdb.Open(t, path)
		if rows > 0 {
			db.PartRows = rows
		}
		all, err := data.Images(t.Context(), db, "summaries", data.Row{"conversation_id": int64(1), "depth": int64(0)})
		must(t, err)
		was := testdb.Dump(t, path)
		record, err := change.Write(t.Context(), db, change.Batch{Op: "repair", Title: "sizes", Changes: []change.Change{
			change.Update(db, "summaries", all[0], data.Row{"token_count": data.CellInteger(all[0]["token_count"]) + 40}),
		}})
		must(t, err)
		is := testdb.Dump(t, path)
		must(t, change.Undo(t.Context(), db, record))
		if got := testdb.Dump(t, path); got != was {
			t.Error("undone: " + cmp.Diff(was, got))
		}
		r, err := change.ReadRedo(t.Context(), db, record)
		must(t, err)
		_, err = change.Write(t.Context(), db, change.Batch{Op: "redo", Title: "sizes", Changes: r.Changes, Guards: r.Guards, Redoes: record})
		must(t, err)
		if got := testdb.Dump(t, path); got != is {
			t.Error("redone: " + cmp.Diff(is, got))
		}
	}
}

// TestRedoPutsTwoReplacementsInTheirPlaces whatever ordinals the context has by then.
func TestRedoPutsTwoReplacementsInTheirPlaces(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const first, second = "sum_00000000000000a1", "sum_00000000000000a2"
	for shift := int64(-3); shift <= 3; shift += 2 {
		for _, where := range []func(*data.DB){testdb.WithoutHost, testdb.BesideHost} {
			h, db := beside(t, fakehost.Head)
			must(t, h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal < 3"))
			items, err := lcm.Context(t.Context(), db, 1)
			must(t, err)
			record, err := change.Write(t.Context(), db, change.Batch{Op: "compact", Title: "two leaves", Changes: replacing(db, items, map[string][2]int{first: {0, 3}, second: {3, 5}})})
			must(t, err)
			must(t, change.Undo(t.Context(), db, record))
			must(t, h.Exec("UPDATE context_items SET ordinal = -1 - ordinal WHERE conversation_id = 1"))
			must(t, h.Exec("UPDATE context_items SET ordinal = -1 - ordinal + ? WHERE conversation_id = 1", shift))
			where(db)
			r, err := change.ReadRedo(t.Context(), db, record)
			must(t, err)
			var got []string
			for _, it := range r.Contexts[0].After[:3] {
				got = append(got, it.Ref())
			}
			if want := []string{first, second, "9"}; !slices.Equal(got, want) {
				t.Errorf("after a shift by %d: %q, want %q", shift, got, want)
			}
		}
	}
}

// TestImportsAreUndoneOneByOneBesideAHost: each undo gives the items other ordinals, and the next
// one finds its own all the same.
func TestImportsAreUndoneOneByOneBesideAHost(t *testing.T) {
	t.Parallel()
	for _, where := range []func(*data.DB){testdb.BesideHost, testdb.WithoutHost} {
		_, db := beside(t, fakehost.Head)
		where(db)
		was := order(t, db)
		var records []int64
		for i := range int64(3) {
			m := newMessage(100+i, nil)
			it := lcm.NewMessageItem(db, lcm.Message{ID: 100 + i}, 1, 20+i)
			record, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "import", Bulk: true, Changes: []change.Change{change.Insert(db, "messages", m), change.Insert(db, "context_items", it.Row())}})
			must(t, err)
			records = append(records, record)
		}
		if n, err := change.CountBulkRecords(t.Context(), db); err != nil || n != 3 {
			t.Errorf("%d records of imports, %v", n, err)
		}
		for _, record := range slices.Backward(records) {
			must(t, change.Undo(t.Context(), db, record))
		}
		if got := order(t, db); got != was {
			t.Errorf("%q, want %q", got, was)
		}
	}
}
