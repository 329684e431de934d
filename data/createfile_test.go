package data_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
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

// TestNewDatabaseWhoseFileHasNoRoom: so it is where the operating system says it, and not SQLite.
func TestNewDatabaseWhoseFileHasNoRoom(t *testing.T) {
	t.Parallel()
	to := filepath.Join(t.TempDir(), "new.db")
	_, err := data.CreateDatabase("write", to, func(part string) error {
		return &os.PathError{Op: "write", Path: part, Err: syscall.ENOSPC}
	})
	if !errors.Is(err, data.ErrFull) || err.Error() != "write to "+to+": the disk is full" {
		t.Error(err)
	}
}

// TestNewDatabaseWhereNoFileCanBe: an error that isn't about a file of that name doesn't say that there is one.
func TestNewDatabaseWhereNoFileCanBe(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	testdb.Must(t, os.WriteFile(file, nil, 0o600))
	for _, to := range []string{filepath.Join(file, "new.db"), filepath.Join(filepath.Dir(file), strings.Repeat("n", 300))} {
		if _, err := data.CreateNewest(t.Context(), to); err == nil || errors.Is(err, data.ErrExists) {
			t.Errorf("%s: %v", to, err)
		}
	}
	if _, err := data.CreateNewest(t.Context(), file); !errors.Is(err, data.ErrExists) {
		t.Errorf("a file: %v", err)
	}
}
