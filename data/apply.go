package data

import (
	"context"
	"errors"
	"fmt"
	"slices"
)

// check finds every row that is to be changed as the plan saw it, or fails with a
// StaleError. That the place of a new row is free shows when it is taken.
func (t *tx) check(ctx context.Context, cs []Change) error {
	for _, c := range cs {
		if c.Before == nil {
			continue
		}
		got, err := t.row(ctx, c.Table, c.Before.pick(c.Key), t.shape(c.Table, c.Before).columns)
		if err != nil {
			return fmt.Errorf("check %s: %w", c.Label(), err)
		}
		if got == nil || !got.Equal(c.Before) {
			return stale(c, got)
		}
	}
	return nil
}

// taken says that a new row's place is taken, if that is why it can't be written.
func (t *tx) taken(ctx context.Context, c Change, err error) error {
	if c.Before != nil || !errors.Is(kind(err), ErrConstraint) {
		return err
	}
	if got, rerr := t.row(ctx, c.Table, c.After.pick(c.Key), c.After.Columns()); rerr == nil && got != nil {
		return stale(c, got)
	}
	return err
}

func (t *tx) guard(ctx context.Context, gs []Guard) error {
	for _, g := range gs {
		where, args := whereSQL(g.Where)
		var n int64
		if err := t.QueryRowContext(ctx, "SELECT count(*) FROM "+quote(g.Table)+where, args...).Scan(&n); err != nil {
			return fmt.Errorf("guard %s: %w", g.Table, err)
		}
		if n != g.Count {
			return &StaleError{
				What: label(g.Table, g.Where.Columns(), g.Where),
				Why:  fmt.Sprintf("has %d rows where the plan saw %d", n, g.Count),
			}
		}
	}
	return nil
}

// referenced are the tables that other tables' rows point at.
var referenced = map[string]bool{"conversations": true, "messages": true, "summaries": true, "focus_briefs": true}

// passes is the order in which changes are made. Rows that point at others go
// first and come last, so that no foreign key is broken on the way; and deletes
// of them come before updates and inserts, so that a place may change hands.
var passes = []struct {
	kind       statement
	referenced []bool
}{
	{deleteSQL, []bool{false}},
	{nil, []bool{true}}, // Inserts.
	{updateSQL, []bool{true, false}},
	{nil, []bool{false}}, // Inserts.
	{deleteSQL, []bool{true}},
}

// statement is what a pass does with a change, if anything.
func (t *tx) statement(kind statement, c Change) (query string, args []any, ok bool) {
	if kind != nil {
		return kind(c)
	}
	if c.Before != nil || c.After == nil {
		return "", nil, false
	}
	query, args = t.insertion(c)
	return query, args, true
}

// perform makes the changes. It proves that nothing else was changed with them: a
// foreign key's cascade or a trigger would change rows that no record knows.
func (t *tx) perform(ctx context.Context, cs []Change) error {
	before, err := t.totalChanges(ctx)
	if err != nil {
		return err
	}
	made := int64(0)
	for _, pass := range passes {
		for _, c := range cs {
			if !slices.Contains(pass.referenced, referenced[c.Table]) {
				continue
			}
			query, args, ok := t.statement(pass.kind, c)
			if !ok {
				continue
			}
			if _, err := t.exec(ctx, query, args...); err != nil {
				return fmt.Errorf("change %s: %w", c.Label(), t.taken(ctx, c, err))
			}
			made++
		}
	}
	after, err := t.totalChanges(ctx)
	if err == nil && after-before != made {
		err = &InvariantError{fmt.Sprintf("%d rows changed where the plan has %d", after-before, made)}
	}
	return err
}

func (t *tx) totalChanges(ctx context.Context) (n int64, err error) {
	err = t.QueryRowContext(ctx, "SELECT total_changes()").Scan(&n)
	return n, err
}
