package data_test

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/testdb"
)

// TestNewDatabaseWithoutRoom: on a disk that becomes full the error names the file that was asked for, and
// never the name that it has until it is whole.
func TestNewDatabaseWithoutRoom(t *testing.T) {
	t.Parallel()
	for size := 8 << 10; size <= 256<<10; size += 24 << 10 {
		to := filepath.Join(testdb.Disk(t, size), "new.db")
		_, err := data.CreateNewest(t.Context(), to)
		if !errors.Is(err, data.ErrFull) {
			t.Errorf("%d bytes: %v", size, err)
			continue
		}
		if text := err.Error(); !strings.HasSuffix(text, to+": the disk is full") || strings.Contains(text, "create to") {
			t.Errorf("%d bytes: %s", size, text)
		}
	}
}
