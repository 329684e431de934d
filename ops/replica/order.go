package replica

import (
	"context"
	"errors"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// Order is a plan that is left for the machine that has the file.
type Order struct {
	ID        int64     `json:"order_id"`
	Title     string    `json:"title"`
	Principal string    `json:"principal"` // Who left it.
	Origin    string    `json:"origin"`
	At        time.Time `json:"ordered_at"`

	plan []byte
}

// Plan returns the bytes of its plan file. They come from others and must be checked as any plan file.
func (o *Order) Plan() []byte { return o.plan }

// The states of an order that was taken.
const (
	OrderApplied = "applied"
	OrderRefused = "refused"
)

// LeaveOrder leaves a plan file for the machine that has the file of a source.
func LeaveOrder(ctx context.Context, conn *postgres.Conn, source, title, principal, origin string, plan []byte) (id int64, err error) {
	if err := checkName(source); err != nil {
		return 0, err
	}
	s, err := FindSource(ctx, conn, source)
	if err != nil {
		return 0, err
	}
	err = conn.Transact(ctx, "leave an order in", func() error {
		const insert = "INSERT INTO lcm.orders (source_id, principal, origin, title, plan) VALUES ($1, $2, $3, $4, $5) RETURNING order_id"
		if _, err := conn.One(ctx, "leave an order in", insert, []any{s.ID, principal, origin, title, plan}, &id); err != nil {
			return err
		}
		return audit(ctx, conn, auditEntry{
			action: "order", source: s.ID, name: s.Name, principal: principal, origin: origin, detail: map[string]any{"order_id": id, "title": title},
		})
	})
	return id, err
}

// WaitingOrders returns the orders of a source that nobody took, the oldest first. A source that isn't there has none.
func WaitingOrders(ctx context.Context, conn *postgres.Conn, source string) (out []Order, err error) {
	const query = `SELECT order_id, title, o.principal, o.origin, ordered_at, plan FROM lcm.orders o JOIN lcm.sources s USING (source_id)
		WHERE s.name = $1 AND state = 'waiting' ORDER BY order_id`
	err = conn.Query(ctx, "read the orders of", query, []any{source}, func(scan postgres.Scanner) error {
		var o Order
		err := scan(&o.ID, &o.Title, &o.Principal, &o.Origin, &o.At, &o.plan)
		out = append(out, o)
		return err
	})
	return out, err
}

// HoldOrders returns the orders that wait for a database, and keeps others from taking them or syncing until release is called. An order is
// for the database that its source has: for another one it fails with ErrAnotherDatabase, and the orders go on waiting.
func HoldOrders(ctx context.Context, db *data.DB, a *postgres.Address, conn *postgres.Conn, o Options) (orders []Order, release func(), err error) {
	if orders, err = WaitingOrders(ctx, conn, o.Source); len(orders) == 0 || err != nil {
		return nil, func() {}, err
	}
	s, err := FindSource(ctx, conn, o.Source)
	if err != nil {
		return nil, nil, err
	}
	if err = checkSame(ctx, db, s, o.Host); errors.Is(err, ErrAnotherDatabase) {
		err = errors.Join(err, noteRefusal(ctx, conn, db.Path(), o))
	}
	if err != nil {
		return nil, nil, err
	}
	held, err := a.Hold(ctx, "take orders from", lockName(o.Source), o.Wait)
	if err != nil {
		return nil, nil, err
	}
	conn.Under(held)
	if orders, err = WaitingOrders(ctx, conn, o.Source); err != nil { // Another process may have taken some.
		held.Release()
		return nil, nil, err
	}
	return orders, held.Release, nil
}

// AnswerOrder notes what became of an order. An order is answered once: ok is false where another process did.
func AnswerOrder(ctx context.Context, conn *postgres.Conn, o Order, source, state, answer, principal, origin string) (ok bool, err error) {
	err = conn.Transact(ctx, "answer an order in", func() error {
		const update = "UPDATE lcm.orders SET state = $2, answer = $3, answered_at = now() WHERE order_id = $1 AND state = 'waiting' RETURNING source_id"
		var id int64
		if ok, err = conn.One(ctx, "answer an order in", update, []any{o.ID, state, safeText(answer)}, &id); err != nil || !ok {
			return err
		}
		return audit(ctx, conn, auditEntry{
			action: "answer", source: id, name: source, principal: principal, origin: origin, detail: map[string]any{"order_id": o.ID, "state": state},
		})
	})
	return ok, err
}
