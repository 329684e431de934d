package atomicfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"

	"lcm-tui/internal/regularfile"
)

// Fill writes a new file that is private to the user. fill writes it under another name in the
// same folder; it gets its name only when fill returns nil. A file that is there is replaced only
// where mayReplace returns nil for it, which is asked before and after the filling; without
// mayReplace the error is an fs.ErrExist. What isn't a regular file is never replaced.
func Fill(path string, mayReplace func(path string) error, fill func(io.Writer) error) (bytes int64, err error) {
	if err := checkPlace(path, mayReplace); err != nil {
		return 0, err
	}
	f, err := Create(path, Options{Replace: mayReplace != nil})
	if err != nil {
		return 0, err
	}
	defer f.Discard()
	if err := fill(f); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	if mayReplace != nil {
		if err := checkPlace(path, mayReplace); err != nil {
			return 0, err
		}
	}
	return info.Size(), f.Commit()
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
		return fmt.Errorf("%s is a folder: %w", path, regularfile.ErrNotRegular)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s: %w", path, regularfile.ErrNotRegular)
	case mayReplace == nil:
		return fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	return mayReplace(path)
}
