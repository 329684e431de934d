package reading

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// mostQueued is how many bytes of texts wait at most until they are sent.
const mostQueued = 64 << 10

// PlainConnection is what a connection is that a Connector made. It takes statements of PostgreSQL, too. Each message to the server
// costs as much time as a short statement, so a statement whose answer nobody waits for is sent with the next one.
type PlainConnection interface {
	// Queue keeps a statement until the next one that reads, or Flush. Its failure is the failure of these.
	Queue(statement string, args ...any) *Queued
	// QueueRow works as Queue for a query with one row, which is read into dest when it is sent.
	QueueRow(query string, dest ...any)
	// Flush sends what is queued, and returns when the server has run it.
	Flush(ctx context.Context) error
	// FlushLong works as Flush where so much is queued that waiting saves no time.
	FlushLong(ctx context.Context) error
	// Rollback ends the transaction of the connection, if it is in one, and forgets what is queued.
	Rollback(ctx context.Context) error
	// QueryPlain reads the only row of a query that has no parameters.
	QueryPlain(ctx context.Context, query string, dest ...any) error
	// QueryServer runs a query of the server's language.
	QueryServer(ctx context.Context, query string, args ...any) (driver.Rows, error)
}

// Queued is a statement that is sent with the next one.
type Queued struct {
	text string
	args []any
	dest []any // Where its row goes, if it is a query.
	// Sent says that the server has run it, and Rows how many rows it changed.
	Sent bool
	Rows int64
}

// size returns about how many bytes it has.
func (q *Queued) size() int {
	n := len(q.text)
	for _, a := range q.args {
		if text, ok := a.(string); ok {
			n += len(text)
		}
	}
	return n
}

// serverOf returns the connection of the server on which one of a pool stands.
func serverOf(conn *sql.Conn) (server *pgx.Conn, err error) {
	err = conn.Raw(func(own any) error {
		c, ok := own.(*stdlib.Conn)
		if !ok {
			return errors.New("the connection isn't one of the server")
		}
		server = c.Conn()
		return nil
	})
	return server, err
}

// Queue implements PlainConnection.
func (c *connection) Queue(statement string, args ...any) *Queued {
	q := &Queued{text: statement, args: args}
	c.queue = append(c.queue, q)
	return q
}

// QueueRow implements PlainConnection.
func (c *connection) QueueRow(query string, dest ...any) { c.Queue(query).dest = dest }

// Flush implements PlainConnection.
func (c *connection) Flush(ctx context.Context) error {
	if len(c.queue) == 0 {
		return nil
	}
	results, err := c.send(ctx, &pgx.Batch{})
	if err != nil {
		return err
	}
	return results.Close()
}

// FlushLong implements PlainConnection.
func (c *connection) FlushLong(ctx context.Context) error {
	n := 0
	for _, q := range c.queue {
		n += q.size()
	}
	if n <= mostQueued {
		return nil
	}
	return c.Flush(ctx)
}

// send sends what is queued and then more, in one message, and reads the answers to what was queued.
func (c *connection) send(ctx context.Context, more *pgx.Batch) (pgx.BatchResults, error) {
	queued := c.queue
	c.queue = nil
	all := &pgx.Batch{}
	for _, q := range queued {
		all.Queue(q.text, q.args...)
	}
	all.QueuedQueries = append(all.QueuedQueries, more.QueuedQueries...)
	results := c.server.SendBatch(ctx, all)
	for _, q := range queued {
		if err := q.read(results); err != nil {
			_ = results.Close() // It says the same.
			return nil, err
		}
	}
	return results, nil
}

// read reads the answer to a statement.
func (q *Queued) read(results pgx.BatchResults) error {
	if q.dest != nil {
		return results.QueryRow().Scan(q.dest...)
	}
	tag, err := results.Exec()
	q.Sent, q.Rows = err == nil, tag.RowsAffected()
	return err
}

// Rollback implements PlainConnection.
func (c *connection) Rollback(ctx context.Context) error {
	c.queue = nil
	if !c.isWriting() {
		return nil
	}
	c.Queue("ROLLBACK")
	return c.Flush(ctx)
}

// QueryPlain implements PlainConnection.
func (c *connection) QueryPlain(ctx context.Context, query string, dest ...any) error {
	more := &pgx.Batch{}
	more.Queue(query)
	results, err := c.send(ctx, more)
	if err != nil {
		return err
	}
	return errors.Join(results.QueryRow().Scan(dest...), results.Close())
}

// QueryServer implements PlainConnection.
func (c *connection) QueryServer(ctx context.Context, query string, args ...any) (driver.Rows, error) {
	more := &pgx.Batch{}
	more.Queue(query, args...)
	results, err := c.send(ctx, more)
	if err != nil {
		return nil, err
	}
	return newServerRows(results, c.from.DecodeText)
}

// isWriting reports whether the connection is in a transaction that writes, or its beginning is queued.
func (c *connection) isWriting() bool {
	return c.server != nil && (len(c.queue) > 0 || c.server.PgConn().TxStatus() != 'I')
}
