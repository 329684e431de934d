package regularfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/internal/leftover"
)

// Create writes a new file that is private to the user. fill writes it under another name in the
// same folder; it gets its name only when fill returns nil. A file that is there is replaced only
// where mayReplace returns nil for it, which is asked before and after the filling; without
// mayReplace the error is an fs.ErrExist. What isn't a regular file is never replaced.
func Create(path string, mayReplace func(path string) error, fill func(io.Writer) error) (bytes int64, err error) {
	if err := checkPlace(path, mayReplace); err != nil {
		return 0, err
	}
	part, err := leftover.CreateFile(filepath.Dir(path), "."+filepath.Base(path))
	if err != nil {
		return 0, err
	}
	defer os.Remove(part.Name())
	err = fill(part)
	if err == nil {
		err = part.Sync()
	}
	if info, e := part.Stat(); e == nil {
		bytes = info.Size()
	}
	if err = errors.Join(err, part.Close()); err != nil {
		return 0, err
	}
	if mayReplace == nil {
		return bytes, giveName(part.Name(), path)
	}
	if err := checkPlace(path, mayReplace); err != nil {
		return 0, err
	}
	return bytes, os.Rename(part.Name(), path)
}

// checkPlace fails where a file can't be made.
func checkPlace(path string, mayReplace func(string) error) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return fmt.Errorf("%s is a folder: %w", path, ErrNotRegular)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, ErrNotRegular)
	case mayReplace == nil:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return mayReplace(path)
}

// giveName gives a file its name. A link can't replace a file that came in the meantime; where
// the file system has no links, a look has to do.
func giveName(part, path string) error {
	err := os.Link(part, path)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := checkPlace(path, nil); err != nil {
		return err
	}
	return os.Rename(part, path)
}
