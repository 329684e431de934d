package data

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
)

// A file that is open may be deleted, renamed or replaced: the connections that there are go
// on with the old one, while a new connection would open what stands at the path now. So
// the handle remembers which file it opened, and reads and writes no other.

// CheckPath fails if the file that was opened no longer stands at its path: with an *Error of
// kind ErrVanished where nothing stands there, ErrReplaced where another file does, and
// ErrEmptied where nothing is left in it. It only asks for the file's metadata.
func (db *DB) CheckPath() error {
	kind, err := db.pathKind()
	if kind == nil {
		return nil
	}
	return &Error{Path: db.path, Verb: "read", Kind: kind, Err: err}
}

func (db *DB) pathKind() (kind, err error) {
	if db.opened == nil {
		return nil, nil
	}
	info, err := os.Stat(db.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return ErrVanished, err
	case errors.Is(err, fs.ErrPermission):
		return ErrPermission, err
	case err != nil:
		return ErrIO, err
	case !os.SameFile(info, db.opened):
		return ErrReplaced, nil
	case info.Size() == 0 && db.opened.Size() > 0 && !hasWAL(db.path):
		return ErrEmptied, nil
	}
	return nil, nil
}

// sameFile refuses a new connection to another file than the one that was opened. A private
// copy is nobody else's.
func (db *DB) sameFile() error {
	if db.copied {
		return nil
	}
	return db.CheckPath()
}

// explain puts a failure of SQLite into words. Where the file isn't what was opened, that is
// the reason, and where it is locked, those who have it open are named.
func (db *DB) explain(verb string, err error) error {
	err = WrapError(db.path, verb, err)
	var e *Error
	if !errors.As(err, &e) || e.Err == nil {
		return err
	}
	switch {
	case errors.Is(e.Kind, ErrLocked) && e.hint == "":
		return &Error{Path: e.Path, Verb: e.Verb, Kind: e.Kind, Err: e.Err, hint: lockHint(db.holderNames(), e.Hint())}
	case slices.Contains([]error{ErrPermission, ErrRefused, ErrDamaged, ErrIO, ErrNotSQLite}, e.Kind):
		if kind, _ := db.pathKind(); kind != nil {
			return &Error{Path: e.Path, Verb: e.Verb, Kind: kind, Err: e.Err}
		}
	}
	return err
}

// lockHint puts who has the file open before what to do about it.
func lockHint(names, hint string) string {
	if names == "" {
		return hint
	}
	return strings.TrimSuffix(names, ".") + "; " + hint
}

// holderNames says which other programs have the file open, as a sentence, or nothing where
// that isn't known.
func (db *DB) holderNames() string {
	if db.Holders == nil {
		return ""
	}
	switch names := db.Holders(db.path).Names; len(names) {
	case 0:
		return ""
	case 1:
		return names[0] + " has the file open."
	default:
		return strings.Join(names, ", ") + " have the file open."
	}
}
