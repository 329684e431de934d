package data

import (
	"context"
	"fmt"
	"slices"
)

// check finds every change's row as the plan saw it, or fails with a StaleError.
// A place that the same plan frees by a delete may be taken by an insert.
func (t *tx) check(ctx context.Context, cs []Change) error {
	freed := map[string]bool{}
	for _, c := range cs {
		if c.Before != nil && c.After == nil {
			freed[c.Label()] = true
		}
	}
	for _, c := range cs {
		if c.Before == nil && freed[label(c.Table, c.Key, c.After)] {
			continue
		}
		got, err := t.present(ctx, c)
		if err != nil {
			return fmt.Errorf("check %s: %w", c.Label(), err)
		}
		if (got == nil) != (c.Before == nil) || got != nil && !got.Equal(c.Before) {
			return stale(c, got)
		}
	}
	return nil
}

// present is the row that a change is about, as it is now, or nil.
func (t *tx) present(ctx context.Context, c Change) (Row, error) {
	if isSearch(c.Table) {
		return t.indexRow(ctx, c)
	}
	return t.row(ctx, c.Table, c.row().pick(c.Key), c.row().Columns())
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
	{insertSQL, []bool{true}},
	{updateSQL, []bool{true, false}},
	{insertSQL, []bool{false}},
	{deleteSQL, []bool{true}},
}

// perform makes the changes of tables that aren't search tables. It proves that nothing else was changed with them: a
// foreign key's cascade or a trigger would change rows that no record knows.
func (t *tx) perform(ctx context.Context, cs []Change) error {
	before, err := t.totalChanges(ctx)
	if err != nil {
		return err
	}
	made := int64(0)
	for _, pass := range passes {
		for _, c := range cs {
			query, args, ok := pass.kind(c)
			if !ok || isSearch(c.Table) || !slices.Contains(pass.referenced, referenced[c.Table]) {
				continue
			}
			if _, err := t.exec(ctx, query, args...); err != nil {
				return fmt.Errorf("change %s: %w", c.Label(), err)
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
