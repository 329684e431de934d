package planfile_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/fileidentity"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/dissolve"
	"lcm-tui/ops/planfile"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
	"lcm-tui/ops/repair"
	"lcm-tui/ops/rewrite"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/transplant"
)

func quiet(int, int, string) {}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// sample returns a sample with some damage.
func sample(t testing.TB) string {
	t.Helper()
	return testdb.Sample(t, fakehost.Head, "counters-drift", "partless", "fts-out-of-sync")
}

// open opens a database years after its newest message, with a clock that stands.
func open(t testing.TB, path string) *data.DB {
	t.Helper()
	db := testdb.Open(t, path)
	db.Now = func() time.Time { return time.Date(2029, 6, 1, 0, 0, 0, 0, time.UTC) }
	return db
}

// condensed returns a condensed summary in the context of conversation 1.
func condensed(t testing.TB, db *data.DB) string {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	must(t, err)
	for _, it := range items {
		if it.Depth > 0 && !it.Missing {
			return it.Summary
		}
	}
	t.Fatal("no condensed summary is in the context")
	return ""
}

// codec keeps all fields of an operation as its request.
func codec[Op any, P interface {
	*Op
	ops.Op
}]() planfile.Codec {
	return planfile.Codec{
		Encode: func(op ops.Op, _ ops.Plan) (any, error) { return op, nil },
		Decode: func(request json.RawMessage) (ops.Op, error) {
			o := P(new(Op))
			return o, planfile.DecodeRequest(request, o)
		},
	}
}

// repairing is a repair of the whole file.
type repairing struct{}

func (repairing) Name() string { return "repair" }

func (repairing) Plan(ctx context.Context, db *data.DB, report data.Report) (ops.Plan, error) {
	return (&repair.Op{All: true}).Plan(ctx, db, report)
}

var codecs = planfile.Codecs{
	"dissolve": codec[dissolve.Op](), "prune": codec[prune.Op](), "key detach": codec[sessionkey.Detach](),
	"key unarchive": codec[sessionkey.Unarchive](), "repair": codec[repairing](),
}

// write plans an operation and writes the plan to a file.
func write(t testing.TB, db *data.DB, op ops.Op) (ops.Plan, string) {
	t.Helper()
	p, err := op.Plan(t.Context(), db, quiet)
	must(t, err)
	f, err := planfile.Make(t.Context(), db, op, p, codecs, "test")
	must(t, err)
	path := filepath.Join(t.TempDir(), "plan.json")
	must(t, f.Write(path))
	return p, path
}

// prepare reads a plan file and prepares it for a database. Large files are those of files.
func prepare(t testing.TB, db *data.DB, path, files string) (planfile.Prepared, error) {
	t.Helper()
	f, err := planfile.Open(path, true)
	must(t, err)
	return f.Prepare(t.Context(), db, planfile.Options{Codecs: codecs, FilesDir: files, Exact: true, Report: quiet})
}

// operations returns those whose plans can be in a file.
func operations(t testing.TB, db *data.DB) map[string]ops.Op {
	summary := condensed(t, db)
	old := selector.Selector{OlderThan: time.Date(2029, 5, 1, 0, 0, 0, 0, time.UTC)}
	return map[string]ops.Op{
		"dissolve":           &dissolve.Op{Conversation: 1, Summary: summary},
		"dissolve and purge": &dissolve.Op{Conversation: 1, Summary: summary, Purge: true},
		"edit": &rewrite.Op{
			Conversation: 1, Pick: rewrite.Pick{Summary: summary}, Texts: map[string]string{summary: "written \x00 by <hand>\u2028 & kept"},
			Options: regenerate.Options{Job: summarize.Job{Estimator: token.Of(db.Kind().Level)}},
		},
		"transplant":          &transplant.Op{Source: 1, Target: 2, Messages: true, Reactivated: true},
		"repair":              repairing{},
		"key unarchive":       &sessionkey.Unarchive{Conversation: 2},
		"prune copies":        &prune.Op{Verb: prune.Copies, Selector: old},
		"prune text":          &prune.Op{Verb: prune.Text, Selector: old},
		"prune conversations": &prune.Op{Verb: prune.Conversations, Selector: selector.Selector{Archived: true}},
	}
}

