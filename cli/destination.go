package cli

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"lcm-tui/data"
	"lcm-tui/data/destination"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
)

// Destinations returns the policy for files that the user names, beside an open database.
func (c *Invocation) Destinations(db *data.DB) *destination.Policy {
	return destination.ForDatabase(db, c.Locations)
}

// NewFile returns the whole path of a file that the user names. It fails where no file may be written.
func (c *Invocation) NewFile(db *data.DB, name string) (string, error) {
	return CheckedPath(c.Destinations(db), name)
}

// ClosedDestinations returns the policy for files that the user names where no database is opened.
func (c *Invocation) ClosedDestinations() *destination.Policy {
	l, _ := c.Locate() // Its folders are known whatever its configuration says.
	return destination.ForLocations(l)
}

// ReplacedFile returns the whole path of a file that the user names, and that each run rewrites. It fails where a policy refuses
// the path, or a file is there that must not be replaced, such as a database or a link.
func ReplacedFile(ctx context.Context, p *destination.Policy, name string) (string, error) {
	path, err := CheckedPath(p, name)
	if err == nil && path != "" {
		err = p.CheckReplaced(ctx, path)
	}
	return path, err
}

// CheckedPath returns the whole path of a file that the user names, which a policy must not refuse; empty
// where no name is given.
func CheckedPath(p *destination.Policy, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	path, err := filepath.Abs(name)
	if err == nil {
		err = p.Check(path)
	}
	return path, err
}

// FileExists reports whether there is a file or folder. Below a regular file there is none, nor of a name that is too long.
func FileExists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, syscall.ENOTDIR) && !errors.Is(err, syscall.ENAMETOOLONG)
}

// DatabaseExists reports whether there is a file at the path of a database. Of an address it is true: whether a server answers is
// known when it is opened.
func DatabaseExists(path string) bool { return postgres.IsAddress(path) || FileExists(path) }

// DatabaseFlags returns the flags by which a process that this one starts opens the database at a path. The address of a server is
// passed on as it was given; one in the environment is there for that process, too, and may have a password.
func DatabaseFlags(c *Invocation, path string) []string {
	if !postgres.IsAddress(path) {
		return []string{"--db", path}
	}
	if given := c.Opts.Database(); postgres.IsAddress(given) {
		return []string{"--db", given}
	}
	return nil
}

// ExistsError returns the refusal to write over a file.
func ExistsError(err error) error {
	return hint.Wrap(err, "nothing is ever written over; give another name")
}

// ReadText reads a text; the line end that editors put behind it goes.
func ReadText(in io.Reader, path string) (string, error) {
	var b []byte
	var err error
	if path == "-" {
		b, err = io.ReadAll(in)
	} else {
		b, err = os.ReadFile(path)
	}
	text := strings.TrimRight(string(b), "\n")
	if err == nil && strings.TrimSpace(text) == "" {
		return "", UsageErrorf("the new text is empty")
	}
	return text, err
}
