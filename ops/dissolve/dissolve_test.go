package dissolve_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
)

// The tests' databases.
var (
	open   = testdb.Open
	dump   = testdb.Dump
	sample = testdb.Sample
)

func noReport(int, int, string) {}

// dissolvable returns the condensed summaries in a context, as requests.
func dissolvable(t *testing.T, db *data.DB) (out []dissolve.Op) {
	t.Helper()
	convs, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range convs {
		g, err := lineage.Load(t.Context(), db, c.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range g.Nodes() {
			if n.InContext() && n.Condensed() {
				out = append(out, dissolve.Op{Conversation: c.ID, Summary: n.ID})
			}
		}
	}
	return out
}

// refs returns a context's references in order.
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

// file is an open database and a dump of its rows, which stays true: what a round trip
// writes it also undoes.
type file struct {
	path string
	db   *data.DB
	rows string
}

func openFile(t *testing.T, path string) *file {
	t.Helper()
	return &file{path, open(t, path), dump(t, path)}
}

// checkRows fails the test unless the rows are what they were.
func (f *file) checkRows(t *testing.T, after string) {
	t.Helper()
	if got := dump(t, f.path); got != f.rows {
		t.Errorf("the rows %s:\n%s", after, cmp.Diff(f.rows, got))
	}
}

// roundTrip dissolves, applies again, undoes, and compares every row. It reports
// whether there was a plan to apply.
func (f *file) roundTrip(t *testing.T, op dissolve.Op) bool {
	t.Helper()
	p, err := op.Plan(t.Context(), f.db, noReport)
	if err != nil && strings.HasPrefix(err.Error(), "can't dissolve ") {
		if hint.Of(err) == "" {
			t.Errorf("%v: no hint", err)
		}
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	want := plannedContext(p)
	id, err := ops.Apply(t.Context(), f.db, p)
	var broken *data.InvariantError
	if errors.As(err, &broken) || errors.Is(err, data.ErrConstraint) || errors.Is(err, data.ErrDamaged) {
		f.checkRows(t, "after a refused plan")
		t.Log(err)
		return false
	}
	if err != nil {
		t.Fatal(err)
	}
	if got := refs(t, f.db, op.Conversation); !cmp.Equal(got, want) {
		t.Errorf("applied: %s", cmp.Diff(want, got))
	}
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), f.db, p); !errors.As(err, &stale) {
		t.Errorf("the same plan again: %v", err)
	}
	if err := ops.Undo(t.Context(), f.db, id); err != nil {
		t.Fatal(err)
	}
	f.checkRows(t, "after the undo")
	if err := ops.Undo(t.Context(), f.db, id); !errors.Is(err, change.ErrUndone) {
		t.Errorf("undone twice: %v", err)
	}
	return true
}

// plannedContext returns the references of the context that a plan wants.
func plannedContext(p ops.Plan) (out []string) {
	for _, it := range p.Contexts[0].After {
		out = append(out, it.Ref())
	}
	return out
}

func TestRoundTripAtEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			f := openFile(t, sample(t, level))
			ops := dissolvable(t, f.db)
			if len(ops) == 0 {
				t.Fatal("the sample has nothing to dissolve")
			}
			for _, op := range ops {
				for _, op.Purge = range []bool{false, true} {
					if !f.roundTrip(t, op) {
						t.Errorf("a healthy file, and %s was refused", op.Summary)
					}
				}
			}
		})
	}
}

func TestRoundTripOnFixtures(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, from := range testdb.FixtureFiles(t, "v*/*.db", "faults/*.db", "compaction/*/after.db") {
		name := filepath.Join(filepath.Base(filepath.Dir(from)), filepath.Base(from))
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, from)
			db, err := data.Open(t.Context(), path)
			if err != nil {
				t.Skip(err) // What can't be opened can't be dissolved.
			}
			defer db.Close()
			testdb.WithoutHost(db)
			ops := some(dissolvable(t, db))
			if len(ops) == 0 {
				if name == "v0.15.3/rich.db" {
					t.Error("it has nothing to dissolve")
				}
				return
			}
			f := &file{path, db, dump(t, path)}
			for _, op := range ops {
				for _, op.Purge = range []bool{false, true} {
					if !f.roundTrip(t, op) && !strings.Contains(from, "faults") {
						t.Errorf("the file is healthy, and %s was refused", op.Summary)
					}
				}
			}
		})
	}
}

