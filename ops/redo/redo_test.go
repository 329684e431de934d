package redo_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	engine "lcm-tui/engine/compact"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/compact"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/redo"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/transplant"
)

func noReport(int, int, string) {}

// model answers every request with a few words.
type model struct{}

func (model) Name() string { return "test/model" }

func (model) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{Text: fmt.Sprintf("summary of %d bytes", len(r.Source)), Model: "test/model"}, nil
}

// operations returns all kinds of changes of a sample with faults, by name.
func operations(t *testing.T, db *data.DB) map[string]ops.Op {
	t.Helper()
	byHand, top := "", ""
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range items {
		if it.IsSummary() {
			byHand = it.Summary
		}
		if it.IsSummary() && it.Kind == lcm.KindCondensed {
			top = it.Summary
		}
	}
	job := summarize.Job{Estimator: token.Weighted}
	config := engine.Defaults()
	config.FreshTailCount, config.LeafChunkTokens, config.LeafMinFanout = 2, 60, 2
	fold := engine.Request{Mode: engine.Leaf, Config: config, Force: true, Job: job}
	return map[string]ops.Op{
		"dissolve":   &dissolve.Op{Conversation: 1, Summary: top, Purge: true},
		"edit":       &rewrite.Op{Conversation: 1, Pick: rewrite.Pick{Summary: byHand}, Texts: map[string]string{byHand: "by hand"}, Options: regenerate.Options{Job: job}},
		"repair":     &repair.Op{All: true},
		"transplant": &transplant.Op{Source: 2, Target: 1},
		"compact":    &compact.Op{Conversation: 1, Model: model{}, Generate: true, Request: fold},
	}
}

// open opens a database with a clock that stands still and ids that repeat.
func open(t *testing.T, path string) *data.DB {
	t.Helper()
	db, ids := testdb.Open(t, path), 0
	now := time.Date(2026, 1, 5, 10, 5, 0, 0, time.UTC)
	db.Now = func() time.Time {
		now = now.Add(time.Second)
		return now
	}
	db.NewID = func() string {
		ids++
		return fmt.Sprintf("%016x", ids)
	}
	return db
}

// apply plans an operation and writes it; ok is false where it finds nothing to do, which
// no redo may.
func apply(t *testing.T, db *data.DB, op ops.Op) (record int64, ok bool) {
	t.Helper()
	p, err := op.Plan(t.Context(), db, noReport)
	if _, again := op.(*redo.Op); again && err != nil {
		t.Fatal(err)
	}
	if err != nil || p.Empty() {
		return 0, false
	}
	if record, err = ops.Apply(t.Context(), db, p); err != nil {
		t.Fatalf("%s: %v", p.Title, err)
	}
	return record, true
}

// TestUndoAndRedoAlternate: any sequence of operations, undos and redos leaves the tables,
// byte for byte, as they were when the same operations were in force before.
func TestUndoAndRedoAlternate(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for seed := range uint64(12) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 3)) //nolint:gosec // The same every time.
			path := testdb.Sample(t, fakehost.Head, "context-double", "summary-miscounted")
			db := open(t, path)
			states, records, at := []string{testdb.Dump(t, path)}, []int64{}, 0
			for range 14 {
				switch n := r.IntN(3); {
				case n == 0:
					names := []string{"dissolve", "edit", "repair", "transplant", "compact"}
					record, ok := apply(t, db, operations(t, db)[names[r.IntN(len(names))]])
					if !ok {
						continue
					}
					states, records = append(states[:at+1], testdb.Dump(t, path)), append(records[:at], record)
					at++
				case n == 1 && at > 0:
					at--
					if err := ops.Undo(t.Context(), db, records[at]); err != nil {
						t.Fatal(err)
					}
				case n == 2 && at < len(records):
					records[at], _ = apply(t, db, &redo.Op{Record: records[at]})
					at++
				}
				if testdb.Dump(t, path) != states[at] {
					t.Fatalf("with %d of %d operations in force the tables aren't what they were then", at, len(records))
				}
			}
		})
	}
}

// TestRedoBehindAHost: a message that the host appended after the undo stays behind what
// is redone, as it would have after the operation itself.
func TestRedoBehindAHost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range []string{"dissolve", "edit", "repair", "transplant", "compact"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, fakehost.Head, "summary-miscounted")
			other := filepath.Join(t.TempDir(), "lcm.db")
			b, err := os.ReadFile(path)
			if err == nil {
				err = os.WriteFile(other, b, 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			db, without := open(t, path), open(t, other)
			record, ok := apply(t, db, operations(t, db)[name])
			if _, same := apply(t, without, operations(t, without)[name]); !ok || !same {
				t.Fatal("the sample has nothing for it to do")
			}
			if err := ops.Undo(t.Context(), db, record); err != nil {
				t.Fatal(err)
			}
			appendMessage(t, path)
			appendMessage(t, other)
			again, _ := apply(t, db, &redo.Op{Record: record})
			if got, want := testdb.Dump(t, path), testdb.Dump(t, other); got != want {
				t.Errorf("the tables aren't what the operation and the message alone make of them:\n%s", cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
			}
			if err := ops.Undo(t.Context(), db, again); err != nil {
				t.Error(err)
			}
		})
	}
}

// appendMessage is a turn of the host in conversation 1.
func appendMessage(t *testing.T, path string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Message(1, fakehost.Message{Role: "user", Content: "and one more thing"})
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
}

