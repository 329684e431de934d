package change

import (
	"context"
	"fmt"

	"lcm-tui/data"
)

// Ordinals up to maxMoved, which no context of a host reaches, are moved in runs; aside is where a run
// finds no other items.
const (
	maxMoved = 1 << 60
	aside    = 3 * maxMoved
)

// itemMove is a run of items of one context, from one ordinal to another, that all move by the same
// number of places. Writing them one by one would keep the lock for long.
type itemMove struct{ conv, first, last, by int64 }

// asMove returns the move of one item that changes nothing but its ordinal.
func (c Change) asMove() (m itemMove, ok bool) {
	if c.Table != "context_items" || len(c.Before) != len(c.After) || isDigest(c.Before) {
		return m, false
	}
	conv, some := c.Before["conversation_id"].(int64)
	from, known := c.Before["ordinal"].(int64)
	to, also := c.After["ordinal"].(int64)
	if !some || !known || !also || from == to || min(from, to) < -maxMoved || max(from, to) > maxMoved {
		return m, false
	}
	for column, was := range c.Before {
		if is, has := c.After[column]; !has || column != "ordinal" && !data.SameValue(was, is) {
			return m, false
		}
	}
	return itemMove{conv, from, from, to - from}, true
}

// firstMove joins the changes at the beginning that move items of neighbouring ordinals by the same
// number of places, and returns how many they are.
func firstMove(cs []Change) (run itemMove, n int) {
	var step int64 // The ordinals go up or down.
	for ; n < len(cs); n++ {
		m, ok := cs[n].asMove()
		switch {
		case !ok:
			return run, n
		case n == 0:
			run = m
			continue
		case m.conv != run.conv || m.by != run.by:
			return run, n
		case m.first == run.last+1 && step >= 0:
			run.last, step = m.first, 1
		case m.first == run.first-1 && step <= 0:
			run.first, step = m.first, -1
		default:
			return run, n
		}
	}
	return run, n
}

// applyMoves makes the changes at the beginning that move items together, and returns how many they are
// and how many rows the statements changed. A single item isn't moved.
func applyMoves(ctx context.Context, t *tx, cs []Change) (n int, rows int64, err error) {
	run, n := firstMove(cs)
	if n < 2 {
		return 0, 0, nil
	}
	if rows, err = moveItems(ctx, t, run); err != nil {
		return 0, 0, fmt.Errorf("move %s: %w", cs[0].Label(), err)
	}
	return n, rows, nil
}

// moveItems moves a run of items, and returns how many rows its statements changed. Where the run
// would come to ordinals of its own items it goes aside first: SQLite compares after each row.
func moveItems(ctx context.Context, t *tx, m itemMove) (rows int64, err error) {
	steps := []itemMove{m}
	if n := m.last - m.first; m.by <= n && -m.by <= n {
		steps = []itemMove{{m.conv, m.first, m.last, aside}, {m.conv, m.first + aside, m.last + aside, m.by - aside}}
	}
	const query = "UPDATE context_items SET ordinal = ordinal + ? WHERE conversation_id = ? AND ordinal BETWEEN ? AND ?"
	for _, s := range steps {
		r, err := exec(ctx, t, query, s.by, s.conv, s.first, s.last)
		if err != nil {
			return rows, err
		}
		n, err := r.RowsAffected()
		if err != nil {
			return rows, err
		}
		if planned := s.last - s.first + 1; n != planned {
			return rows, &data.InvariantError{What: fmt.Sprintf("%d items moved where the plan has %d", n, planned)}
		}
		rows += n
	}
	return rows, nil
}
