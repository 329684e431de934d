package postgres

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"lcm-tui/data"
)

// What can be wrong with a server. An Error wraps one of them, or data.ErrLocked or data.ErrConstraint.
var (
	ErrAddress     = errors.New("this is not an address of a PostgreSQL database")
	ErrUnreachable = errors.New("the server doesn't answer")
	ErrLogin       = errors.New("the server refused the login")
	ErrNoDatabase  = errors.New("the server has no such database")
	ErrNoSchema    = errors.New("the database has no schema of this program, or an older one")
	ErrNewerSchema = errors.New("a newer version of this program made the schema")
	ErrRights      = errors.New("the user of the database may not do this")
	ErrFull        = errors.New("the server has no room or no connections left")
	ErrConflict    = errors.New("others changed the same rows in the same moment")
	ErrStandby     = errors.New("the server takes no writes")
	ErrStopped     = errors.New("the server stopped the statement")
	ErrRefused     = errors.New("the server refused the statement")
	ErrEncoding    = errors.New("the database has another encoding than UTF8, which can't hold every text")
)

// hints say what to do about each kind.
var hints = map[error]string{
	ErrAddress:         "write it as postgres://USER@HOST/DATABASE, or service=NAME for one of ~/.pg_service.conf",
	ErrUnreachable:     "check the host and the port, and that the server runs",
	ErrLogin:           "check the user; the password belongs into ~/.pgpass, a service file or PGPASSWORD",
	ErrNoDatabase:      "create it first: createdb NAME",
	ErrNoSchema:        "make it, or bring it to this version: lcm-tui fleet init",
	ErrNewerSchema:     "update this program; until then it can read there",
	ErrRights:          "ask the owner of the database for the role: lcm_sync for sync, lcm_read for reading",
	ErrFull:            "free some space or close connections there, and try again",
	ErrConflict:        "try again",
	ErrStandby:         "where it is a standby, name the primary server, or add target_session_attrs=read-write to the address; else it was set to read only, as where it has no room",
	ErrStopped:         "try again",
	ErrEncoding:        "make another one: createdb -E UTF8 -T template0 NAME",
	data.ErrLocked:     "wait for the other program to finish, and try again",
	data.ErrConstraint: "the rows of the replica aren't as this program left them: lcm-tui sync --verify",
}

// Error is a failure on a server, in words that a user can act on.
type Error struct {
	Place string // The server, without its password.
	Verb  string // What was being done.
	Kind  error  // One of the sentinels above, data.ErrLocked or data.ErrConstraint.
	Code  string // The server's SQLSTATE, or empty.
	Err   error  // The driver's own error, or nil.
}

func (e *Error) Error() string {
	text := fmt.Sprintf("%s %s: %v", e.Verb, e.Place, e.Kind)
	var server *pgconn.PgError
	if errors.As(e.Err, &server) {
		text += fmt.Sprintf(" (%s, %s)", server.Message, server.Code)
	}
	return text
}

// Unwrap gives the kind and the cause.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// Is reports whether the server failed, and not the statement, where target is data.ErrServer.
func (e *Error) Is(target error) bool {
	return target == data.ErrServer && !strings.HasPrefix(e.Code, "54") && slices.Contains(serverKinds, e.Kind)
}

// serverKinds are the kinds of failures that are the server's, whatever it was asked.
var serverKinds = []error{ErrUnreachable, ErrLogin, ErrNoDatabase, ErrNoSchema, ErrNewerSchema, ErrRights, ErrFull, ErrStandby}

// Hint says what the user can do.
func (e *Error) Hint() string { return hints[e.Kind] }

// kinds are the kinds of errors by SQLSTATE, or by its first two characters.
var kinds = map[string]error{
	"28": ErrLogin, "3D": ErrNoDatabase, "3F": ErrNoSchema, "42P01": ErrNoSchema, "42501": ErrRights, "53": ErrFull, "54": ErrFull,
	"40001": ErrConflict, "40P01": ErrConflict, "55P03": data.ErrLocked, "25006": ErrStandby, "57014": ErrStopped, "57": ErrUnreachable, "25P03": ErrStopped, "25P04": ErrStopped,
	"08": ErrUnreachable, "23": data.ErrConstraint,
}

// kindOf returns the SQLSTATE of a failure of the driver, and what it means.
func kindOf(err error) (code string, kind error) {
	var server *pgconn.PgError
	if errors.As(err, &server) {
		for _, prefix := range []string{server.Code, server.Code[:min(2, len(server.Code))]} {
			if kind, ok := kinds[prefix]; ok {
				return server.Code, kind
			}
		}
		return server.Code, ErrRefused
	}
	var network net.Error
	var connecting *pgconn.ConnectError
	switch {
	case errors.As(err, &connecting), errors.As(err, &network), errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, net.ErrClosed),
		errors.Is(err, driver.ErrBadConn), errors.Is(err, sql.ErrConnDone): // What follows a failure on the same connection gets the last one.
		return "", ErrUnreachable
	case strings.Contains(err.Error(), "conn closed"), strings.Contains(err.Error(), "closed connection"):
		return "", ErrUnreachable
	}
	return "", nil
}

// Retryable reports whether nothing was written and the same transaction may succeed when it is begun again.
func Retryable(err error) bool {
	return errors.Is(err, ErrConflict) || errors.Is(err, data.ErrLocked)
}

// wrap puts a failure, which came while doing verb, into words. What isn't the driver's stays as it is, and what came after the
// context had ended is its end.
func wrap(ctx context.Context, place, verb string, err error) error {
	var own *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &own):
		return err
	case ctx.Err() != nil: // The driver says then that its connection is closed.
		return fmt.Errorf("%s: %w", verb, ctx.Err())
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("%s: %w", verb, err)
	}
	code, kind := kindOf(err)
	if kind == nil {
		return err
	}
	return &Error{Place: place, Verb: verb, Kind: kind, Code: code, Err: err}
}

// IsLost reports whether a failure of the driver says that the connection to the server was lost, or couldn't be made.
func IsLost(err error) bool {
	_, kind := kindOf(err)
	return kind == ErrUnreachable //nolint:errorlint // kindOf returns one of the sentinels.
}
