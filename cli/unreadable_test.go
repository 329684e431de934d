package cli_test

import (
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestUnreadableIsNotNothing: what can't be read of a cut-off file is neither none nor
// zero, in lists, in numbers and in the account of what was saved.
func TestUnreadableIsNotNothing(t *testing.T) {
	t.Parallel()
	db := testdb.Copy(t, filepath.Join(testdb.Fixtures(t), "faults", "sqlite-truncated.db"))
	for _, args := range [][]string{{"summaries", "1"}, {"summaries", "2"}, {"messages", "2"}} {
		if _, out, _ := run(t, db, args...); !strings.Contains(out, "can be read; there may be some where the file is damaged") {
			t.Errorf("%v says %q", args, out)
		}
	}
	if _, out, _ := run(t, db, "conversations"); !strings.Contains(out, "  ?       ?  ") {
		t.Errorf("items and tokens that can't be counted:\n%s", out)
	}
	if _, out, _ := run(t, db, "conversations", "show", "1"); !strings.Contains(out, "context        ?\n") {
		t.Errorf("a context that can't be counted:\n%s", out)
	}
	if _, out, _ := run(t, db, "conversations", "--json"); !strings.Contains(out, `"uncounted":["context_items","conversations"]`) {
		t.Errorf("what can't be counted isn't named:\n%s", out)
	}
	_, out, _ := run(t, db, "salvage", db, filepath.Join(t.TempDir(), "saved.db"))
	for _, want := range []string{"warning: 167 references of summary_messages to rows that don't exist", "warning: 16 references of summary_parents"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}

// TestAHintIsPrintedOnce: many reads of a damaged file fail for one reason, for which there is
// one thing to do.
func TestAHintIsPrintedOnce(t *testing.T) {
	t.Parallel()
	db := testdb.Copy(t, filepath.Join(testdb.Fixtures(t), "faults", "sqlite-truncated.db"))
	_, _, errs := run(t, db, "repair", "--all")
	if n := strings.Count(errs, "the file is damaged"); n < 5 {
		t.Fatalf("%d reads failed:\n%s", n, errs)
	}
	for _, hint := range []string{"read on as far as it goes", "the file is cut off"} {
		if n := strings.Count(errs, hint); n != 1 {
			t.Errorf("%q is printed %d times:\n%s", hint, n, errs)
		}
	}
}

// TestNoRepairIsNamedWhereNoneIs: a tool row whose call nothing in the file names has
// no command to repair it.
func TestNoRepairIsNamedWhereNoneIs(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := testdb.Copy(t, filepath.Join(testdb.Fixtures(t), "v0.15.3", "rich.db"))
	if _, out, _ := run(t, db, "doctor", "5", "--fault", "M07"); !strings.Contains(out, "message 3414") || strings.Contains(out, "lcm-tui repair") {
		t.Errorf("nothing in the file names the call:\n%s", out)
	}
}
