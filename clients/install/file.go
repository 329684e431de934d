package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/regularfile"
)

// maxSize is how large a configuration may be, in bytes.
const maxSize = 16 << 20

// file is a configuration as it was read.
type file struct {
	path    string // As the client names it.
	target  string // The file itself, behind links.
	content []byte
	mode    fs.FileMode
	exists  bool
	planned bool   // An earlier change of the same installation leaves it so.
	made    string // The outermost folder that was made for it.
}

// exists reports whether something stands at a path.
func exists(path string) bool {
	if path == "" {
		return false
	}
	_, err := os.Lstat(path)
	return err == nil
}

// readFile reads a configuration, which may be missing. Links are followed.
func readFile(path string) (*file, error) {
	f := &file{path: path, target: path}
	target, err := filepath.EvalSymlinks(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !exists(path):
		return f, nil
	case errors.Is(err, fs.ErrNotExist):
		link, _ := os.Readlink(path)
		return nil, refuse(path, fmt.Errorf("it is a link to %s, which does not exist", link), "create that file, or remove the link")
	case err != nil:
		return nil, unreadable(fmt.Errorf("read the configuration %s: %w", path, err))
	}
	f.target, f.exists = target, true
	in, err := regularfile.Open(target)
	if errors.Is(err, regularfile.ErrNotRegular) {
		return nil, refuse(path, errors.New("it is not a regular file"), "move it away, or name another folder by the client's own variable")
	}
	if err != nil {
		return nil, unreadable(fmt.Errorf("read the configuration: %w", err))
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return nil, unreadable(fmt.Errorf("read the configuration: %w", err))
	}
	f.mode = info.Mode()
	if f.content, err = regularfile.Read(target, maxSize+1); err != nil {
		return nil, unreadable(fmt.Errorf("read the configuration: %w", err))
	}
	if len(f.content) > maxSize {
		return nil, refuse(path, fmt.Errorf("it has more than %d MB", maxSize>>20), "no configuration is that large: look what it holds, or paste the entry by hand")
	}
	return f, nil
}

// unreadable says what to do about a file that can't be read.
func unreadable(err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return hint.Wrap(err, "let your user read the file, and give the command again")
	}
	return hint.Wrap(err, "see that the file can be read, and give the command again")
}

// readFile returns a file as the changes before leave it.
func (e Environment) readFile(path string) (*file, error) {
	if f := e.planned[path]; f != nil {
		return f, nil
	}
	return readFile(path)
}

// checkUnchanged reads the file again: it must be as it was.
func (f *file) checkUnchanged() error {
	now, err := readFile(f.path)
	if err != nil {
		return err
	}
	if now.exists != f.exists || now.target != f.target && !f.planned || !bytes.Equal(now.content, f.content) {
		return refuse(f.path, ErrChanged, "nothing was written; close the client, or try again")
	}
	return nil
}

// makeFolder makes the folder of the file where it is missing.
func (f *file) makeFolder(mode fs.FileMode) error {
	for folder := f.folder(); !exists(folder); folder = filepath.Dir(folder) {
		f.made = folder
	}
	if err := os.MkdirAll(f.folder(), mode); err != nil {
		return fmt.Errorf("write the configuration: %w", err)
	}
	return nil
}

// folder returns where the file lies.
func (f *file) folder() string { return filepath.Dir(f.target) }
