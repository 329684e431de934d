package change_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// redone writes what it takes to redo a record.
func redone(t *testing.T, db *data.DB, id int64) int64 {
	t.Helper()
	r, err := change.ReadRedo(t.Context(), db, id)
	if err != nil {
		t.Fatal(err)
	}
	b := change.Batch{Op: "test", Title: "again", Redoes: id, Changes: r.Changes, Guards: r.Guards, Forgets: r.Forgets, Leaves: r.Leaves}
	for _, c := range r.Contexts {
		there := map[int64]bool{}
		for _, it := range c.Before {
			there[it.Ordinal] = true
		}
		for _, it := range c.After {
			if !there[it.Ordinal] {
				b.Changes = append(b.Changes, change.Insert(db, "context_items", it.Row()))
			}
		}
	}
	again, err := change.Write(t.Context(), db, b)
	if err != nil {
		t.Fatal(err)
	}
	return again
}

// TestALargeRecordIsRedoneInParts: what was written in parts is redone in parts, and undone
// again as one record.
func TestALargeRecordIsRedoneInParts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	db.PartRows = 60
	id, err := change.Write(t.Context(), db, crowding(t, db, 200))
	must(t, err)
	is := dump(t, path)
	must(t, change.Undo(t.Context(), db, id))
	again := redone(t, db, id)
	if got := dump(t, path); got != is {
		t.Error(cmp.Diff(is, got))
	}
	parts, err := testdb.Count(path, "SELECT count(*) FROM lcm_tui_undo_part WHERE record = (SELECT max(id) FROM lcm_tui_undo)")
	if err != nil || parts < 3 {
		t.Errorf("%d parts, %v", parts, err)
	}
	all, err := change.History(t.Context(), db)
	if err != nil || len(all) != 2 || all[0].Redoes != id || all[1].RedoneBy != again {
		t.Errorf("history %+v, %v; want the second to redo the first", all, err)
	}
	must(t, change.Undo(t.Context(), db, again))
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestRedoMayForgetWhatTheRecordMay: messages that were put out of reach on purpose are so
// again, and no others.
func TestRedoMayForgetWhatTheRecordMay(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t, fakehost.Head))
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	last := items[len(items)-1]
	b := change.Batch{Op: "test", Title: "take out", Leaves: []int64{last.Message}, Changes: []change.Change{change.Delete(db, "context_items", last.Row())}}
	id, err := change.Write(t.Context(), db, b)
	must(t, err)
	must(t, change.Undo(t.Context(), db, id))
	r, err := change.ReadRedo(t.Context(), db, id)
	must(t, err)
	if r.Forgets || !cmp.Equal(r.Leaves, b.Leaves) {
		t.Errorf("it may forget %v, all: %v; want %v", r.Leaves, r.Forgets, b.Leaves)
	}
	if n := len(r.Contexts); n != 1 || len(r.Contexts[0].After) != len(items)-1 {
		t.Errorf("%d contexts change: %+v", n, r.Contexts)
	}
}

// TestRedoRefusesWhatIsNamedSince: a summary that was to be deleted and that another row
// names by now stays.
func TestRedoRefusesWhatIsNamedSince(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	id, err := change.Write(t.Context(), db, crowding(t, db, 3))
	must(t, err)
	_, cs, err := change.RecordChanges(t.Context(), db, id)
	must(t, err)
	away, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: "delete", Forgets: true, Changes: change.Invert(cs)})
	must(t, err)
	must(t, change.Undo(t.Context(), db, away))
	h := host(t, path)
	must(t, h.Exec("INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) SELECT min(summary_id), 'sum_0123456789abcdef', 0 FROM summaries WHERE depth > 0"))
	var named *data.StaleError
	if _, err := change.ReadRedo(t.Context(), db, away); !errors.As(err, &named) || named.What != "summaries sum_0123456789abcdef" {
		t.Errorf("got %v, want a StaleError about the summary", err)
	}
}

// TestAnInterruptedRedoSaysHowToGoOn: the record that redoes another one isn't finished, so that
// has to be undone first; then the other can be redone.
func TestAnInterruptedRedoSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := open(t, crowd(t, 200))
	db.PartRows = 60
	record, err := change.Write(t.Context(), db, clearing(t, db))
	must(t, err)
	must(t, change.Undo(t.Context(), db, record))
	r, err := change.ReadRedo(t.Context(), db, record)
	must(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	times(db, func(n int) {
		if n == 4 {
			cancel()
		}
	})
	b := change.Batch{Op: "redo", Title: "redo", Changes: r.Changes, Guards: r.Guards, Forgets: r.Forgets, Leaves: r.Leaves, Redoes: record}
	for _, c := range r.Contexts {
		b.Changes = append(b.Changes, change.ContextChanges(c.Before, change.NewOrdinals(db, c.Before, c.After))...)
	}
	var broken *change.UnfinishedError
	if _, err := change.Write(ctx, db, b); !errors.As(err, &broken) {
		t.Fatalf("got %v", err)
	}
	times(db, func(int) {})
	all, err := change.History(t.Context(), db)
	must(t, err)
	_, last := change.LastUndone(all)
	_, again := change.ReadRedo(t.Context(), db, record)
	for _, err := range []error{last, again} {
		if !errors.Is(err, change.ErrNeverRedone) || !strings.Contains(hint.Of(err), fmt.Sprintf("lcm-tui undo %d", broken.Record)) {
			t.Errorf("got %v", err)
		}
	}
	must(t, change.Undo(t.Context(), db, broken.Record))
	if _, err := change.ReadRedo(t.Context(), db, record); err != nil {
		t.Errorf("after the undo: %v", err)
	}
}

// TestWhatWasNeverFinishedIsNotRedone: its parts that are missing stand nowhere.
func TestWhatWasNeverFinishedIsNotRedone(t *testing.T) {
	t.Parallel()
	db := open(t, crowd(t, 200))
	db.PartRows = 60
	b := clearing(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	times(db, func(n int) {
		if n == 4 {
			cancel()
		}
	})
	var broken *change.UnfinishedError
	if _, err := change.Write(ctx, db, b); !errors.As(err, &broken) {
		t.Fatalf("got %v", err)
	}
	all, err := change.History(t.Context(), db)
	if err != nil || !all[0].Unfinished {
		t.Errorf("history %+v, %v; want it to say that the record isn't finished", all, err)
	}
	must(t, change.Undo(t.Context(), db, broken.Record))
	if _, err := change.ReadRedo(t.Context(), db, broken.Record); !errors.Is(err, change.ErrNeverRedone) || hint.Of(err) == "" {
		t.Errorf("got %v, want ErrNeverRedone", err)
	}
	if all, err = change.History(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	if _, err := change.LastUndone(all); !errors.Is(err, change.ErrNoUndone) {
		t.Errorf("the last one that can be redone: %v, want none", err)
	}
}
