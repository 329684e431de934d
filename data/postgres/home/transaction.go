package home

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/internal/hint"
)

const (
	// mostConflicts is how often a transaction is begun again where the server ended it for another one.
	mostConflicts = 5
	// leastPause and mostPause are between such tries.
	leastPause, mostPause = 10 * time.Millisecond, 200 * time.Millisecond
	// mostLost is how often it is begun again where the connection was lost.
	mostLost = 3
	// lostWait is how long it waits at least for the locks of a connection that was lost: the server may still be at work for it.
	lostWait = 5 * time.Second
)

// ErrUnknownOutcome says that a connection was lost while the server committed, and that the server can't be asked what became of it.
var ErrUnknownOutcome = errors.New("the connection was lost while the server committed, and whether it did isn't known")

// transactor writes to a home.
type transactor struct {
	pool  *sql.DB // Of connections that take statements in SQLite's language.
	words *wordWriter
	// retried counts the transactions that were begun again; tests read it.
	retried func()
}

// attempt is what became of one try.
type attempt struct {
	err error
	// committing says that COMMIT was sent, and lost that the connection was lost: both together say nothing about the outcome.
	committing, lost bool
}

// run implements data.Home's Transact.
func (t *transactor) run(ctx context.Context, w data.HomeWrite, fn func(*sql.Conn) error) error {
	key := rand.Text()
	var before tries
	for {
		a := t.try(ctx, w, key, before.unknown, fn)
		if a.err == nil || errors.Is(a.err, errCommitted) {
			return nil
		}
		if !before.again(ctx, a, w.Once) {
			return before.failure(a.err, w.Verb, key)
		}
		if t.retried != nil {
			t.retried()
		}
		select {
		case <-time.After(leastPause + time.Duration(mathrand.Int64N(int64(mostPause-leastPause)))):
		case <-ctx.Done():
			if !before.unknown {
				return a.err
			}
			ctx = context.WithoutCancel(ctx) // What became of the COMMIT is asked all the same.
		}
	}
}

// tries are the tries of one write so far.
type tries struct {
	conflicts, lost int
	unknown         bool // A COMMIT was sent, and nobody knows what became of it.
}

// again reports whether the transaction is begun again after a try that failed, and counts it.
func (n *tries) again(ctx context.Context, a attempt, once bool) bool {
	n.unknown = n.unknown && !a.known() || a.committing && a.lost
	switch {
	case ctx.Err() != nil && !n.unknown:
		return false
	case a.lost && n.lost < mostLost && (n.unknown || !once):
		n.lost++
		return true
	case isConflict(a.err) && n.conflicts < mostConflicts && !once:
		n.conflicts++
		return true
	}
	return false
}

// failure returns the error of a write that isn't tried again.
func (n *tries) failure(err error, verb, key string) error {
	switch {
	case n.unknown:
		return hint.Wrap(fmt.Errorf("%w (batch key %s): %w", ErrUnknownOutcome, key, err), "lcm-tui history shows whether it was written; home.batches has the key then")
	case isConflict(err):
		return &lockedError{verb: verb, cause: err}
	}
	return err
}

// known reports whether a try found out that an earlier COMMIT wasn't made: it had the locks and saw no batch key.
func (a attempt) known() bool {
	return a.err == nil || errors.Is(a.err, errCommitted) || !a.lost && !errors.Is(a.err, errNotBegun)
}

// errCommitted says that an earlier try was committed, and errNotBegun that a try didn't come as far as to find out.
var (
	errCommitted = errors.New("it is committed")
	errNotBegun  = errors.New("the transaction couldn't begin")
)

