package sessiondb

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
)

// What can be wrong with a transcript database only. For what can be wrong with every
// database, package data has the sentinels. An Error wraps one of them.
var (
	ErrNotAgent      = errors.New("this SQLite database is not a transcript database of OpenClaw")
	ErrNoTranscripts = errors.New("this host keeps transcripts in session files, not in its database")
	ErrUnknownLayout = errors.New("the host keeps transcripts in tables or columns that are not known")
	ErrNoSession     = errors.New("there is no such session in the database")
	ErrNoArchive     = errors.New("there is no such archive in the database")
	ErrRewritten     = errors.New("the host rewrote the transcript while it was read")
)

var hints = map[error]string{
	data.ErrMissing:    "check the path; it lies in agents/AGENT/agent of the host's state folder",
	data.ErrDirectory:  "give the file in it, usually agent/openclaw-agent.sqlite",
	data.ErrEmpty:      "the host fills it at its next start",
	data.ErrPermission: "run lcm-tui as the user who runs the host, or copy the file with its -wal elsewhere",
	data.ErrNotSQLite:  "check the path; a backup that is compressed must be unpacked first",
	data.ErrDamaged:    "what can be read is read; the host's own doctor can repair the file, or restore a backup",
	data.ErrUnfinished: "start the host once: it ends the interrupted write",
	data.ErrLocked:     "wait until the host is done, or stop it, and try again",
	ErrNotAgent:        "give the file openclaw-agent.sqlite of an agent, in agents/AGENT/agent of the host's state folder",
	ErrNoTranscripts:   "read the session files in the folder sessions beside the folder of the database",
	ErrUnknownLayout:   "a newer lcm-tui may know them",
	ErrNoSession:       "list the sessions of the database and take an id from there",
	ErrNoArchive:       "list the archives of the database and take a name from there",
	ErrRewritten:       "try again",
}

// Error is a failure on one transcript database, in words that a user can act on. Kind is a
// sentinel of this package or of package data; Err, if any, is the driver's own error.
type Error struct {
	Path string // The database.
	Verb string // What was being done, such as "open" or "list the sessions of".
	Kind error
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("%s %s: %v", e.Verb, e.Path, e.Kind) }

// Unwrap gives the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Hint says what the user can do, or is empty.
func (e *Error) Hint() string { return hints[e.Kind] }

// wrap puts an error of the driver into words.
func (db *DB) wrap(verb string, err error) error { return wrapError(db.path, verb, err) }

func wrapError(path, verb string, err error) error {
	var own *Error
	var other *data.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", verb, err)
	case errors.As(err, &other):
		return &Error{Path: path, Verb: verb, Kind: other.Kind, Err: other.Err}
	}
	kind := data.ErrorKind(err)
	switch {
	case errors.Is(kind, data.CodeError(0)): // Not the driver's.
		return fmt.Errorf("%s %s: %w", verb, path, err)
	case errors.Is(kind, context.Canceled):
		return fmt.Errorf("%s: %w", verb, context.Canceled)
	}
	return &Error{Path: path, Verb: verb, Kind: kind, Err: err}
}

// isDamage reports whether SQLite met a page that it can't read.
func isDamage(err error) bool {
	kind := data.ErrorKind(err)
	return errors.Is(kind, data.ErrDamaged) || errors.Is(kind, data.ErrIO) || errors.Is(err, data.ErrDamaged)
}