// some returns all operations, or in short tests the first and the last.
func some(all []dissolve.Op) []dissolve.Op {
	if n := len(all); testlength.Short() && n > 2 {
		return []dissolve.Op{all[0], all[n-1]}
	}
	return all
}

func TestRoundTripOnFaults(t *testing.T) {
	t.Parallel()
	for _, fault := range testlength.Some(faults.Names()) {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			if err := faults.Break(path, fault); err != nil {
				t.Fatal(err)
			}
			db, err := data.Open(t.Context(), path)
			if err != nil {
				return // What can't be opened can't be dissolved; data's tests look at the error.
			}
			defer db.Close()
			testdb.WithoutHost(db)
			if _, err := testdb.DumpTables(path); err != nil || db.Writable() != nil {
				t.Skip("not a file that can be written, or compared")
			}
			f := &file{path, db, dump(t, path)}
			for _, op := range dissolvable(t, db) {
				f.roundTrip(t, op)
			}
		})
	}
}

// TestAllTheWayDown dissolves whatever is condensed until only leaves are left.
func TestAllTheWayDown(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "demo.db")
	if err := demo.Write(path, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	was := dump(t, path)
	var ids []int64
	for todo := dissolvable(t, db); len(todo) > 0; todo = dissolvable(t, db) {
		p, err := todo[0].Plan(t.Context(), db, noReport)
		if err != nil {
			t.Fatal(err)
		}
		id, err := ops.Apply(t.Context(), db, p)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if len(ids) < 3 {
		t.Fatalf("only %d summaries to dissolve", len(ids))
	}
	for i := len(ids) - 1; i >= 0; i-- {
		if err := ops.Undo(t.Context(), db, ids[i]); err != nil {
			t.Fatal(err)
		}
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

func first(t *testing.T, db *data.DB) dissolve.Op {
	t.Helper()
	all := dissolvable(t, db)
	if len(all) == 0 {
		t.Fatal("nothing to dissolve")
	}
	return all[len(all)-1]
}

func plan(t *testing.T, db *data.DB, op dissolve.Op) ops.Plan {
	t.Helper()
	p, err := op.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func host(t *testing.T, path string) *fakehost.Writer {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func TestPlanWritesNothing(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	db := open(t, path)
	plan(t, db, first(t, db))
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestWhatAHostAppendsStaysBehind: it is no reason to refuse, and moves with the rest
// where room is made with the host away.
func TestWhatAHostAppendsStaysBehind(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	p := plan(t, db, op)
	if _, err := host(t, path).Message(op.Conversation, fakehost.Message{Role: "user", Content: "one more thing"}); err != nil {
		t.Fatal(err)
	}
	was := dump(t, path)
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil || out.Appended != 1 {
		t.Fatalf("%+v, %v", out, err)
	}
	items, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil || items[len(items)-1].Preview != "one more thing" || len(items) != p.Impact.ItemsAfter+1 {
		t.Errorf("%+v, %v", items[len(items)-1], err)
	}
	if err := ops.Undo(t.Context(), db, out.Record); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}

// TestBesideAHostItIsDissolvedAboveItsOrdinals: also where the host came after the plan was
// made.
func TestBesideAHostItIsDissolvedAboveItsOrdinals(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	planned := plan(t, db, op)
	before, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	testdb.BesideHost(db)
	if _, err := ops.Apply(t.Context(), db, planned); err != nil {
		t.Fatal(err)
	}
	after, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil || after[0].Ordinal <= before[len(before)-1].Ordinal {
		t.Errorf("the first item stands at %d, %v", after[0].Ordinal, err)
	}
}

// TestUndoKeepsWhatTheHostAppended: an agent at work writes between an apply and
// its undo; its messages stay where they are, behind the rest.
func TestUndoKeepsWhatTheHostAppended(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	before := refs(t, db, op.Conversation)
	id, err := ops.Apply(t.Context(), db, plan(t, db, op))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := host(t, path).Message(op.Conversation, fakehost.Message{Role: "user", Content: "written in between"}); err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	items, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	if got := refs(t, db, op.Conversation); !cmp.Equal(got[:len(before)], before) || len(got) != len(before)+1 {
		t.Error(cmp.Diff(before, got))
	}
	if last := items[len(items)-1]; last.Preview != "written in between" {
		t.Errorf("the newest item is %+v", last)
	}
}

// TestUndoAfterTheHostCompactedElsewhere: what a summary stands for again is found by what
// it is, wherever the host has moved it, and nothing else moves.
func TestUndoAfterTheHostCompactedElsewhere(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	before := refs(t, db, op.Conversation)
	id, err := ops.Apply(t.Context(), db, plan(t, db, op))
	if err != nil {
		t.Fatal(err)
	}
	items, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	var run []lcm.ContextItem
	for _, it := range items {
		if it.IsSummary() || len(run) == 2 {
			continue
		}
		run = append(run, it)
	}
	if len(run) < 2 || run[1].Ordinal != run[0].Ordinal+1 {
		t.Fatal("the sample has no two messages beside each other")
	}
	h := host(t, path)
	leaf, err := h.Leaf(op.Conversation, []int64{run[0].Message, run[1].Message}, "by the host")
	if err == nil {
		_, err = h.Message(op.Conversation, fakehost.Message{Role: "user", Content: "on and on", At: time.Now()})
	}
	if err != nil {
		t.Fatal(err)
	}
	testdb.BesideHost(db)
	now, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, ref := range before {
		switch ref {
		case run[0].Ref():
			want = append(want, leaf)
		case run[1].Ref():
		default:
			want = append(want, ref)
		}
	}
	got := refs(t, db, op.Conversation)
	if !cmp.Equal(got[:len(got)-1], want) {
		t.Error(cmp.Diff(want, got))
	}
	after, err := lcm.Context(t.Context(), db, op.Conversation)
	if err != nil || after[0].Ordinal <= now[len(now)-1].Ordinal {
		t.Errorf("the first item stands at %d, where the host may delete, %v", after[0].Ordinal, err)
	}
}

func TestUndoRefusesWhenTheHostCompacted(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	p := plan(t, db, op)
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, it := range p.Contexts[0].After {
		if it.IsSummary() && it.Depth == 0 {
			sources = append(sources, it.Summary)
		}
	}
	var compacted error
	if len(sources) > 1 {
		_, compacted = host(t, path).Condense(op.Conversation, sources[:2], "condensed again by the host")
	}
	if compacted != nil || len(sources) < 2 {
		if err := host(t, path).Exec("DELETE FROM context_items WHERE conversation_id = ? AND ordinal = 0", op.Conversation); err != nil {
			t.Fatal(err)
		}
	}
	was := dump(t, path)
	var stale *data.StaleError
	if err := ops.Undo(t.Context(), db, id); !errors.As(err, &stale) {
		t.Fatalf("got %v", err)
	}
	if got := dump(t, path); got != was {
		t.Errorf("a refused undo wrote: %s", cmp.Diff(was, got))
	}
}

func TestPurgeLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	op.Purge = true
	h := host(t, path)
	if err := h.Exec("INSERT INTO focus_brief_sources(brief_id, summary_id, ordinal, role) SELECT brief_id, ?, 9, 'cited' FROM focus_briefs LIMIT 1", op.Summary); err != nil {
		t.Fatal(err)
	}
	if _, err := ops.Apply(t.Context(), db, plan(t, db, op)); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); strings.Contains(got, op.Summary) {
		t.Errorf("%s is still mentioned", op.Summary)
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	op := first(t, db)
	g, err := lineage.Load(t.Context(), db, op.Conversation, 0)
	if err != nil {
		t.Fatal(err)
	}
	var leaf, folded string
	for _, n := range g.Nodes() {
		switch {
		case n.Condensed() && !n.InContext():
			folded = n.ID
		case !n.Condensed():
			leaf = n.ID
		}
	}
	for _, c := range []struct{ name, summary, want string }{
		{"a leaf", leaf, "leaf"},
		{"one that is folded away", folded, "isn't in the context"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			if c.summary == "" {
				t.Skip("the sample has none")
			}
			_, err := (&dissolve.Op{Conversation: op.Conversation, Summary: c.summary}).Plan(context.Background(), db, noReport)
			if hint.Of(err) == "" || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v", err)
			}
		})
	}
	t.Run("an id that isn't there", func(t *testing.T) {
		t.Parallel()
		_, err := (&dissolve.Op{Conversation: op.Conversation, Summary: "sum_nothing"}).Plan(context.Background(), db, noReport)
		if !errors.Is(err, data.ErrNotFound) || !strings.Contains(err.Error(), path) {
			t.Errorf("got %v", err)
		}
	})
}