// TestPlanInAFileIsAppliedElsewhere: applied to a copy of the bytes in another folder that was
// rewritten since, the plan of a file leaves what the plan itself leaves. Applied again it is
// nothing to do, unless it was undone.
func TestPlanInAFileIsAppliedElsewhere(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	source := sample(t)
	for name := range operations(t, open(t, source)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here, there := testdb.Copy(t, source), testdb.Copy(t, source)
			db, files := open(t, here), filepath.Join(filepath.Dir(here), "lcm-files")
			must(t, os.CopyFS(files, os.DirFS(filepath.Join(filepath.Dir(source), "lcm-files"))))
			must(t, vacuum(there))
			p, path := write(t, db, operations(t, db)[name])
			before := testdb.Dump(t, there)
			if _, err := ops.ApplyPlan(t.Context(), db, p); err != nil {
				t.Fatal(err)
			}
			want := testdb.Dump(t, here)
			must(t, os.RemoveAll(files)) // The file has what it needs.

			other := open(t, there)
			ready, err := prepare(t, other, path, files)
			must(t, err)
			out, err := ops.ApplyPlan(t.Context(), other, ready.Plan)
			must(t, err)
			if got := testdb.Dump(t, there); got != want || got == before {
				t.Error("applied from a file it leaves other rows")
			}
			if p.Backup != "" && ready.Plan.Backup != other.BackupPath() {
				t.Errorf("its backup goes to %s", ready.Plan.Backup)
			}
			if _, err := prepare(t, other, path, files); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("applied again: %v", err)
			}
			must(t, ops.Undo(t.Context(), other, out.Record))
			if got := testdb.Dump(t, there); got != before {
				t.Error("the undo leaves other rows")
			}
			if _, err := prepare(t, other, path, files); err != nil {
				t.Errorf("after the undo: %v", err)
			}
		})
	}
}

// TestAPlanInAFileIsAppliedTwiceAtOnce: the second run says that the plan is applied, and not that a host wrote.
func TestAPlanInAFileIsAppliedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	source := sample(t)
	for name := range operations(t, open(t, source)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			here := testdb.Copy(t, source)
			db, files := open(t, here), filepath.Join(filepath.Dir(here), "lcm-files")
			must(t, os.CopyFS(files, os.DirFS(filepath.Join(filepath.Dir(source), "lcm-files"))))
			_, path := write(t, db, operations(t, db)[name])
			first, err := prepare(t, db, path, files)
			must(t, err)
			second, err := prepare(t, db, path, files)
			must(t, err)
			_, err = ops.ApplyPlan(t.Context(), db, first.Plan)
			must(t, err)
			f, err := planfile.Open(path, true)
			must(t, err)
			_, err = ops.ApplyPlan(t.Context(), db, second.Plan)
			if err := f.Explain(t.Context(), db, err); !errors.Is(err, ops.ErrNothing) && name != "prune copies" { // It writes what is left of the copies: nothing.
				t.Errorf("the second run says: %v", err)
			}
		})
	}
}

func vacuum(path string) error {
	h, err := fakehost.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(h.Exec("VACUUM"), h.Close())
}

// execute runs statements as a host would.
func execute(t *testing.T, path string, statements ...string) {
	t.Helper()
	h, err := fakehost.Open(path)
	must(t, err)
	for _, s := range statements {
		must(t, h.Exec(s))
	}
	must(t, h.Close())
}

