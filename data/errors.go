package data

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"modernc.org/sqlite"
)

// What can be wrong with a database. An Error wraps one of them.
var (
	ErrMissing    = errors.New("there is no such file")
	ErrDirectory  = errors.New("this is a directory, not a database")
	ErrEmpty      = errors.New("the file is empty, so there are no LCM tables in it")
	ErrPermission = errors.New("permission denied")
	ErrNotSQLite  = errors.New("this is not an SQLite database")
	ErrNotLCM     = errors.New("this SQLite database has no LCM tables")
	ErrEncodings  = errors.New("which SQLite doesn't read together")
	ErrDamaged    = errors.New("the file is damaged")
	ErrUnfinished = errors.New("another program was stopped while it wrote, and its journal isn't rolled back")
	ErrIncomplete = errors.New("tables or columns that every lcm.db has are missing")
	ErrLocked     = errors.New("another program holds a lock on the database")
	ErrReadOnly   = errors.New("the database is open for reading only")
	ErrFull       = errors.New("the disk is full")
	ErrIO         = errors.New("the disk reported an error")
	ErrRefused    = errors.New("SQLite refused the statement")
	ErrConstraint = errors.New("the change breaks a rule of the schema")
	ErrMismatch   = errors.New("a table refers to a column of another table that is no key there")
	// What can happen to a file while it is open.
	ErrVanished = errors.New("the file isn't there any more: it was deleted or renamed while it was open")
	ErrReplaced = errors.New("another file was put in its place while it was open")
	ErrEmptied  = errors.New("the file was emptied while it was open")
	ErrCutOff   = errors.New("a part of the file was cut off while it was open")
)

// ErrNotFound is wrapped by every error about an id that isn't in the database.
var ErrNotFound = errors.New("not found")

var hints = map[error]string{
	ErrMissing:    "check the path, give one with --db FILE, or look around with: lcm-tui demo",
	ErrDirectory:  "give the file inside it, usually lcm.db: --db DIR/lcm.db",
	ErrEmpty:      "an agent fills it at its first message; give another file with --db FILE",
	ErrPermission: "run lcm-tui as the user who owns the file, or change the permissions of the file",
	ErrNotSQLite:  "check the path; a backup that is compressed must be unpacked first",
	ErrNotLCM:     "check the path; lcm-tui reads the lcm.db of a Lossless Context Management host",
	ErrDamaged:    "read on as far as it goes; restore a backup; or save what is left of it: lcm-tui salvage DAMAGED NEW",
	ErrUnfinished: "start the agent's host once: it rolls the journal back. Or open the file again: what was there before that write is read then, and nothing can be changed",
	ErrLocked:     "wait for the other program to finish, or stop it, and try again",
	ErrReadOnly:   "make the file and its folder writable, or work on a copy: lcm-tui backup --to FILE",
	ErrFull:       "free some space and try again",
	ErrIO:         "check the disk and the system log",
	ErrVanished:   "what is shown was read before. Put the file back, or open another one",
	ErrReplaced:   "what is shown is of the file that was there before, and nothing is written. Open the path again to see the new one",
	ErrEmptied:    "what is shown was read before, and nothing of it is left in the file: restore a backup",
	ErrCutOff:     "open it again to read what is left; restore a backup; or save what is left: lcm-tui salvage DAMAGED NEW",
	ErrConstraint: "the rows involved are damaged already",
	ErrMismatch:   "no host makes such tables: restore a backup, or save what is there: lcm-tui salvage DAMAGED NEW",
}

// Error is a failure on one database, in words that a user can act on. Kind is
// one of the sentinels above; Err, if any, is the driver's own error.
type Error struct {
	Path string // The database.
	Verb string // What was being done, such as "open" or "read messages".
	Kind error
	Err  error
	hint string
}

func (e *Error) Error() string {
	return fmt.Sprintf("%s %s: %v", e.Verb, e.Path, e.Kind)
}

// Unwrap gives the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Hint says what the user can do, or is empty.
func (e *Error) Hint() string {
	if e.hint != "" {
		return e.hint
	}
	return hints[e.Kind]
}

// ScreenHint works as Hint for screens, where no command can be typed and no flag given. It may be
// empty.
func (e *Error) ScreenHint() string {
	if h := screenHints[e.Kind]; h != "" && e.hint == "" {
		return h
	}
	return withoutCommands.Replace(e.Hint())
}

// ProblemOf returns what an error says of a database, without naming it: for a list where its path
// stands beside.
func ProblemOf(err error) string {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind.Error()
	}
	return err.Error()
}

// screenHints are hints for screens where those for commands name flags.
var screenHints = map[error]string{
	ErrMissing:   "check the path, or open another database",
	ErrDirectory: "open the file inside it, usually lcm.db",
	ErrEmpty:     "an agent fills it at its first message; open another database",
}

// withoutCommands puts the names of commands in the place of command lines.
var withoutCommands = strings.NewReplacer(
	": lcm-tui salvage DAMAGED NEW", " with :salvage",
	"lcm-tui salvage DAMAGED NEW", ":salvage",
	": lcm-tui backup --to FILE", " that the command backup makes",
)

// NotFoundError says that an id isn't in the database that was searched.
type NotFoundError struct {
	What string // "conversation", "summary", …
	ID   string
	Path string
}