// try runs fn in one transaction.
func (t *transactor) try(ctx context.Context, w data.HomeWrite, key string, look bool, fn func(*sql.Conn) error) (a attempt) {
	conn, err := t.pool.Conn(ctx)
	if err != nil {
		return attempt{err: errors.Join(errNotBegun, err), lost: isLost(err)}
	}
	done := false
	defer func() {
		t.words.take(conn)
		if !done {
			abandon(ctx, conn)
		}
		_ = conn.Close() // A connection that was lost is thrown away.
	}()
	if err := onPlain(conn, func(plain reading.PlainConnection) error {
		if queueBegin(plain, w, look); look {
			return lookForKey(ctx, plain, key)
		}
		if w.Prepares {
			return nil // The locks are taken with the first statement.
		}
		return plain.Flush(ctx)
	}); err != nil {
		if !errors.Is(err, errCommitted) {
			err = errors.Join(errNotBegun, err)
		}
		return attempt{err: err, lost: isLost(err)}
	}
	if w.Once && look {
		return attempt{err: errors.New("the connection was lost before anything was written")}
	}
	if err := fn(conn); err != nil {
		return attempt{err: err, lost: isLost(err)}
	}
	if err := ctx.Err(); err != nil {
		return attempt{err: err}
	}
	err = onPlain(conn, func(plain reading.PlainConnection) error {
		for _, statement := range t.words.take(conn) {
			plain.Queue(statement)
		}
		plain.Queue("INSERT INTO home.batches (batch_key, schema_version) VALUES ('" + key + "', " + schemaVersion + ")")
		plain.Queue("COMMIT")
		return plain.Flush(context.WithoutCancel(ctx)) // An interrupted COMMIT would say nothing about its outcome.
	})
	done = err == nil
	return attempt{err: err, committing: err != nil && !isRefused(err), lost: isLost(err)}
}

// schemaVersion is the version of the schema as a text. A batch names it: a newer schema refuses programs that opened an older one.
var schemaVersion = strconv.Itoa(homeSchema.Newest())

// queueBegin queues the beginning of a transaction and what takes its locks.
func queueBegin(plain reading.PlainConnection, w data.HomeWrite, again bool) {
	wait := w.Wait
	if again {
		wait = max(wait, lostWait)
	}
	plain.Queue("BEGIN ISOLATION LEVEL READ COMMITTED")
	plain.Queue("SELECT set_config('lock_timeout', '" + strconv.FormatInt(max(wait.Milliseconds(), 1), 10) + "ms', true)")
	for _, statement := range lockStatements(w.Conversations) {
		plain.Queue(statement)
	}
}

// lock implements data.Home's Lock.
func lock(ctx context.Context, conn *sql.Conn) error {
	return onPlain(conn, func(plain reading.PlainConnection) error { return plain.Flush(ctx) })
}

// lockStatements returns the statements that take the locks of conversations, in the order of their numbers. Whoever writes to any of
// them, which is nil, takes the lock of the home alone, and the others share it.
func lockStatements(conversations []int64) []string {
	if conversations == nil {
		return []string{"SELECT pg_advisory_xact_lock(hashtextextended('home', 0))"}
	}
	out := []string{"SELECT pg_advisory_xact_lock_shared(hashtextextended('home', 0))"}
	for _, id := range slices.Compact(slices.Sorted(slices.Values(conversations))) {
		number := strconv.FormatInt(id, 10)
		out = append(out, "SELECT pg_advisory_xact_lock(hashtextextended('home/' || "+number+", 0))", "SELECT 1 FROM home.conversations WHERE conversation_id = "+number+" FOR UPDATE")
	}
	return out
}

// lookForKey returns errCommitted where a transaction of this key was committed.
func lookForKey(ctx context.Context, plain reading.PlainConnection, key string) error {
	var there bool
	err := plain.QueryPlain(ctx, "SELECT EXISTS (SELECT 1 FROM home.batches WHERE batch_key = '"+key+"')", &there)
	if err == nil && there {
		return errCommitted
	}
	return err
}

// abandon rolls back the transaction of a connection, if it is in one.
func abandon(ctx context.Context, conn *sql.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lostWait)
	defer cancel()
	_ = onPlain(conn, func(plain reading.PlainConnection) error { return plain.Rollback(ctx) })
}

// isRefused reports whether the server answered that it refuses, and goes on.
func isRefused(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && !strings.HasPrefix(server.Code, "57P")
}

// isLost reports whether the connection to the server was lost.
func isLost(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	return postgres.IsLost(err)
}

// isConflict reports whether the server ended a transaction because of another one.
func isConflict(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01")
}

// lockedError says that others wrote all the time.
type lockedError struct {
	verb  string
	cause error
}

func (e *lockedError) Error() string {
	return fmt.Sprintf("%s: others changed the same rows at the same time, %d times one after the other", e.verb, mostConflicts+1)
}

// Unwrap gives data.ErrLocked and the cause.
func (e *lockedError) Unwrap() []error { return []error{data.ErrLocked, e.cause} }

// Hint says what the user can do.
func (e *lockedError) Hint() string { return "nothing was written: try again" }
