package regularfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/internal/leftover"
)

// ErrChanged says that a file was written to while its new content was made.
var ErrChanged = errors.New("the file has changed meanwhile")

// KeepOwner gives a file the owner, the group and the permissions of another.
func KeepOwner(path string, of fs.FileInfo) error {
	if err := CopyOwner(path, of); err != nil {
		return err
	}
	return os.Chmod(path, of.Mode().Perm())
}

// Rewriting is the new content of a file, written beside it.
type Rewriting struct {
	*os.File // The new content.
	path     string
	old      fs.FileInfo
}

// Rewrite begins the new content of a file that is as old says. Nobody sees it before Replace, and Discard
// removes it. That of a process that was killed goes with the next rewriting in the folder.
func Rewrite(path string, old fs.FileInfo) (*Rewriting, error) {
	if !old.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, ErrNotRegular)
	}
	part, err := leftover.CreateFile(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return nil, err
	}
	return &Rewriting{part, path, old}, nil
}

// Replace gives the new content the name of the file, with its owner, its permissions and the time of its
// last change. It fails, and the file stays as it is, where that can't be kept, and with ErrChanged
// where the file isn't the old one any more.
func (r *Rewriting) Replace() error {
	err := errors.Join(r.Sync(), r.Close())
	if err == nil {
		err = KeepOwner(r.Name(), r.old)
	}
	if err == nil {
		err = os.Chtimes(r.Name(), r.old.ModTime(), r.old.ModTime())
	}
	if err != nil {
		return err
	}
	if now, err := os.Lstat(r.path); err != nil || !os.SameFile(r.old, now) || now.Size() != r.old.Size() || !now.ModTime().Equal(r.old.ModTime()) {
		return errors.Join(ErrChanged, err)
	}
	if err := os.Rename(r.Name(), r.path); err != nil {
		return err
	}
	SyncFolder(filepath.Dir(r.path))
	return nil
}

// Discard removes the new content, unless it has replaced the file.
func (r *Rewriting) Discard() {
	_ = r.Close() // It was closed before, if it has replaced the file.
	_ = os.Remove(r.Name())
}
