package change_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestAFullDiskIsCalledFull: whenever the disk fills up, the error says so and names the
// file that had no room, and nothing half-written stays.
func TestAFullDiskIsCalledFull(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Demo(path, time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	for _, size := range []int{300 << 10, 1700 << 10, 2000 << 10} {
		disk := testdb.Disk(t, size)
		to := filepath.Join(disk, "new.db")
		full := func(what string, err error) {
			t.Helper()
			var e *data.Error
			if !errors.Is(err, data.ErrFull) || !errors.As(err, &e) || e.Path != to {
				t.Errorf("%s with %d bytes: %v", what, size, err)
			}
			if left, _ := os.ReadDir(disk); len(left) > 0 {
				t.Errorf("%s with %d bytes left %v", what, size, left)
			}
		}
		_, err := testdb.Open(t, path).Backup(t.Context(), to, func(int, int, string) {})
		full("backup", err)
	}
}

// TestADemonstrationOnAFullDiskLeavesNothing: also no large file and no folder.
func TestADemonstrationOnAFullDiskLeavesNothing(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, size := range []int{16 << 10, 600 << 10} {
		disk := testdb.Disk(t, size)
		if err := demo.Write(filepath.Join(disk, "demo.db"), time.Now()); err == nil {
			t.Fatal("it fits")
		}
		if left, _ := os.ReadDir(disk); len(left) > 0 {
			t.Errorf("left behind with %d bytes: %v", size, left)
		}
	}
}

// TestReadingOnAFullDisk: SQLite needs a little room beside a file to read it; where there
// is none, the error says that the disk is full, and not that it is broken.
func TestReadingOnAFullDisk(t *testing.T) {
	t.Parallel()
	disk := testdb.Disk(t, 2<<20)
	path := filepath.Join(disk, "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err == nil {
		err = h.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = os.WriteFile(filepath.Join(disk, "fill"), make([]byte, 2<<20), 0o600)
	db, err := data.Open(t.Context(), path)
	if err == nil {
		_ = db.Close()
	}
	if !errors.Is(err, data.ErrFull) {
		t.Errorf("got %v", err)
	}
}
