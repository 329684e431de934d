package atomicfile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/regularfile"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// old makes a file with these permissions, alone in its folder.
func old(t *testing.T, mode fs.FileMode) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "file")
	must(t, errors.Join(os.WriteFile(path, []byte("old"), 0o600), os.Chmod(path, mode)))
	return path
}

// checkFile fails unless a file has this content and these permissions, and so many files lie in its folder.
func checkFile(t *testing.T, path, content string, mode fs.FileMode, files int) {
	t.Helper()
	b, err := os.ReadFile(path)
	info, statErr := os.Stat(path)
	all, dirErr := os.ReadDir(filepath.Dir(path))
	must(t, errors.Join(err, statErr, dirErr))
	if string(b) != content || len(all) != files || runtime.GOOS != "windows" && info.Mode().Perm() != mode {
		t.Errorf("it holds %q with %v, beside %v; want %q with %v", b, info.Mode(), all, content, mode)
	}
}

func TestNewFileIsPrivateUnlessAModeIsGiven(t *testing.T) {
	t.Parallel()
	for given, want := range map[fs.FileMode]fs.FileMode{0: 0o600, 0o644: 0o644, 0o400: 0o400} {
		for _, o := range []atomicfile.Options{{Mode: given}, {Mode: given, Replace: true, KeepOwner: true}} {
			path := filepath.Join(t.TempDir(), "file")
			must(t, atomicfile.Write(path, []byte("new"), o))
			checkFile(t, path, "new", want, 1)
		}
	}
}

func TestNothingIsReplacedUnlessAsked(t *testing.T) {
	t.Parallel()
	path := old(t, 0o640)
	if err := atomicfile.Write(path, []byte("new"), atomicfile.Options{}); !errors.Is(err, fs.ErrExist) {
		t.Errorf("it says %v", err)
	}
	checkFile(t, path, "old", 0o640, 1)
	path = filepath.Join(t.TempDir(), "file")
	f, err := atomicfile.Create(path, atomicfile.Options{})
	must(t, err)
	must(t, os.WriteFile(path, []byte("came meanwhile"), 0o600))
	if err := f.Commit(); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file that came meanwhile: %v", err)
	}
	checkFile(t, path, "came meanwhile", 0o600, 1)
}

func TestReplacedFileKeepsItsPermissionsIfAsked(t *testing.T) {
	t.Parallel()
	for keep, want := range map[bool]fs.FileMode{true: 0o640, false: 0o600} {
		path := old(t, 0o640)
		must(t, atomicfile.Write(path, []byte("new"), atomicfile.Options{Replace: true, KeepOwner: keep}))
		checkFile(t, path, "new", want, 1)
	}
}

func TestLinkIsReplacedAndNotFollowed(t *testing.T) {
	t.Parallel()
	target := old(t, 0o644)
	path := filepath.Join(filepath.Dir(target), "link")
	if err := os.Symlink(target, path); err != nil {
		t.Skip(err)
	}
	must(t, atomicfile.Write(path, []byte("new"), atomicfile.Options{Replace: true, KeepOwner: true}))
	checkFile(t, path, "new", 0o600, 2)
	checkFile(t, target, "old", 0o644, 2)
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		t.Errorf("it is %v (%v)", info.Mode(), err)
	}
}

func TestDiscardedContentLeavesNothing(t *testing.T) {
	t.Parallel()
	path := old(t, 0o600)
	f, err := atomicfile.Create(path, atomicfile.Options{Replace: true})
	must(t, err)
	_, err = f.WriteString("half")
	must(t, err)
	f.Discard()
	checkFile(t, path, "old", 0o600, 1)
	folder := filepath.Join(filepath.Dir(path), "folder")
	must(t, os.Mkdir(folder, 0o700))
	if err := atomicfile.Write(folder, nil, atomicfile.Options{Replace: true}); err == nil {
		t.Error("a file has replaced a folder")
	}
	checkFile(t, path, "old", 0o600, 2)
}

// TestFill: who fills a file may refuse a replacement before and after it, and a fill that fails leaves the file.
func TestFill(t *testing.T) {
	t.Parallel()
	write := func(w io.Writer) error { _, err := w.Write([]byte("new")); return err }
	path, refused := old(t, 0o600), errors.New("refused")
	asked := 0
	for want, may := range map[error]func(string) error{
		fs.ErrExist: nil,
		refused: func(string) error {
			if asked++; asked == 2 {
				return refused
			}
			return nil
		},
	} {
		if _, err := atomicfile.Fill(path, may, write); !errors.Is(err, want) {
			t.Errorf("it says %v, not %v", err, want)
		}
	}
	yes := func(string) error { return nil }
	if _, err := atomicfile.Fill(path, yes, func(io.Writer) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a fill that fails: %v", err)
	}
	if _, err := atomicfile.Fill(filepath.Dir(path), yes, write); !errors.Is(err, regularfile.ErrNotRegular) {
		t.Errorf("a folder: %v", err)
	}
	checkFile(t, path, "old", 0o600, 1)
	if n, err := atomicfile.Fill(path, yes, write); n != 3 || err != nil {
		t.Errorf("%d bytes, %v", n, err)
	}
	checkFile(t, path, "new", 0o600, 1)
}