// TestPlanShowsWithoutADatabase: what the review shows is in the file, and the file is private.
func TestPlanShowsWithoutADatabase(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t))
	p, path := write(t, db, operations(t, db)["edit"])
	must(t, db.Close())
	f, err := planfile.Open(path, false)
	must(t, err)
	info, err := os.Stat(path)
	must(t, err)
	if f.Plan.Title != p.Title || len(f.Plan.Texts) != 1 || f.Plan.Texts[0] != p.Texts[0] || f.Plan.Impact != p.Impact || len(f.Plan.Changes) != len(p.Changes) {
		t.Errorf("the file shows %+v", f.Plan)
	}
	if info.Mode().Perm() != 0o600 || f.Bytes != info.Size() || f.Database.Path != db.Path() || f.MadeAt != "2029-06-01T00:00:00.000Z" || !strings.Contains(f.Note, "private") {
		t.Errorf("%v %+v", info.Mode(), f.Header)
	}
	if err := f.Write(path); hint.Of(err) == "" {
		t.Errorf("written over a file: %v", err)
	}
	for _, place := range []string{db.Path(), t.TempDir(), filepath.Join(path, "below")} {
		if err := planfile.CheckPlace(place); hint.Of(err) == "" {
			t.Errorf("%s: %v", place, err)
		}
	}
}

// TestStalePlanIsRefused: a row, a guard or a conversation that isn't what the plan saw refuses it
// by name, and nothing is written.
func TestStalePlanIsRefused(t *testing.T) {
	t.Parallel()
	source := sample(t)
	db := open(t, source)
	for name, c := range map[string]struct{ op, statement, what string }{
		"a row":               {"edit", "UPDATE summaries SET content = 'other' WHERE depth > 0", "summaries "},
		"a row that is gone":  {"key unarchive", "UPDATE conversations SET archive_cause = 'other' WHERE conversation_id = 2", "conversations 2"},
		"a context":           {"dissolve", "DELETE FROM context_items WHERE ordinal = 0", "context_items"},
		"a set":               {"prune conversations", "UPDATE conversations SET updated_at = '2026-02-02 02:02:02' WHERE conversation_id = 2", "conversation 2"},
		"a set that is none":  {"prune conversations", "UPDATE conversations SET active = 1, archived_at = NULL WHERE conversation_id = 2", "conversation 2"},
		"a migrated database": {"key unarchive", "CREATE TABLE later (id INTEGER)", "the schema of"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, path := write(t, db, operations(t, db)[c.op])
			there := testdb.Copy(t, source)
			execute(t, there, c.statement)
			before := testdb.Dump(t, there)
			var stale *data.StaleError
			if _, err := prepare(t, open(t, there), path, ""); !errors.As(err, &stale) || !strings.HasPrefix(stale.What, c.what) {
				t.Errorf("refused with %v", err)
			}
			if testdb.Dump(t, there) != before {
				t.Error("the file changed")
			}
		})
	}
	t.Run("another database", func(t *testing.T) {
		t.Parallel()
		_, path := write(t, db, operations(t, db)["key unarchive"])
		there := testdb.Copy(t, source)
		execute(t, there, "UPDATE conversations SET created_at = '2020-02-02 02:02:02'")
		if _, err := prepare(t, open(t, there), path, ""); !errors.Is(err, fileidentity.ErrOtherDatabase) {
			t.Errorf("refused with %v", err)
		}
	})
}

// TestWhatNoFileCanHold: plans that write nothing, and operations that are written in parts.
func TestWhatNoFileCanHold(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t))
	refused := errors.New("because")
	for name, p := range map[string]ops.Plan{
		"empty": ops.New("edit", "nothing"), "refused": {Op: "edit", Refused: refused}, "estimate": {Op: "rewrite", Impact: ops.Impact{ModelCalls: 1}},
		"a set without a request": ops.NewSet("other", "set", ops.Set{Rows: map[string]int64{"messages": 1}}), "an undo": {Op: "undo", RecordPlan: ops.RecordPlan{Undoes: 1}, Rebuild: []string{"messages_fts"}},
	} {
		if _, err := planfile.Make(t.Context(), db, nil, p, codecs, "test"); hint.Of(err) == "" && !errors.Is(err, refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := planfile.Check(steps{}); err == nil {
		t.Error("an operation of several steps is planned")
	}
	if err := planfile.Check(repairing{}); err != nil {
		t.Error(err)
	}
}

// steps is an operation that is written in parts.
type steps struct{ repairing }

func (steps) Batch(int) ops.Op { return repairing{} }
