package repair_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

var dump = testdb.Dump

// sampleCache is where the tests' databases come from.
var sampleCache samples.Cache

func noReport(int, int, string) {}

func open(t *testing.T, path string) *data.DB {
	t.Helper()
	db := testdb.Open(t, path)
	db.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	return db
}

func files(path string) string { return filepath.Join(filepath.Dir(path), "lcm-files") }

// check returns what a doctor finds. The pages of the file, which take longest, are looked
// at where search tables are damaged.
func check(t *testing.T, db *data.DB) []integrity.Finding {
	t.Helper()
	r := integrity.Request{FilesDir: files(db.Path())}
	for _, f := range integrity.Faults() {
		if strings.Contains(t.Name(), "fts-") || f.ID != "S01" && f.ID != "X06" {
			r.Faults = append(r.Faults, f.ID)
		}
	}
	d, err := integrity.Check(t.Context(), db, r, noReport)
	if err != nil {
		t.Fatal(err)
	}
	return d.Findings
}

// place returns a finding without its words.
func place(f integrity.Finding) string {
	return fmt.Sprintf("%s %d %s %s", f.Fault, f.Conversation, f.Table, f.Row)
}

func places(fs []integrity.Finding) (out []string) {
	for _, f := range fs {
		if p := place(f); !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

// roundTrip repairs all that can be, looks again, and takes it back. It returns what
// was found before and after.
func roundTrip(t *testing.T, path string, db *data.DB, m *repair.Op) (before, after []integrity.Finding) {
	t.Helper()
	m.FilesDir = files(path)
	was := dump(t, path)
	before = check(t, db)
	p, err := m.Plan(t.Context(), db, noReport)
	samePreview(t, db, m, before, p, err)
	if errors.Is(err, ops.ErrNothing) {
		return before, before
	}
	if err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was {
		t.Fatal("planning wrote")
	}
	id, err := ops.Apply(t.Context(), db, p)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(p.Backup); p.Backup != "" && err != nil {
		t.Errorf("no backup: %v", err)
	}
	again := open(t, path)
	after = check(t, again)
	judge(t, p, m.Faults, before, after)
	if m.Choices == nil {
		if q, err := m.Plan(t.Context(), again, noReport); !errors.Is(err, ops.ErrNothing) {
			t.Errorf("not idempotent: %v, %s", err, q.Title)
		}
	}
	if len(p.Changes) > 0 {
		var stale *data.StaleError
		if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
			t.Errorf("the same plan again: %v", err)
		}
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if got := dump(t, path); got != was && len(p.Rebuild) == 0 {
		t.Errorf("undone:\n%s", cmp.Diff(was, got))
	}
	return before, after
}

// samePreview fails where what is known of a repair before it is planned is not what its plan does.
func samePreview(t *testing.T, db *data.DB, m *repair.Op, found []integrity.Finding, p ops.Plan, planned error) {
	t.Helper()
	want := p.Items
	var nothing *repair.NothingError
	if errors.As(planned, &nothing) {
		want = nothing.Items
	}
	got, err := m.Preview(t.Context(), db, found)
	if err != nil {
		t.Fatalf("the preview: %v, planning: %v", err, planned)
	}
	if diff := cmp.Diff(want, got.Items); diff != "" {
		t.Errorf("the preview differs from the plan:\n%s", diff)
	}
}

// judge fails for findings that are new after a repair, and for those that a rule repairs
// and that are still there, unless the plan says why.
func judge(t *testing.T, p ops.Plan, faults []integrity.FaultID, before, after []integrity.Finding) {
	t.Helper()
	for _, f := range after {
		page, _ := integrity.Lookup(f.Fault)
		switch {
		case slices.Contains([]integrity.FaultID{integrity.PayloadInRow, integrity.ConversationSilent, integrity.ContextOrdinalGaps, integrity.ConversationEmpty, integrity.MessageSeqGaps, integrity.EntryWithoutAnchor}, f.Fault):
			// A message that is counted right at last may be too large, and a time that is
			// right at last long ago; gaps do no damage and are closed on request; what was
			// merged into another leaves an empty row, what is deleted a gap of seqs, and a
			// wrong anchor that is deleted an entry that nobody vouched for.
		case f.Fault == integrity.ToolCallWithoutResult && slices.ContainsFunc(before, func(b integrity.Finding) bool {
			return b.Fault == integrity.ToolColumnsEmpty && b.Conversation == f.Conversation
		}):
			// Columns that are filled in again show a call that nothing answered before either.
		case !slices.Contains(places(before), place(f)):
			t.Errorf("new: %s: %s", place(f), f.Detail)
		case faults != nil && !slices.Contains(faults, f.Fault):
		case page.RepairKind == integrity.ByRule && f.Severity.AtLeast(page.Severity) && !left(p, f):
			t.Errorf("still: %s: %s", place(f), f.Detail)
		}
	}
}

// left reports whether the plan says why a finding isn't repaired.
func left(p ops.Plan, f integrity.Finding) bool {
	return slices.ContainsFunc(p.Items, func(i ops.Item) bool { return i.ID == repair.ID(f) && i.State == ops.Open && i.Reason != "" })
}

// alone are faults that leave no file to do others to, or hide them.
var alone = []string{
	"bad-values", "fts-damaged", "missing-optional-tables", "no-fts", "role-mismatch", "hostile-text",
	"empty-file", "not-sqlite", "truncated-file",
}

// handful is how many faults are done to one file.
const handful = 8

// TestRoundTrip repairs every fault there is, some at a time, at the newest level, and a
// handful at each older one.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	groups := [][]string{}
	rest := slices.DeleteFunc(faults.Names(), func(f string) bool {
		return slices.Contains(alone, f) || f == "huge-cell" // Which is slow, and nothing that a repair looks at.
	})
	for g := range slices.Chunk(rest, handful) {
		groups = append(groups, g)
	}
	try := func(level fakehost.Level, faults []string) {
		t.Run(string(level)+"/"+strings.Join(faults, "+"), func(t *testing.T) {
			t.Parallel()
			if path := broken(t, level, faults...); isReadable(t, path) {
				roundTrip(t, path, open(t, path), &repair.Op{All: true})
			}
		})
	}
	for _, g := range groups {
		try(fakehost.Head, g)
	}
	for _, f := range alone {
		try(fakehost.Head, []string{f})
	}
	for i, level := range fakehost.Levels() {
		try(level, groups[i%len(groups)])
	}
}

// broken returns the path of a sample with faults, those that its level has a place for.
func broken(t *testing.T, level fakehost.Level, names ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	err := sampleCache.Sample(path, level, names...)
	if errors.Is(err, faults.ErrUnfit) {
		if err = sampleCache.Sample(path, level); err == nil {
			err = breakFitting(path, names)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// breakFitting does those faults to a database that its level has a place for.
func breakFitting(path string, names []string) error {
	for _, f := range names {
		if err := faults.Break(path, f); err != nil && !errors.Is(err, faults.ErrUnfit) {
			return err
		}
	}
	return nil
}

// isReadable reports whether a database can be opened and read whole.
func isReadable(t *testing.T, path string) bool {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		return false
	}
	_ = db.Close()
	_, err = testdb.DumpTables(path)
	return err == nil
}
