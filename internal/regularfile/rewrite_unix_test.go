//go:build unix

package regularfile_test

import (
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"syscall"
	"testing"
	"time"

	"lcm-tui/internal/regularfile"
)

// TestRewriteKeepsTheFileAsItWas: owner, group, permissions and time stay, also of a file of another account.
func TestRewriteKeepsTheFileAsItWas(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o600, 0o640, 0o664, 0o444} {
		path := file(t, "before")
		if os.Getuid() == 0 {
			must(t, os.Chown(path, 1234, 4321))
		}
		must(t, errors.Join(os.Chmod(path, mode), os.Chtimes(path, time.Unix(1e9, 0), time.Unix(1e9, 0))))
		old, err := os.Lstat(path)
		must(t, err)
		r, err := regularfile.Rewrite(path, old)
		must(t, err)
		_, err = r.WriteString("after")
		must(t, errors.Join(err, r.Replace()))
		r.Discard()
		now, err := os.Lstat(path)
		must(t, err)
		is, was := now.Sys().(*syscall.Stat_t), old.Sys().(*syscall.Stat_t)
		if now.Mode() != old.Mode() || is.Uid != was.Uid || is.Gid != was.Gid || !now.ModTime().Equal(old.ModTime()) {
			t.Errorf("it is %v %d:%d %v, and was %v %d:%d %v", now.Mode(), is.Uid, is.Gid, now.ModTime(), old.Mode(), was.Uid, was.Gid, old.ModTime())
		}
		checkOnly(t, path, "after")
	}
}

// TestRewriteLeavesAFileThatChanged, and one whose new content is discarded.
func TestRewriteLeavesAFileThatChanged(t *testing.T) {
	t.Parallel()
	path := file(t, "before")
	old, err := os.Lstat(path)
	must(t, err)
	r, err := regularfile.Rewrite(path, old)
	must(t, err)
	must(t, os.WriteFile(path, []byte("before and more"), 0o600))
	if err := r.Replace(); !errors.Is(err, regularfile.ErrChanged) {
		t.Errorf("replacing says %v", err)
	}
	r.Discard()
	checkOnly(t, path, "before and more")
	folder, err := os.Lstat(filepath.Dir(path))
	must(t, err)
	if _, err := regularfile.Rewrite(filepath.Dir(path), folder); !errors.Is(err, regularfile.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
}

func file(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	must(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

// checkOnly fails unless a file has this content and is alone in its folder.
func checkOnly(t *testing.T, path, content string) {
	t.Helper()
	if b, err := os.ReadFile(path); err != nil || string(b) != content {
		t.Errorf("it holds %q, want %q (%v)", b, content, err)
	}
	if all, err := os.ReadDir(filepath.Dir(path)); err != nil || len(all) != 1 {
		t.Errorf("beside it lies %v (%v)", all, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestRewriteRemovesWhatAKilledOneLeft: its content may be what the next one takes out of the file.
func TestRewriteRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	path := file(t, "before")
	old, err := os.Lstat(path)
	must(t, err)
	for range 2 {
		r, err := regularfile.Rewrite(path, old)
		must(t, err)
		r.Discard()
		left := regexp.MustCompile(`\d+\.part$`).ReplaceAllString(r.Name(), "77.part") // Nobody holds its lock.
		must(t, os.WriteFile(left, []byte("a copy"), 0o600))
	}
	r, err := regularfile.Rewrite(path, old)
	must(t, err)
	r.Discard()
	checkOnly(t, path, "before")
}
