package data_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// replaceItems writes a leaf over the items from:to of the context, as this program does: the
// leaf stands at the last ordinal and the gap stays.
func replaceItems(t *testing.T, db *data.DB, id string, from, to int) int64 {
	t.Helper()
	items, err := db.Context(t.Context(), 1)
	must(t, err)
	sum := data.Summary{ID: id, Conversation: 1, Kind: data.KindLeaf, Content: "text of " + id, FileIDs: "[]", CreatedAt: data.Time{Raw: db.FormatNow()}}
	changes := []data.Change{db.Insert("summaries", db.SummaryRow(sum))}
	for i, it := range items[from:to] {
		switch {
		case it.IsSummary():
			changes = append(changes, db.Insert("summary_parents", data.Row{"summary_id": id, "parent_summary_id": it.Summary, "ordinal": int64(i)}))
		default:
			changes = append(changes, db.Insert("summary_messages", data.Row{"summary_id": id, "message_id": it.Message, "ordinal": int64(i)}))
		}
		if i < to-from-1 {
			changes = append(changes, db.Delete("context_items", it.Row()))
		}
	}
	l := data.LayOut(items, slices.Concat(items[:from], []data.ContextItem{db.NewSummaryItem(sum, 1, 0)}, items[to:]))
	if !l.Safe() {
		t.Fatal("the layout isn't safe")
	}
	place := db.Insert("context_items", l.Items[from].Row())
	place.Before = items[to-1].Row()
	changes = append(changes, place)
	record, err := db.Write(t.Context(), data.Batch{Op: "compact", Title: id, Changes: changes, Guards: []data.Guard{data.GuardContext(1, items)}})
	must(t, err)
	return record
}

