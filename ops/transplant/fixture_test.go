package transplant_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/transplant"
)

// TestDatabasesOfTheReferenceEngine: every conversation of real files into another
// one of the same file, and of a file of another version.
func TestDatabasesOfTheReferenceEngine(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	root := testdb.Fixtures(t)
	rich, small, old := "v0.15.3/rich.db", "v0.15.3/small.db", "v0.1.0/small.db"
	for _, c := range []struct {
		file           string
		source, target int64
		from           string
	}{
		{rich, 2, 3, ""},
		{rich, 3, 5, ""},
		{rich, 4, 5, ""},
		{rich, 1, 6, ""},
		{rich, 5, 2, ""},
		{small, 1, 2, ""},
		{old, 2, 1, ""},
		{old, 3, 1, rich},
		{rich, 1, 6, old},
		{small, 1, 1, old},
		{old, 1, 1, small},
	} {
		t.Run(fmt.Sprintf("%s %d to %d %s", c.file, c.source, c.target, c.from), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "lcm.db")
			b, err := os.ReadFile(filepath.Join(root, c.file))
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, b, 0o600); err != nil {
				t.Fatal(err)
			}
			op := &transplant.Op{Source: c.source, Target: c.target}
			if c.from != "" {
				op.From = filepath.Join(root, c.from)
			}
			newest := newestMessage(t, path, c.target)
			roundTripOrRefusal(t, path, op, func() {
				if got := newestMessage(t, path, c.target); got != newest {
					t.Errorf("the newest message is %d, not %d", got, newest)
				}
				checkNoFaults(t, path, "indexed", "counters", "gaps") // Some of these files have such faults.
			})
		})
	}
}
