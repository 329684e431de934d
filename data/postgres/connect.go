package postgres

import (
	"context"
	"errors"
	"iter"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// Conn is one connection. It keeps no state in the session of the server.
type Conn struct {
	conn  *pgx.Conn
	place string
	held  *Held // Under what lock it works, or nil.
}

// Scanner reads the present row of a query into these places.
type Scanner func(dest ...any) error

// connectLimit is how long a connection may take.
const connectLimit = 15 * time.Second

// portText returns a port as text.
func portText(port uint16) string { return strconv.Itoa(int(port)) }

// Connect opens a connection. Its errors are *Error.
func (a *Address) Connect(ctx context.Context) (*Conn, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, connectLimit, errors.New("the server didn't answer in time"))
	defer cancel()
	conn, err := dial(a, a.config, func(config *pgx.ConnConfig) (*pgx.Conn, error) { return pgx.ConnectConfig(ctx, config) })
	if err != nil {
		code, kind := kindOf(err)
		if kind == nil {
			kind = ErrUnreachable
		}
		return nil, &Error{Place: a.String(), Verb: "connect to", Kind: kind, Code: code, Err: err}
	}
	conn.TypeMap().RegisterType(&pgtype.Type{Name: "tsvector", OID: pgtype.TSVectorOID, Codec: pgtype.ByteaCodec{}}) // Its values are made here.
	return &Conn{conn: conn, place: a.String()}, nil
}

// Wrap puts a failure of the pool's driver, which came while doing verb, into words: an *Error. What isn't the driver's stays as it is.
func (a *Address) Wrap(ctx context.Context, verb string, err error) error {
	return wrap(ctx, a.String(), verb, err)
}

// Place names the database without its password.
func (c *Conn) Place() string { return c.place }

// Close ends the connection.
func (c *Conn) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	_ = c.conn.Close(ctx) // What was committed stays, what wasn't is rolled back.
}

// Exec runs a statement and returns how many rows it changed.
func (c *Conn) Exec(ctx context.Context, verb, statement string, args ...any) (rows int64, err error) {
	if c.needsTransaction() {
		err = c.Transact(ctx, verb, func() (err error) {
			rows, err = c.Exec(ctx, verb, statement, args...)
			return err
		})
		return rows, err
	}
	tag, err := c.conn.Exec(ctx, statement, args...)
	return tag.RowsAffected(), wrap(ctx, c.place, verb, err)
}

// Query runs a query and calls fn with every row.
func (c *Conn) Query(ctx context.Context, verb, query string, args []any, fn func(Scanner) error) error {
	if c.needsTransaction() {
		return c.Transact(ctx, verb, func() error { return c.Query(ctx, verb, query, args, fn) })
	}
	rows, err := c.conn.Query(ctx, query, args...)
	if err != nil {
		return wrap(ctx, c.place, verb, err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			return wrap(ctx, c.place, verb, err)
		}
	}
	return wrap(ctx, c.place, verb, rows.Err())
}

// One reads the only row of a query; ok is false where there is none.
func (c *Conn) One(ctx context.Context, verb, query string, args []any, dest ...any) (ok bool, err error) {
	err = c.Query(ctx, verb, query, args, func(scan Scanner) error {
		ok = true
		return scan(dest...)
	})
	return ok, err
}

// Transact runs fn in one transaction, which is committed when fn returns nil and rolled back otherwise.
func (c *Conn) Transact(ctx context.Context, verb string, fn func() error) error {
	return c.transact(ctx, verb, pgx.TxOptions{}, fn)
}

// patientSettings has the server wait for a transaction in which this program reads a file, whatever limits it has for idle ones. It is
// sent with the beginning of the transaction: a moment later the server may have ended it.
const patientSettings = `SELECT set_config(name, '0', true) FROM pg_settings WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`

// bulkSettings has a transaction not wait for the disk, and compress long values by lz4 where the server can: its own way takes a third of
// the time in which it copies rows. It is as patient as patientSettings.
const bulkSettings = patientSettings + `
	UNION ALL SELECT set_config('synchronous_commit', 'off', true)
	UNION ALL SELECT set_config(name, 'lz4', true) FROM pg_settings WHERE name = 'default_toast_compression' AND 'lz4' = ANY(enumvals)`

// TransactBulk works as Transact for many rows that can be sent again: the commit doesn't wait for the disk of the server. Where the
// server fails before a later commit has waited, the transaction can be lost as a whole, and those behind it.
func (c *Conn) TransactBulk(ctx context.Context, verb string, fn func() error) error {
	return c.transact(ctx, verb, pgx.TxOptions{BeginQuery: "BEGIN; " + bulkSettings}, fn)
}

// Snapshot runs fn on one state of the database, which fn can't write to.
func (c *Conn) Snapshot(ctx context.Context, verb string, fn func() error) error {
	return c.transact(ctx, verb, pgx.TxOptions{BeginQuery: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; " + patientSettings}, fn)
}

// transact works as Transact with options.
func (c *Conn) transact(ctx context.Context, verb string, how pgx.TxOptions, fn func() error) error {
	tx, err := c.begin(ctx, how)
	if err != nil {
		return wrap(ctx, c.place, verb, err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectLimit)
		defer cancel()
		_ = tx.Rollback(ctx) // After Commit it does nothing.
	}()
	if err := fn(); err != nil {
		return wrap(ctx, c.place, verb, err)
	}
	return wrap(ctx, c.place, verb, tx.Commit(ctx))
}

// Copy copies rows into a table of the schema lcm. Each row has its values in the order of the columns. The first error of
// rows ends the copying; nothing of it stays.
func (c *Conn) Copy(ctx context.Context, table string, columns []string, rows iter.Seq2[[]any, error]) (n int64, err error) {
	next, stop := iter.Pull2(rows)
	defer stop()
	first, err, ok := next()
	if !ok || err != nil {
		return 0, err // Nothing is sent for no rows.
	}
	source := &copySource{next: next, first: first}
	n, err = c.conn.CopyFrom(ctx, pgx.Identifier{schemaName, table}, columns, source)
	if source.err != nil {
		return n, source.err
	}
	return n, wrap(ctx, c.place, "copy rows to", err)
}

// copySource hands rows to the driver.
type copySource struct {
	first  []any // Until it was handed over.
	next   func() ([]any, error, bool)
	values []any
	err    error
}

// Next moves on to the next row.
func (s *copySource) Next() bool {
	if s.first != nil {
		s.values, s.first = s.first, nil
		return true
	}
	values, err, ok := s.next()
	s.values, s.err = values, err
	return ok && err == nil
}

// Values returns the values of the present row.
func (s *copySource) Values() ([]any, error) { return s.values, nil }

// Err returns the error that ended the rows.
func (s *copySource) Err() error { return s.err }
