package cli

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/destination"
)

// destinations is the policy for files that the user names, beside an open database.
func (c *invocation) destinations(db *data.DB) *destination.Policy {
	return destination.ForDatabase(db, c.locations)
}

// newFile is the whole path of a file that the user names. It fails where no file may be written.
func (c *invocation) newFile(db *data.DB, name string) (string, error) {
	return checkedPath(c.destinations(db), name)
}

// closedDestinations is the policy for files that the user names where no database is opened.
func (c *invocation) closedDestinations() *destination.Policy {
	l, _ := c.locate() // Its folders are known whatever its configuration says.
	return destination.ForLocations(l)
}

// checkedPath is the whole path of a file that the user names, which a policy must not refuse; empty
// where no name is given.
func checkedPath(p *destination.Policy, name string) (string, error) {
	if name == "" {
		return "", nil
	}
	path, err := filepath.Abs(name)
	if err == nil {
		err = p.Check(path)
	}
	return path, err
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return !errors.Is(err, fs.ErrNotExist)
}

// existsError is the refusal to write over a file.
type existsError struct{ err error }

func (e *existsError) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e *existsError) Unwrap() error { return e.err }

// Hint says what to do instead.
func (e *existsError) Hint() string { return "nothing is ever written over; give another name" }

// readText reads a text; the line end that editors put behind it goes.
func readText(in io.Reader, path string) (string, error) {
	var b []byte
	var err error
	if path == "-" {
		b, err = io.ReadAll(in)
	} else {
		b, err = os.ReadFile(path)
	}
	text := strings.TrimRight(string(b), "\n")
	if err == nil && strings.TrimSpace(text) == "" {
		return "", usageErrorf("edit: the new text is empty; a summary can't be")
	}
	return text, err
}
