package samples_test

import (
	"path/filepath"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// levels are all of them.
var levels = append(fakehost.Levels(), fakehost.Beta, fakehost.Fork)

// fresh returns a path for a file that is not there yet.
func fresh(t *testing.T) string { return filepath.Join(t.TempDir(), "lcm.db") }

func TestSample(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range levels {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			path := fresh(t)
			if err := samples.Write(path, level); err != nil {
				t.Fatal(err)
			}
			if left, _ := filepath.Glob(path + "-*"); len(left) > 0 {
				t.Errorf("left beside the file: %v", left)
			}
			testdb.CheckHealthy(t, path, level)
			if got := testdb.Rows(t, path, "SELECT COUNT(*), MAX(depth) FROM summaries"); got[0] != "9 2" {
				t.Errorf("summaries, depth = %s, want 9 2", got[0])
			}
			if level.Before(fakehost.V0_6) {
				return
			}
			if got := testdb.Rows(t, path, "SELECT active FROM conversations WHERE archived_at IS NOT NULL"); len(got) != 1 || got[0] != "0" {
				t.Errorf("archived conversations: %v", got)
			}
		})
	}
}