func (e *NotFoundError) Error() string {
	return fmt.Sprintf("no %s %s in %s", e.What, e.ID, e.Path)
}

// Unwrap makes errors.Is(err, ErrNotFound) true.
func (e *NotFoundError) Unwrap() error { return ErrNotFound }

// NewError returns an error of a kind, about what was done to the file at path, with a hint of its own.
func NewError(path, verb string, kind error, hint string) *Error {
	return &Error{Path: path, Verb: verb, Kind: kind, hint: hint}
}

// NotFound says that an id isn't in the file; where damage or a missing table may hide
// its row, it says that, and of a replica of summaries where its messages and files are.
func (db *DB) NotFound(what string, id any) error {
	table := map[string]string{"conversation": "conversations", "message": "messages", "summary": "summaries", "file": "large_files"}[what]
	if r := db.replica; r != nil && r.OnlySummaries && slices.Contains([]string{"messages", "large_files"}, table) {
		return r.NoMessages()
	}
	if slices.Contains(db.IncompleteTables(), table) {
		return &Error{Path: db.path, Verb: fmt.Sprintf("read %s %v of", what, id), Kind: ErrDamaged, hint: "its row may be lost, or may never have existed; save what is left: lcm-tui salvage DAMAGED NEW"}
	}
	return &NotFoundError{What: what, ID: fmt.Sprint(id), Path: db.path}
}

// WrapError puts err, which came from the driver while doing verb, into words: an *Error of
// this path. What isn't the driver's stays as it is.
func WrapError(path, verb string, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own), errors.Is(err, ErrNotFound):
		return err
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", verb, err)
	case code(err) == 0: // Not the driver's.
		return err
	}
	return &Error{Path: path, Verb: verb, Kind: ErrorKind(err), Err: err}
}

// SQLite's primary result codes, from its documentation.
const (
	codeError      = 1
	codePerm       = 3
	codeBusy       = 5
	codeLocked     = 6
	codeReadOnly   = 8
	codeInterrupt  = 9
	codeIO         = 10
	codeCorrupt    = 11
	codeFull       = 13
	codeCantOpen   = 14
	codeProtocol   = 15
	codeConstraint = 19
	codeNotADB     = 26
)

// ErrorKind returns what a failure of SQLite means in this package's words: one of the
// sentinels above, context.Canceled, or a CodeError. Of an error that isn't SQLite's it is
// CodeError(0).
func ErrorKind(err error) error {
	switch extended(err) {
	case codeRollback:
		return ErrUnfinished
	case codeSharedSize: // The -shm file can't grow.
		return ErrFull
	}
	switch code(err) {
	case codeBusy, codeLocked, codeProtocol:
		return ErrLocked
	case codePerm, codeCantOpen:
		return ErrPermission
	case codeReadOnly:
		return ErrReadOnly
	case codeInterrupt:
		return context.Canceled
	case codeCorrupt:
		return ErrDamaged
	case codeFull:
		return ErrFull
	case codeNotADB:
		return ErrNotSQLite
	case codeConstraint:
		return ErrConstraint
	case codeError:
		return schemaKind(err)
	case codeIO:
		return ErrIO
	}
	return CodeError(code(err))
}

// CodeError is a result code of SQLite that has no words of ours.
type CodeError int

func (c CodeError) Error() string {
	text, known := sqlite.ErrorCodeString[int(c)]
	if !known {
		return fmt.Sprintf("SQLite reported the code %d", int(c))
	}
	return fmt.Sprintf("SQLite reported the code %d: %s", int(c), text)
}

// schemaKind tells a damaged schema, and foreign keys that SQLite can't follow, from a
// statement that SQLite can't run.
func schemaKind(err error) error {
	switch text := err.Error(); {
	case strings.Contains(text, "malformed"):
		return ErrDamaged
	case strings.Contains(text, "foreign key mismatch"):
		return ErrMismatch
	}
	return ErrRefused
}

// codeRollback is the extended result code of a reader that meets a journal which has to
// be rolled back.
const codeRollback = codeReadOnly | 3<<8

// codeSharedSize is the extended result code of a connection that finds no room for the
// memory that connections share.
const codeSharedSize = codeIO | 19<<8

// extended returns the whole SQLite result code in err, or 0.
func extended(err error) int {
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return 0
	}
	return e.Code()
}

// code returns the primary SQLite result code in err, or 0.
func code(err error) int {
	return extended(err) & 0xff
}

// InvariantError says that a write would have broken something that must hold.
// It was rolled back: nothing was written.
type InvariantError struct{ What string }

func (e *InvariantError) Error() string {
	return "refused, because it would break the file: " + e.What
}

// Hint says that it isn't the user's fault.
func (e *InvariantError) Hint() string {
	return "the conversation is damaged in a way that this operation doesn't expect"
}

// StaleError says that the database is no longer what the plan saw. Nothing was
// written.
type StaleError struct {
	What string // The row, or the table and condition of a guard.
	Why  string
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("the database changed since the plan was made: %s %s", e.What, e.Why)
}

// Hint says who did it and what to do.
func (e *StaleError) Hint() string {
	return "most likely the agent's host or another lcm-tui wrote in the meantime; plan again to see what it would be now"
}
