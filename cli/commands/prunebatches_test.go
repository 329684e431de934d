package commands_test

import (
	"strings"
	"testing"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestPrunedBatchesHaveNoUndo: nothing that is said of them names one, and a plan of them can be kept in a file.
func TestPrunedBatchesHaveNoUndo(t *testing.T) {
	t.Parallel()
	for _, inFile := range []bool{false, true} {
		path := testdb.Fixture(t, "v1.0/rich.db")
		run := func(want int, args ...string) string {
			t.Helper()
			exit, out, errs := testcli.Run(t, path, args...)
			if exit != want {
				t.Fatalf("%v: exit %d: %s%s", args, exit, out, errs)
			}
			return out + errs
		}
		shown := ""
		if plan := path + ".plan.json"; inFile {
			shown = run(0, "prune", "batches", "--plan-out", plan)
			if text := run(2, "apply", plan, "--irreversible"); strings.Contains(text, "undo") {
				t.Errorf("of a plan in a file: %s", text)
			}
			shown += run(0, "apply", plan)
		} else {
			shown = run(0, "prune", "batches", "--apply")
		}
		if !strings.Contains(shown, "applied as record 1\n") || strings.Contains(shown, "lcm-tui undo") {
			t.Errorf("in a file %v: %s", inFile, shown)
		}
		for _, args := range [][]string{{"undo", "--dry-run"}, {"undo"}} {
			if text := run(1, args...); !strings.Contains(text, "it can't be undone: it deleted pending batches") {
				t.Errorf("%v: %s", args, text)
			}
		}
	}
}
