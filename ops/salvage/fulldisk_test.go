package salvage_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/salvage"
)

// TestAFullDiskIsCalledFull: whenever the disk fills up, the error says so and names the
// file that had no room, and nothing half-written stays.
func TestAFullDiskIsCalledFull(t *testing.T) {
	t.Parallel()
	whole, _ := settledDemo(t)
	path := damaged(t, whole)
	for _, size := range []int{300 << 10, 1700 << 10} {
		disk := testdb.Disk(t, size)
		to := filepath.Join(disk, "new.db")
		_, err := salvage.File(t.Context(), path, to, noReport)
		var e *data.Error
		if !errors.Is(err, data.ErrFull) || !errors.As(err, &e) || e.Path != to {
			t.Errorf("%d bytes: %v", size, err)
		}
		if left, _ := os.ReadDir(disk); len(left) > 0 {
			t.Errorf("%d bytes: left %v", size, left)
		}
	}
}
