package change

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// hadGaps is the key in records of earlier versions that stands for a conversation whose
// context had gaps before.
const hadGaps = "gaps"

// withoutGaps leaves those notes out of the changes of a record.
func withoutGaps(cs []Change) []Change {
	return slices.DeleteFunc(cs, func(c Change) bool { return slices.Equal(c.Key, []string{hadGaps}) })
}

// checkDamage checks an undo that restored rows which violate the schema's rules, as they did before the
// repair. The rules are off meanwhile, so it checks that no row which came since refers to a
// row that goes.
func checkDamage(ctx context.Context, t *tx, cs []Change) error {
	for _, c := range cs {
		if c.After != nil || !referenced[c.Table] {
			continue
		}
		if err := checkUnreferenced(ctx, t, c, cs); err != nil {
			return err
		}
	}
	return nil
}

const childrenSQL = `SELECT m.name, f."from", f."to" FROM sqlite_master m JOIN pragma_foreign_key_list(m.name) f
	WHERE m.type = 'table' AND f."table" = ?`

// checkUnreferenced fails if a row refers to one that is gone, unless the changes restore that
// one too.
func checkUnreferenced(ctx context.Context, t *tx, gone Change, cs []Change) error {
	return data.EachRow(ctx, t, childrenSQL, []any{gone.Table}, func(scan data.RowScanner) error {
		var table, from, to string
		if err := scan(&table, &from, &to); err != nil {
			return err
		}
		restored := int64(0)
		for _, c := range cs {
			if c.Table == table && c.After != nil && data.SameValue(c.After[from], gone.Before[to]) {
				restored++
			}
		}
		var n int64
		query := "SELECT count(*) FROM " + data.QuoteName(table) + " WHERE " + data.QuoteName(from) + " = ?"
		if err := t.QueryRowContext(ctx, query, gone.Before[to]).Scan(&n); err != nil {
			return err
		}
		if n > restored {
			return &data.InvariantError{What: "a row of " + table + " would name one that doesn't exist"}
		}
		return nil
	})
}

// BlockedError says that a record can't be undone before a later one is.
type BlockedError struct {
	Record, By int64
	Title      string // Of the later one.
	Err        error  // What stood in the way.
}

func (e *BlockedError) Error() string {
	return fmt.Sprintf("record %d can't be undone before record %d (%s), which changed the same rows later: %v", e.Record, e.By, e.Title, e.Err)
}

// Unwrap gives the cause.
func (e *BlockedError) Unwrap() error { return e.Err }

// ScreenHint names what to undo first.
func (e *BlockedError) ScreenHint() string {
	return fmt.Sprintf("undo #%d in the history first, then #%d", e.By, e.Record)
}

// Hint names the commands that undo both in the right order.
func (e *BlockedError) Hint() string {
	return fmt.Sprintf("undo that first: lcm-tui undo %d; then lcm-tui undo %d", e.By, e.Record)
}

// explainBlocked turns the failure of an undo into a BlockedError if a later record that isn't
// undone changed the same rows, or rows that refer to rows which the record inserted.
func explainBlocked(ctx context.Context, db *data.DB, r Record, cs []Change, failure error) error {
	var changed *data.StaleError
	var broken *data.InvariantError
	if failure == nil || !errors.As(failure, &changed) && !errors.As(failure, &broken) && !errors.Is(failure, data.ErrConstraint) {
		return failure
	}
	touches := touching(cs)
	later, err := History(ctx, db)
	if err != nil {
		return failure
	}
	for _, l := range later { // The newest first: it is the one that can be undone.
		if l.ID <= r.ID || l.Undone() {
			continue
		}
		_, changes, err := RecordChanges(ctx, db, l.ID)
		if err == nil && slices.ContainsFunc(changes, touches) {
			return &BlockedError{Record: r.ID, By: l.ID, Title: l.Title, Err: failure}
		}
	}
	if changed == nil {
		return explainTaken(ctx, db, cs, failure)
	}
	return failure
}

// explainTaken turns the failure of an undo into a StaleError if a host has written since what stands in its way: a row that
// names one that would go, or that has the place of one that would come back.
func explainTaken(ctx context.Context, db *data.DB, cs []Change, failure error) error {
	var since *data.StaleError
	err := snapshot(ctx, db, "undo", func(t *tx) error {
		_, _, rest := splitContexts(cs)
		_, rest = splitPending(rest)
		return cmp.Or(vacant(ctx, t, rest), unused(ctx, t, cs))
	})
	if errors.As(err, &since) {
		return err
	}
	return failure
}
