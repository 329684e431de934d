package reading

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"

	"lcm-tui/data/postgres/translate"
)

// Connector makes connections that take statements in SQLite's language. Each uses one of a pool of the server's own.
type Connector struct {
	Plain  *sql.DB
	Tables translate.Tables
	// Write runs a statement that changes rows. Nil refuses all of them. With it, the connections of Plain send statements with
	// their values in them, so that several go in one message.
	Write func(ctx context.Context, conn PlainConnection, query string, args []any) (driver.Result, error)
	// Version is the query of PostgreSQL whose number is another one after every commit, or empty. SQLite's data_version is that.
	Version string
	// EncodeText and DecodeText change texts on their way to the server and back. Nil leaves them.
	EncodeText, DecodeText func(string) string
}

// Connect implements driver.Connector.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.Plain.Conn(ctx)
	if err != nil {
		return nil, err
	}
	made := &connection{conn: conn, from: c}
	if c.Write != nil {
		if made.server, err = serverOf(conn); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return made, nil
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return c.Plain.Driver() }

// Close closes the server's pool with the one that stands on it.
func (c *Connector) Close() error { return c.Plain.Close() }

// connection is one connection.
type connection struct {
	conn   *sql.Conn
	from   *Connector
	begun  bool      // It is in a transaction.
	server *pgx.Conn // That of conn where it writes, else nil.
	queue  []*Queued // What is sent with the next statement.
}

// errOnlyReads says that a statement is none that reads.
var errOnlyReads = fmt.Errorf("%w: a replica is only read", translate.ErrUnknown)

// transactions are the statements that begin and end a transaction. It sees one state of the replica.
var transactions = map[string]string{"BEGIN": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "ROLLBACK": "ROLLBACK", "COMMIT": "COMMIT"}

// ExecContext implements driver.ExecerContext.
func (c *connection) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	statement, ok := transactions[query]
	if !ok && c.from.Write != nil {
		return c.from.Write(ctx, c, query, c.valuesOf(args))
	}
	if !ok {
		return nil, errOnlyReads
	}
	_, err := c.conn.ExecContext(ctx, statement)
	c.begun = query == "BEGIN" && err == nil
	return driver.RowsAffected(0), err
}

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	values := c.valuesOf(args)
	if query == "PRAGMA data_version" && c.from.Version != "" {
		if c.server != nil {
			return c.QueryServer(ctx, c.from.Version)
		}
		result, err := c.conn.QueryContext(ctx, c.from.Version, pgx.QueryExecModeSimpleProtocol)
		if err != nil {
			return nil, err
		}
		return newRows(result, nil, nil)
	}
	if !strings.Contains(query, "VALUES") || !slices.ContainsFunc(values, isText) {
		return c.query(ctx, query, values, false)
	}
	return c.queryTwice(ctx, query, values)
}

// valuesOf returns arguments as SQLite has them: a truth value is 0 or 1.
func (c *connection) valuesOf(args []driver.NamedValue) []any {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
		switch v := a.Value.(type) {
		case bool:
			values[i] = int64(0)
			if v {
				values[i] = int64(1)
			}
		case string:
			if c.from.EncodeText != nil {
				values[i] = c.from.EncodeText(v)
			}
		}
	}
	return values
}

// queryTwice runs a statement whose texts may have to be numbers: which they are only the server knows.
func (c *connection) queryTwice(ctx context.Context, query string, values []any) (driver.Rows, error) {
	switch { // A failure would end the transaction.
	case c.isWriting():
		c.Queue("SAVEPOINT texts")
	case c.begun:
		if _, err := c.conn.ExecContext(ctx, "SAVEPOINT texts"); err != nil {
			return nil, err
		}
	}
	result, err := c.query(ctx, query, values, false)
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != noOperator {
		if err == nil && c.isWriting() {
			c.Queue("RELEASE SAVEPOINT texts")
		}
		return result, err
	}
	switch {
	case c.isWriting():
		c.Queue("ROLLBACK TO SAVEPOINT texts")
	case c.begun:
		if _, err := c.conn.ExecContext(ctx, "ROLLBACK TO SAVEPOINT texts"); err != nil {
			return nil, err
		}
	}
	return c.query(ctx, query, values, true)
}

// noOperator is the server's code for types that can't be compared, such as a text that is a number with numbers.
const noOperator = "42883"

func isText(v any) bool {
	_, ok := v.(string)
	return ok
}

// query runs a statement. The values stand in it as literals: their types are then what they are compared with, as in SQLite.
func (c *connection) query(ctx context.Context, query string, values []any, numbers bool) (driver.Rows, error) {
	translated, err := translate.Statement(query, values, numbers, c.from.Tables)
	if err != nil {
		return nil, err
	}
	if c.server != nil {
		return c.QueryServer(ctx, translated.Text, values...)
	}
	result, err := c.conn.QueryContext(ctx, translated.Text, append([]any{pgx.QueryExecModeSimpleProtocol}, values...)...)
	if err != nil {
		return nil, err
	}
	return newRows(result, translated.Odd, c.from.DecodeText)
}

// Prepare implements driver.Conn. Nothing is kept in the session.
func (c *connection) Prepare(query string) (driver.Stmt, error) { return &statement{c, query}, nil }

// Close implements driver.Conn.
func (c *connection) Close() error { return c.conn.Close() }

// Begin implements driver.Conn.
func (c *connection) Begin() (driver.Tx, error) { return nil, errOnlyReads }

// IsValid implements driver.Validator: a connection that was lost isn't used again.
func (c *connection) IsValid() bool {
	return !errors.Is(c.conn.Raw(func(own any) error {
		if conn, ok := own.(*stdlib.Conn); ok && conn.Conn().IsClosed() {
			return sql.ErrConnDone
		}
		return nil
	}), sql.ErrConnDone)
}

// statement is a statement that is sent as a whole each time.
type statement struct {
	conn  *connection
	query string
}

// Close implements driver.Stmt.
func (s *statement) Close() error { return nil }

// NumInput implements driver.Stmt.
func (s *statement) NumInput() int { return -1 }

// Exec implements driver.Stmt.
func (s *statement) Exec([]driver.Value) (driver.Result, error) { return nil, errOnlyReads }

// Query implements driver.Stmt.
func (s *statement) Query([]driver.Value) (driver.Rows, error) { return nil, errOnlyReads }

// ExecContext implements driver.StmtExecContext.
func (s *statement) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.ExecContext(ctx, s.query, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}