// contextOf is the context as "ordinal:message" and "ordinal:summary", from the first to the
// last of these ordinals.
func contextOf(t *testing.T, db *data.DB, first, last int64) string {
	t.Helper()
	items, err := db.Context(t.Context(), 1)
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

// TestUndoOfAReplacement: what a leaf replaced comes back to its ordinals, and what the host
// has appended since stays behind.
func TestUndoOfAReplacement(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	was := contextOf(t, db, 0, 19)
	record := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
	if got, want := contextOf(t, db, 2, 6), "2:3 5:sum_00000000000000a1 6:7"; got != want {
		t.Errorf("the leaf stands as %q, want %q", got, want)
	}
	appendOne(t, h)
	appendOne(t, h)
	must(t, db.Undo(t.Context(), record))
	if got := contextOf(t, db, 0, 19); got != was {
		t.Errorf("undo left %q", got)
	}
	if got, want := contextOf(t, db, 20, 99), "20:21 21:22"; got != want {
		t.Errorf("behind it stands %q, want %q", got, want)
	}
	if err := db.Undo(t.Context(), record); !errors.Is(err, data.ErrUndone) {
		t.Errorf("a second undo: %v", err)
	}
}

// TestUndoWithoutRoomWaitsForTheHost: where the host closed the gap, items would have to move
// up, which is refused beside it, done once it is away, and done by force.
func TestUndoWithoutRoomWaitsForTheHost(t *testing.T) {
	t.Parallel()
	const order = "0:1 1:2 2:3 3:4 4:5 5:6 6:7 7:8"
	for name, undo := range map[string]func(db *data.DB, record int64) error{
		"away": func(db *data.DB, record int64) error {
			testdb.WithoutHost(db)
			return db.Undo(t.Context(), record)
		},
		"by force": func(db *data.DB, record int64) error { return db.ForceUndo(t.Context(), record) },
	} {
		h, db := beside(t, fakehost.Head)
		record := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
		hostRenumbers(t, h)
		was := contextOf(t, db, 0, 99)
		var refused *data.HostError
		if err := db.Undo(t.Context(), record); !errors.As(err, &refused) || refused.Conversation != 1 || refused.Hint() == "" {
			t.Errorf("%s: beside the host: %v", name, err)
		}
		if got := contextOf(t, db, 0, 99); got != was {
			t.Errorf("%s: a refused undo left %q", name, got)
		}
		if err := undo(db, record); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := contextOf(t, db, 0, 7); got != order {
			t.Errorf("%s: %q, want %q", name, got, order)
		}
	}
}

// TestUndoIsRefusedOnceItsSummaryIsGone from the context: what it replaced has no place there
// any more.
func TestUndoIsRefusedOnceItsSummaryIsGone(t *testing.T) {
	t.Parallel()
	h, db := beside(t, fakehost.Head)
	record := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
	must(t, h.Exec("DELETE FROM context_items WHERE ordinal BETWEEN 3 AND 8"))
	was := dump(t, db.Path())
	var stale *data.StaleError
	if err := db.Undo(t.Context(), record); !errors.As(err, &stale) || stale.Hint() == "" {
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
	was := contextOf(t, db, 0, 99)
	first := replaceItems(t, db, "sum_00000000000000a1", 3, 6)
	second := replaceItems(t, db, "sum_00000000000000b2", 2, 5) // Message 3, the first leaf, message 7.
	var blocked *data.BlockedError
	if err := db.Undo(t.Context(), first); !errors.As(err, &blocked) || blocked.By != second || !strings.Contains(blocked.Hint(), fmt.Sprint(second)) {
		t.Errorf("got %v", err)
	}
	must(t, db.Undo(t.Context(), second))
	must(t, db.Undo(t.Context(), first))
	if got := contextOf(t, db, 0, 99); got != was {
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
	must(t, db.Undo(t.Context(), record))
	items, err := db.Context(t.Context(), 1)
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
	rows, err := db.Images(t.Context(), "summaries", data.Row{"summary_id": leaf})
	must(t, err)
	tokens := data.CellInteger(rows[0]["token_count"])
	record, err := db.Write(t.Context(), data.Batch{Op: "rewrite", Title: "shorter", Changes: []data.Change{
		db.Update("summaries", rows[0], data.Row{"content": "short", "token_count": tokens - 2}),
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
	must(t, db.Undo(t.Context(), record))
	for id, want := range map[string]int64{"sum_00000000000000c3": 102, "sum_00000000000000d4": 1002} {
		s, err := db.Summary(t.Context(), id)
		if err != nil || s.DescendantTokens != want {
			t.Errorf("%s counts %d tokens below, want %d (%v)", id, s.DescendantTokens, want, err)
		}
	}
}

// TestWhatReplacesItemsStandsAtTheLastOfThem also where the context got other ordinals since:
// a host that chose only some of them would delete it with those, and with it the others.
func TestWhatReplacesItemsStandsAtTheLastOfThem(t *testing.T) {
	t.Parallel()
	const first, second = "sum_00000000000000a1", "sum_00000000000000a2"
	for shift := int64(-3); shift <= 3; shift += 2 {
		for _, name := range []string{"undo", "redo"} {
			h, db := beside(t, fakehost.Head)
			must(t, h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal < 3"))
			items, err := db.Context(t.Context(), 1)
			must(t, err)
			record := replaceTwice(t, db, items, first, second)
			_, cs, err := db.RecordChanges(t.Context(), record)
			must(t, err)
			if name == "redo" {
				must(t, db.Undo(t.Context(), record))
			} else {
				record, err = db.Write(t.Context(), data.Batch{Op: "dissolve", Title: "dissolve both", Changes: itemChanges(data.Invert(cs))})
				must(t, err)
			}
			must(t, h.Exec("UPDATE context_items SET ordinal = -1 - ordinal WHERE conversation_id = 1"))
			must(t, h.Exec("UPDATE context_items SET ordinal = -1 - ordinal + ? WHERE conversation_id = 1", shift))
			want := fmt.Sprintf("%d:%s %d:%s %d:%d", 5+shift, first, 7+shift, second, 8+shift, 9)
			got := ""
			if name == "redo" {
				r, err := db.Redo(t.Context(), record, false)
				must(t, err)
				var out []string
				for _, it := range r.Contexts[0].After.Items[:3] {
					out = append(out, fmt.Sprintf("%d:%s", it.Ordinal, it.Ref()))
				}
				got = strings.Join(out, " ")
			} else {
				must(t, db.Undo(t.Context(), record))
				got = contextOf(t, db, 0, 8+shift)
			}
			if got != want {
				t.Errorf("%s after a shift by %d: %q, want %q", name, shift, got, want)
			}
		}
	}
}

// itemChanges are the changes of contexts.
func itemChanges(cs []data.Change) []data.Change {
	return slices.DeleteFunc(cs, func(c data.Change) bool { return c.Table != "context_items" })
}

// replaceTwice writes leaves over the first three items of a context and over the two behind
// those, in one record.
func replaceTwice(t *testing.T, db *data.DB, items []data.ContextItem, ids ...string) int64 {
	t.Helper()
	var changes []data.Change
	for n, run := range [][]data.ContextItem{items[:3], items[3:5]} {
		sum := data.Summary{ID: ids[n], Conversation: 1, Kind: data.KindLeaf, Content: "text of " + ids[n], FileIDs: "[]", CreatedAt: data.Time{Raw: db.FormatNow()}}
		changes = append(changes, db.Insert("summaries", db.SummaryRow(sum)))
		for i, it := range run {
			changes = append(changes, db.Insert("summary_messages", data.Row{"summary_id": ids[n], "message_id": it.Message, "ordinal": int64(i)}))
			if i < len(run)-1 {
				changes = append(changes, db.Delete("context_items", it.Row()))
			}
		}
		last := run[len(run)-1]
		place := db.Insert("context_items", db.NewSummaryItem(sum, 1, 0).MovedTo(last.Ordinal).Row())
		place.Before = last.Row()
		changes = append(changes, place)
	}
	record, err := db.Write(t.Context(), data.Batch{Op: "compact", Title: "two leaves", Changes: changes, Guards: []data.Guard{data.GuardContext(1, items)}})
	must(t, err)
	return record
}
