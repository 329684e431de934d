//go:build unix

package lcm_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// TestALargeFileIsFoundInOneWay: at its stored path, or where hosts put it below the
// files folder, and nowhere else.
func TestALargeFileIsFoundInOneWay(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	elsewhere := filepath.Join(t.TempDir(), "secret.txt")
	put := func(path string) string {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("content"), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	here := put(filepath.Join(folder, "7", "file_a.txt"))
	put(elsewhere)
	if err := os.Symlink(elsewhere, filepath.Join(folder, "7", "file_link.txt")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, uri string
		moved     bool
		err       error
	}{
		{name: "at its path", uri: here},
		{name: "as a URI", uri: "file://" + here},
		{name: "moved with its folder", uri: "/srv/old/lcm-files/7/file_a.txt", moved: true},
		{name: "of another system", uri: "/Users/ann/.openclaw/lcm-files/7/file_a.txt", moved: true},
		{name: "outside", uri: elsewhere, err: data.ErrOutsideFolder},
		{name: "by a link that leads outside", uri: filepath.Join(folder, "7", "file_link.txt"), err: data.ErrOutsideFolder},
		{name: "gone", uri: filepath.Join(folder, "7", "file_gone.txt"), err: fs.ErrNotExist},
	} {
		f := lcm.LargeFile{ID: "file_x", Conversation: 7, URI: c.uri}
		at, err := lcm.FindLargeFile(f, folder)
		if !errors.Is(err, c.err) || err == nil && (at.Moved != c.moved || at.Path != here || at.Bytes != 7) {
			t.Errorf("%s: %+v, %v", c.name, at, err)
		}
		b, _, err := lcm.ReadLargeFile(f, folder, 100)
		if !errors.Is(err, c.err) || c.err == nil && string(b) != "content" {
			t.Errorf("%s is read as %q, %v", c.name, b, err)
		}
	}
}

// TestOnlyRegularFilesAreRead: a pipe in the files folder blocks nobody.
func TestOnlyRegularFilesAreRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	pipe := filepath.Join(folder, "1", "file_a.txt")
	if err := os.Mkdir(filepath.Dir(pipe), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	read := make(chan error, 1)
	for _, uri := range []string{pipe, "/srv/old/1/file_a.txt", filepath.Dir(pipe)} {
		go func() {
			_, _, err := lcm.ReadLargeFile(lcm.LargeFile{ID: "file_a", Conversation: 1, URI: uri}, folder, 100)
			read <- err
		}()
		select {
		case err := <-read:
			var e *lcm.LargeFileError
			if !errors.As(err, &e) {
				t.Errorf("%s: %v", uri, err)
			}
		case <-time.After(time.Minute):
			t.Fatalf("%s: it waits for ever", uri)
		}
	}
}
