package home

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"strconv"
	"sync/atomic"

	"lcm-tui/data"
	"lcm-tui/data/postgres/reading"
	"lcm-tui/data/postgres/translate"
	"lcm-tui/internal/lazyregexp"
)

// writer runs the statements that change rows.
type writer struct {
	tables *tables
	// messages and records are the highest numbers of those that were reserved.
	messages, records atomic.Int64
}

// changed is what a statement changed.
type changed struct {
	rows int64
	last int64 // The number of the last new row.
}

// LastInsertId implements driver.Result.
func (c changed) LastInsertId() (int64, error) { return c.last, nil }

// RowsAffected implements driver.Result.
func (c changed) RowsAffected() (int64, error) { return c.rows, nil }

// queuedChange is what a statement will have changed that is queued: it is sent when somebody asks.
type queuedChange struct {
	ctx  context.Context //nolint:containedctx // That of the statement, which runs when its result is asked for.
	conn reading.PlainConnection
	sent *reading.Queued
}

// LastInsertId implements driver.Result.
func (queuedChange) LastInsertId() (int64, error) { return 0, nil }

// RowsAffected implements driver.Result.
func (c queuedChange) RowsAffected() (int64, error) {
	if !c.sent.Sent {
		if err := c.conn.Flush(c.ctx); err != nil {
			return 0, err
		}
	}
	return c.sent.Rows, nil
}

// madeTable finds the name in a statement that makes one of this program's own tables where it isn't there.
var madeTable = lazyregexp.New(`(?is)^\s*CREATE TABLE IF NOT EXISTS (\w+)\s*\(`)

// run runs a statement that changes rows, or queues it. Tables of this program's own are there from the start.
func (w *writer) run(ctx context.Context, conn reading.PlainConnection, query string, args []any) (driver.Result, error) {
	if m := madeTable.FindStringSubmatch(query); m != nil {
		if _, ok := w.tables.kinds[m[1]]; !ok {
			return nil, fmt.Errorf("%w: the table %s", translate.ErrUnknown, m[1])
		}
		return changed{}, nil
	}
	written, err := translate.WriteStatement(query, args, w.tables.table, w.tables.relation)
	if err != nil {
		return nil, err
	}
	if written.Returns {
		return returned(ctx, conn, written, args)
	}
	queued := conn.Queue(written.Text, args...)
	if written.Highest > w.highest(written.Table) {
		conn.Queue(raiseSequence(written.Table))
	}
	if written.Rows > 0 {
		return changed{rows: written.Rows}, conn.FlushLong(ctx)
	}
	return queuedChange{ctx, conn, queued}, conn.FlushLong(ctx)
}

// returned runs a statement that returns the numbers of its rows.
func returned(ctx context.Context, conn reading.PlainConnection, written translate.Written, args []any) (driver.Result, error) {
	rows, err := conn.QueryServer(ctx, written.Text, args...)
	if err != nil {
		return nil, err
	}
	var c changed
	row := make([]driver.Value, len(rows.Columns()))
	for err = rows.Next(row); err == nil; err = rows.Next(row) {
		if c.rows++; written.Numbered {
			c.last, _ = row[0].(int64)
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return c, errors.Join(err, rows.Close())
}

// raiseSequence returns what raises the sequence of a table to the highest number of its rows: numbers of rows that are gone aren't
// given again.
func raiseSequence(table string) string {
	column := numbered[table]
	sequence := "home." + table + "_" + column + "_seq"
	return "SELECT setval('" + sequence + "', highest) FROM (SELECT max(" + column + ") AS highest FROM home." + table + ") AS t, " + sequence +
		" AS s WHERE highest > s.last_value OR highest = s.last_value AND NOT s.is_called"
}

// highest returns up to which number those of a table are reserved.
func (w *writer) highest(table string) int64 {
	switch table {
	case "messages":
		return w.messages.Load()
	case "lcm_tui_undo":
		return w.records.Load()
	}
	return 0
}

// reservedNumber is where a reserved number goes.
type reservedNumber struct {
	to      *int64
	highest *atomic.Int64
}

// Scan implements sql.Scanner.
func (r reservedNumber) Scan(v any) error {
	n, ok := v.(int64)
	if !ok {
		return fmt.Errorf("a number of a row has the type %T", v)
	}
	*r.to = n
	r.highest.Store(max(r.highest.Load(), n))
	return nil
}

// request implements data.Home's Request.
func (w *writer) request(conn *sql.Conn, n int, to *data.ReservedNumbers) error {
	return onPlain(conn, func(plain reading.PlainConnection) error {
		w.queueReserve(plain, n, to)
		return nil
	})
}

// queueReserve queues what takes n numbers of messages and the number of a record.
func (w *writer) queueReserve(plain reading.PlainConnection, n int, to *data.ReservedNumbers) {
	query := "SELECT coalesce(min(number), 0), coalesce(max(number), 0), nextval('home.lcm_tui_undo_id_seq') FROM (SELECT nextval('home.messages_message_id_seq') AS number FROM generate_series(1, " +
		strconv.Itoa(n) + ")) AS n"
	plain.QueueRow(query, reservedNumber{&to.First, &w.messages}, reservedNumber{&to.Last, &w.messages}, reservedNumber{&to.Record, &w.records})
}

// mostTries is how often numbers in a row are asked for.
const mostTries = 20

// reserve implements data.Home's Reserve. Another program may take some numbers in the same moment; then they have a gap, and others are
// taken.
func (w *writer) reserve(ctx context.Context, conn *sql.Conn, n int) (numbers data.ReservedNumbers, err error) {
	err = onPlain(conn, func(plain reading.PlainConnection) error {
		for range mostTries {
			w.queueReserve(plain, n, &numbers)
			if err := plain.Flush(ctx); err != nil {
				return err
			}
			if n == 0 || numbers.Last-numbers.First == int64(n)-1 {
				return nil
			}
		}
		return errors.New("others take numbers of messages all the time")
	})
	return numbers, err
}

// onPlain calls fn with what runs statements of PostgreSQL on a connection of a home.
func onPlain(conn *sql.Conn, fn func(reading.PlainConnection) error) error {
	return conn.Raw(func(own any) error {
		plain, ok := own.(reading.PlainConnection)
		if !ok {
			return errors.New("the connection isn't one of a home")
		}
		return fn(plain)
	})
}
