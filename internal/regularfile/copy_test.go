package regularfile_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/internal/regularfile"
)

// TestCopy: a copy holds the bytes of the file and nothing of what stood in its place; a folder
// isn't copied, and what was cancelled fails.
func TestCopy(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	from, to := filepath.Join(dir, "file"), filepath.Join(dir, "copy")
	if err := errors.Join(os.WriteFile(from, []byte("content"), 0o600), os.WriteFile(to, []byte("something longer"), 0o600)); err != nil {
		t.Fatal(err)
	}
	if err := regularfile.Copy(t.Context(), from, to); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != "content" {
		t.Errorf("%q, %v", b, err)
	}
	if err := regularfile.Copy(t.Context(), dir, to); !errors.Is(err, regularfile.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := regularfile.Copy(ctx, from, to); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