// TestRedoIsRefusedWhereRowsMoved: a row that changed since the undo is named, and nothing
// is written.
func TestRedoIsRefusedWhereRowsMoved(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := open(t, path)
	edit := operations(t, db)["edit"]
	record, _ := apply(t, db, edit)
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	id := edit.(*rewrite.Op).Pick.Summary
	h, err := fakehost.Open(path)
	if err == nil {
		err = errors.Join(h.Exec("UPDATE summaries SET content = 'changed by another' WHERE summary_id = ?", id), h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	var moved *data.StaleError
	_, err = (&redo.Op{Record: record}).Plan(t.Context(), db, noReport)
	if !errors.As(err, &moved) || moved.What != "summaries "+id {
		t.Errorf("got %v, want a StaleError about the summary", err)
	}
}

// TestRedoIsRefusedWhereASummaryWasMadeSince: a host that condenses a summary between the plan
// and the write counts its text as it stands then.
func TestRedoIsRefusedWhereASummaryWasMadeSince(t *testing.T) {
	t.Parallel()
	for _, above := range []bool{false, true} {
		path := testdb.Sample(t, fakehost.Head)
		db := open(t, path)
		edit := operations(t, db)["edit"]
		record, _ := apply(t, db, edit)
		if err := ops.Undo(t.Context(), db, record); err != nil {
			t.Fatal(err)
		}
		h, err := fakehost.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		condense := func(id string) string {
			id, err := h.Condense(1, []string{id}, "what the host made of it")
			if err != nil {
				t.Fatal(err)
			}
			return id
		}
		id := edit.(*rewrite.Op).Pick.Summary
		if above {
			id = condense(id)
		}
		p, err := (&redo.Op{Record: record}).Plan(t.Context(), db, noReport)
		if err != nil {
			t.Fatal(err)
		}
		condense(id)
		var moved *data.StaleError
		if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &moved) || !strings.Contains(moved.What, id) {
			t.Errorf("above it %v: got %v, want a StaleError about %s", above, err, id)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestRedoKeepsTheOrder: of two records that changed the same row the older one is redone
// first; what was written since the undo has to be undone first.
func TestRedoKeepsTheOrder(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.Sample(t, fakehost.Head))
	edit := operations(t, db)["edit"].(*rewrite.Op)
	var records []int64
	for i := range 2 {
		e := *edit
		e.Texts = map[string]string{edit.Pick.Summary: fmt.Sprint("by hand ", i)}
		record, _ := apply(t, db, &e)
		records = append(records, record)
	}
	for i := range 2 {
		if err := ops.Undo(t.Context(), db, records[1-i]); err != nil {
			t.Fatal(err)
		}
	}
	all, err := change.History(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	if last, err := change.LastUndone(all); err != nil || last.ID != records[0] {
		t.Errorf("the one that was undone last is %d, %v; want %d", last.ID, err, records[0])
	}
	var order *change.RedoOrderError
	_, err = (&redo.Op{Record: records[1]}).Plan(t.Context(), db, noReport)
	if !errors.As(err, &order) || order.By != records[0] || !order.Undone {
		t.Errorf("the later one first: %v", err)
	}
	e := *edit
	e.Texts = map[string]string{edit.Pick.Summary: "by hand after the undo"}
	since, _ := apply(t, db, &e)
	_, err = (&redo.Op{Record: records[0]}).Plan(t.Context(), db, noReport)
	if !errors.As(err, &order) || order.By != since || order.Undone || order.Hint() == "" {
		t.Errorf("after another change: %v", err)
	}
}

// TestWhatCannotBeRedone: a record that is in force, one that was redone, and one of which
// the record keeps only the keys.
func TestWhatCannotBeRedone(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.Sample(t, fakehost.Head))
	record, _ := apply(t, db, operations(t, db)["edit"])
	if _, err := (&redo.Op{Record: record}).Plan(t.Context(), db, noReport); !errors.Is(err, change.ErrNotUndone) {
		t.Errorf("in force: %v", err)
	}
	if err := ops.Undo(t.Context(), db, record); err != nil {
		t.Fatal(err)
	}
	again, _ := apply(t, db, &redo.Op{Record: record})
	if _, err := (&redo.Op{Record: record}).Plan(t.Context(), db, noReport); !errors.Is(err, change.ErrNeverRedone) || hint.Of(err) == "" {
		t.Errorf("redone as %d: %v", again, err)
	}
	bulk := ops.New("import", "import a part")
	bulk.Bulk = true
	bulk.Changes = append(bulk.Changes, change.Insert(db, "large_files", data.Row{
		"file_id": "file_5e5e5e5e5e5e5e5e", "conversation_id": int64(1), "storage_uri": "/tmp/a", "created_at": "2026-01-05 10:00:00",
	}))
	id, err := ops.Apply(t.Context(), db, bulk)
	if err == nil {
		err = ops.Undo(t.Context(), db, id)
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := (&redo.Op{Record: id}).Plan(t.Context(), db, noReport); !errors.Is(err, change.ErrNeverRedone) {
		t.Errorf("with keys only: %v", err)
	}
}

// TestHowAChangeIsMadeAgain: which session a conversation belongs to is planned again where a host of 1.0 has a say in it.
func TestHowAChangeIsMadeAgain(t *testing.T) {
	t.Parallel()
	for level, want := range map[fakehost.Level]string{fakehost.Head: "lcm-tui redo 7 makes the change again", fakehost.Beta: "lcm-tui key rename makes the change again"} {
		db := open(t, testdb.Sample(t, level))
		if got := redo.Again(db, change.Record{ID: 7, Op: "key rename"}); got != want {
			t.Errorf("%s: %s, want %s", level, got, want)
		}
	}
}
