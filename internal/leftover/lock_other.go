//go:build !unix

package leftover

import (
	"errors"
	"os"
)

// lock takes no lock here, so files aren't marked, and none is removed.
func lock(*os.File) error { return errors.ErrUnsupported }

// isFree knows nothing here.
func isFree(string) bool { return false }

// isLocked isn't known here.
func isLocked(string) bool { return false }

// renamed isn't called here.
func renamed(*os.File, string) (*os.File, error) { return nil, errors.ErrUnsupported }
