package postgres

import (
	"context"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// Held is a lock that is kept on a connection of its own. It is that of a transaction, so it works behind a pooler as well.
type Held struct {
	conn    *Conn
	tx      pgx.Tx
	release sync.Once
}

// Hold takes the advisory lock of a name on a connection of its own, and keeps it until Release is called or this process ends. It waits
// for at most so long, and fails with data.ErrLocked then.
func (a *Address) Hold(ctx context.Context, verb, name string, wait time.Duration) (*Held, error) {
	conn, err := a.Connect(ctx)
	if err != nil {
		return nil, err
	}
	// Else the server may end the transaction, and with it the lock, while others work under it.
	tx, err := conn.conn.BeginTx(ctx, pgx.TxOptions{BeginQuery: "BEGIN; " + patientSettings})
	if err == nil {
		err = conn.TryLock(ctx, verb, name, wait)
	}
	if err != nil {
		conn.Close()
		return nil, wrap(ctx, conn.place, verb, err)
	}
	return &Held{conn: conn, tx: tx}, nil
}

// Release gives the lock back. It may be called again.
func (h *Held) Release() {
	h.release.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		_ = h.tx.Rollback(ctx) // Closing the connection does it, too.
		h.conn.Close()
	})
}

// heldWait is how long a transaction waits for its beginning until the lock is given back under which it works.
const heldWait = time.Second

// Under has the transactions of a connection give a lock back where they can't begin. Each of several programs behind a pooler may have a
// lock, and none a second connection: they would wait for each other. So a lock keeps others from doing work that is in vain, and what is
// written is compared with what was there.
func (c *Conn) Under(h *Held) { c.held = h }

// begin begins a transaction.
func (c *Conn) begin(ctx context.Context, how pgx.TxOptions) (pgx.Tx, error) {
	if c.held != nil {
		defer time.AfterFunc(heldWait, c.held.Release).Stop()
	}
	return c.conn.BeginTx(ctx, how)
}

// needsTransaction reports whether a statement has to be in a transaction and isn't: only of its beginning is known that it takes no time.
func (c *Conn) needsTransaction() bool { return c.held != nil && c.conn.PgConn().TxStatus() == 'I' }
