package repair_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/lcmtest"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// stock is where the tests' databases come from.
var stock lcmtest.Stock

func noReport(int, int, string) {}

func open(t *testing.T, path string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	db.Now = func() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func dump(t *testing.T, path string) string {
	t.Helper()
	s, err := lcmtest.Dump(path, "lcm_tui_undo")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func files(path string) string { return filepath.Join(filepath.Dir(path), "lcm-files") }

// check is what a doctor finds.
func check(t *testing.T, db *data.DB) []integrity.Finding {
	t.Helper()
	d, err := integrity.Check(t.Context(), db, integrity.Request{FilesDir: files(db.Path())}, noReport)
	if err != nil {
		t.Fatal(err)
	}
	return d.Findings
}

// place is a finding without its words.
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

// roundTrip repairs all that can be, looks again, and takes it back.
func roundTrip(t *testing.T, path string, db *data.DB) {
	t.Helper()
	was, before := dump(t, path), check(t, db)
	p, err := (&repair.Many{FilesDir: files(path)}).Plan(t.Context(), db, noReport)
	if errors.Is(err, ops.ErrNothing) {
		t.Logf("nothing to do: %v", places(before))
		for _, f := range before {
			t.Logf("  %s: %s", place(f), f.Detail)
		}
		return
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
	again := open(t, path)
	after := check(t, again)
	for _, f := range after {
		if f.Fault == "M24" {
			continue // A message that is counted right at last may be too large.
		}
		if !slices.Contains(places(before), place(f)) {
			t.Errorf("new: %s: %s", place(f), f.Detail)
		} else if page, _ := integrity.Lookup(f.Fault); page.Mending == integrity.Automatic && f.Severity.AtLeast(page.Severity) && !left(p, f) {
			t.Errorf("still: %s: %s", place(f), f.Detail)
		}
	}
	if q, err := (&repair.Many{FilesDir: files(path)}).Plan(t.Context(), again, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("not idempotent: %v, %+v", err, q.Changes)
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
}

// left reports whether the plan says why a finding isn't mended.
func left(p ops.Plan, f integrity.Finding) bool {
	return slices.ContainsFunc(p.Warnings, func(w string) bool { return strings.Contains(w, f.Fault+" "+f.Table+" "+f.Row) })
}

func TestRoundTrip(t *testing.T) {
	t.Parallel()
	for _, level := range []lcmtest.Level{lcmtest.Head, lcmtest.V0_1, lcmtest.V0_6, lcmtest.V0_11} {
		for _, fault := range lcmtest.Faults() {
			t.Run(string(level)+"/"+fault, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "lcm.db")
				if err := stock.Sample(path, level, fault); errors.Is(err, lcmtest.ErrUnfit) {
					return
				} else if err != nil {
					t.Fatal(err)
				}
				db, err := data.Open(t.Context(), path)
				if err != nil {
					return // What can't be opened can't be repaired.
				}
				_ = db.Close()
				if _, err := lcmtest.Dump(path); err != nil {
					return
				}
				roundTrip(t, path, open(t, path))
			})
		}
	}
}
