//go:build unix

package regularfile_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"lcm-tui/internal/regularfile"
)

// TestOnlyRegularFilesAreOpened: a pipe that nobody writes to doesn't make the reader wait,
// whichever way it is opened.
func TestOnlyRegularFilesAreOpened(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "file"), []byte("content"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, want := range map[string]error{"file": nil, "pipe": regularfile.ErrNotRegular, ".": regularfile.ErrNotRegular, "missing": fs.ErrNotExist} {
		_, read := regularfile.Read(filepath.Join(dir, name), 100)
		f, opened := regularfile.OpenIn(root, name)
		if !errors.Is(read, want) || !errors.Is(opened, want) {
			t.Errorf("%s: %v, %v, want %v", name, read, opened, want)
		}
		if f != nil {
			_ = f.Close()
		}
	}
	if b, err := regularfile.Read(filepath.Join(dir, "file"), 4); err != nil || string(b) != "cont" {
		t.Errorf("the first four bytes: %q, %v", b, err)
	}
}
