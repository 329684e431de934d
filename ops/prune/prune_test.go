package prune_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/redo"
)

func quiet(int, int, string) {}

// tomorrow is the time of the handles: everything in the samples is older than a day.
var tomorrow = time.Date(2027, 6, 1, 0, 0, 0, 0, time.UTC)

// open opens a file a year after its newest message.
func open(t *testing.T, path string) *data.DB {
	t.Helper()
	db := testdb.Open(t, path)
	testdb.WithoutHost(db)
	db.Now = func() time.Time { return tomorrow }
	return db
}

// plan plans a prune.
func plan(t *testing.T, db *data.DB, o prune.Op) ops.Plan {
	t.Helper()
	p, err := o.Plan(t.Context(), db, quiet)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// apply applies a plan.
func apply(t *testing.T, db *data.DB, p ops.Plan) change.Outcome {
	t.Helper()
	out, err := ops.ApplyPlan(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// contexts returns all contexts as a model is shown them, under a small and a large budget.
func contexts(t *testing.T, db *data.DB) string {
	t.Helper()
	all, err := lcm.Conversations(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, c := range all {
		for _, budget := range []int64{8000, 128_000} {
			r, err := assemble.Assemble(t.Context(), db, c.ID, assemble.Options{Budget: budget, Tail: assemble.Tail{Count: 8}})
			text, also := json.Marshal(r.Messages)
			if err := errors.Join(err, also); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&out, "%d %d %s\n", c.ID, budget, text)
		}
	}
	return out.String()
}

// everything selects all that is older than a day.
func everything() selector.Selector {
	return selector.Selector{OlderThan: tomorrow.Add(-24 * time.Hour)}
}

// TestDroppedCopiesChangeNoContextAndComeBack: what a model sees is the same byte for byte, and
// undo restores every byte of the metadata.
func TestDroppedCopiesChangeNoContextAndComeBack(t *testing.T) {
	t.Parallel()
	for _, name := range testlength.Some([]string{"v0.15.3/small.db", "hard/cjk1.db", "hard/files1.db", "hard/mixed1.db"}) {
		path := testdb.Fixture(t, name)
		db := open(t, path)
		before, shown := testdb.Dump(t, path), contexts(t, db)
		p := plan(t, db, prune.Op{Verb: prune.Copies, Selector: everything()})
		if p.Set.Trash != "" || p.Set.Rows["message_parts"] == 0 || p.Forecast.After >= p.Forecast.Before {
			t.Errorf("%s: the plan is %+v", name, p.Set.Rows)
		}
		out := apply(t, db, p)
		if contexts(t, db) != shown {
			t.Errorf("%s: a context is another one now", name)
		}
		if left, err := (&prune.Op{Verb: prune.Copies, Selector: everything()}).Plan(t.Context(), db, quiet); !errors.Is(err, ops.ErrNothing) {
			t.Errorf("%s: after that it plans %+v, %v", name, left.Set, err)
		}
		if err := ops.Undo(t.Context(), db, out.Record); err != nil {
			t.Fatal(err)
		}
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: undo didn't restore every byte", name)
		}
		if _, err := (&redo.Op{Record: out.Record}).Plan(t.Context(), db, quiet); !strings.Contains(hint.Of(err), "lcm-tui prune copies ") {
			t.Errorf("%s: redo says %v", name, err)
		}
		if err := ops.Undo(t.Context(), db, out.Record); !errors.Is(err, change.ErrUndone) {
			t.Errorf("%s: the second undo says %v", name, err)
		}
	}
}

// TestCopyThatIsNotOneStays: one byte of difference, another member, another kind of part beside it.
func TestCopyThatIsNotOneStays(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := testdb.Fixture(t, "v0.15.3/small.db")
	const where = " WHERE part_id = (SELECT part_id FROM message_parts WHERE part_type = 'text' AND json_extract(metadata, '$.raw.text') = text_content ORDER BY part_id LIMIT 1)"
	metadata := []string{
		`{"raw":{"type":"text","text":"a b"}}`, `{"x":1,"raw":{"type":"text","text":"a b","id":"i"}}`, `{"x":1,"raw":{"text":"a b","type":"text"}}`,
		`{"raw":1,"raw":{"type":"text","text":"a b"}}`, `{"x":1, "raw":{"type":"text","text":"a b"}}`, `{"x":{"raw":{"type":"text","text":"a b"}}}`,
		`{"x":1,"raw":{"type":"text","text":"a \u0062"}}`, `x,"raw":{"type":"text","text":"a b"}}`, `{"x":1,,"raw":{"type":"text","text":"a b"}}`, ``,
	}
	for i, m := range metadata {
		exec(t, path, "UPDATE message_parts SET text_content = 'a b', metadata = '"+m+"'"+where)
		before := testdb.Dump(t, path)
		db := open(t, path)
		p := plan(t, db, prune.Op{Verb: prune.Copies, Selector: everything()})
		out := apply(t, db, p)
		if n, err := testdb.Count(path, "SELECT count(*) FROM message_parts WHERE text_content = 'a b' AND metadata = '"+m+"'"); err != nil || (n == 0) != (i == 0) {
			t.Errorf("%s: it stays %d times, %v", m, n, err)
		}
		if err := ops.Undo(t.Context(), db, out.Record); err != nil || testdb.Dump(t, path) != before {
			t.Errorf("%s: undo gives another file, %v", m, err)
		}
		exec(t, path, `UPDATE message_parts SET metadata = '{"raw":{"type":"text","text":"a b"}}' WHERE text_content = 'a b'`)
	}
}

// exec runs a statement as another program would.
func exec(t *testing.T, path, statement string) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err == nil {
		err = errors.Join(h.Exec(statement), h.Close())
	}
	if err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
}

func TestPlanningChangesNoByte(t *testing.T) {
	t.Parallel()
	path := testdb.Fixture(t, "v0.15.3/small.db")
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	for _, verb := range prune.Verbs {
		_, err := (&prune.Op{Verb: verb, Selector: everything(), Payload: 1}).Plan(t.Context(), db, quiet)
		if err := ignoring(err, ops.ErrNothing); err != nil {
			t.Errorf("%s: %v", verb, err)
		}
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file changed, %v", err)
	}
	names, err := os.ReadDir(filepath.Dir(path))
	for _, n := range names {
		if info, err := n.Info(); err != nil || n.IsDir() || strings.HasSuffix(n.Name(), "-wal") && info.Size() > 0 {
			t.Errorf("beside it is %s, %v", n.Name(), err)
		}
	}
	if err != nil {
		t.Error(err)
	}
}

func ignoring(err, kind error) error {
	if errors.Is(err, kind) {
		return nil
	}
	return err
}

func TestNothingSelectedIsNotEverything(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.Sample(t, fakehost.Head))
	if _, err := (&prune.Op{Verb: prune.Copies, Selector: selector.Selector{Except: []int64{1}}}).Plan(t.Context(), db, quiet); !errors.Is(err, prune.ErrNoSelector) {
		t.Errorf("it says %v", err)
	}
}
