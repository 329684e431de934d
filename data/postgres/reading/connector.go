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

	"lcm-tui/data/postgres/translate"
)

// connector makes connections that take statements in SQLite's language. Each uses one of a pool of the server's own.
type connector struct {
	plain  *sharedPool
	tables *sourceTables
}

// Connect implements driver.Connector.
func (c *connector) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := c.plain.Conn(ctx)
	if err != nil {
		return nil, err
	}
	return &connection{conn: conn, tables: c.tables}, nil
}

// Driver implements driver.Connector.
func (c *connector) Driver() driver.Driver { return c.plain.Driver() }

// Close gives the server's pool back with the one that stands on it.
func (c *connector) Close() error { return c.plain.release() }

// connection is one connection.
type connection struct {
	conn   *sql.Conn
	tables *sourceTables
	begun  bool // It is in a transaction.
}

// errOnlyReads says that a statement is none that reads.
var errOnlyReads = fmt.Errorf("%w: a replica is only read", translate.ErrUnknown)

// transactions are the statements that begin and end a transaction. It sees one state of the replica.
var transactions = map[string]string{"BEGIN": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", "ROLLBACK": "ROLLBACK", "COMMIT": "COMMIT"}

// ExecContext implements driver.ExecerContext.
func (c *connection) ExecContext(ctx context.Context, query string, _ []driver.NamedValue) (driver.Result, error) {
	statement, ok := transactions[query]
	if !ok {
		return nil, errOnlyReads
	}
	_, err := c.conn.ExecContext(ctx, statement)
	c.begun = query == "BEGIN" && err == nil
	return driver.RowsAffected(0), err
}

// QueryContext implements driver.QueryerContext.
func (c *connection) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	values := make([]any, len(args))
	for i, a := range args {
		values[i] = a.Value
		if truth, ok := a.Value.(bool); ok {
			values[i] = int64(0)
			if truth {
				values[i] = int64(1)
			}
		}
	}
	if !strings.Contains(query, "VALUES") || !slices.ContainsFunc(values, isText) {
		return c.query(ctx, query, values, false)
	}
	return c.queryTwice(ctx, query, values)
}

// queryTwice runs a statement whose texts may have to be numbers: which they are only the server knows.
func (c *connection) queryTwice(ctx context.Context, query string, values []any) (driver.Rows, error) {
	if c.begun { // A failure would end the transaction.
		if _, err := c.conn.ExecContext(ctx, "SAVEPOINT texts"); err != nil {
			return nil, err
		}
	}
	result, err := c.query(ctx, query, values, false)
	var refused *pgconn.PgError
	if !errors.As(err, &refused) || refused.Code != noOperator {
		return result, err
	}
	if c.begun {
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
	translated, err := translate.Statement(query, values, numbers, c.tables.table)
	if err != nil {
		return nil, err
	}
	result, err := c.conn.QueryContext(ctx, translated.Text, append([]any{pgx.QueryExecModeSimpleProtocol}, values...)...)
	if err != nil {
		return nil, err
	}
	return newRows(result, translated.Odd)
}

// Prepare implements driver.Conn. Nothing is kept in the session.
func (c *connection) Prepare(query string) (driver.Stmt, error) { return &statement{c, query}, nil }

// Close implements driver.Conn.
func (c *connection) Close() error { return c.conn.Close() }

// Begin implements driver.Conn.
func (c *connection) Begin() (driver.Tx, error) { return nil, errOnlyReads }

// IsValid implements driver.Validator: a connection that was lost isn't used again.
func (c *connection) IsValid() bool {
	return !errors.Is(c.conn.Raw(func(any) error { return nil }), sql.ErrConnDone)
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

// QueryContext implements driver.StmtQueryContext.
func (s *statement) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.QueryContext(ctx, s.query, args)
}
