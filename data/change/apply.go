package change

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/data"
)

// checkRows fails with a StaleError unless every row that is to be changed is as the plan saw
// it. Whether the place of a new row is free shows when it is inserted.
func checkRows(ctx context.Context, t *tx, cs []Change) error {
	for _, c := range cs {
		if c.Before == nil {
			continue
		}
		got, err := currentRow(ctx, t, c)
		if err != nil {
			return fmt.Errorf("check %s: %w", c.Label(), err)
		}
		if got == nil || !matches(c.Before, got) {
			return stale(c, got)
		}
	}
	return nil
}

// currentRow returns the row that a change is about as it is now, or nil.
func currentRow(ctx context.Context, t *tx, c Change) (data.Row, error) {
	columns := shapeOf(t, c.Table, c.Before).columns
	if isDigest(c.Before) {
		columns = allColumns(t, c.Table)
	}
	return t.Row(ctx, c.Table, c.Before.Pick(c.Key), columns)
}

// allColumns returns all columns of a table; those of a search table, and the row's number.
func allColumns(t *tx, table string) []string {
	if data.IsSearchTable(table) {
		columns, _ := data.SearchColumns(table)
		return columns
	}
	return t.Schema.Columns(table)
}

// referenced are the tables that other tables' rows point at.
var referenced = map[string]bool{"conversations": true, "messages": true, "summaries": true, "focus_briefs": true}

// pass is one round through the changes: the statement made of each change, nil for inserts,
// and which tables it concerns; updates says that it changes rows in place.
type pass struct {
	kind       statement
	referenced []bool
	updates    bool
}

// passes is the order in which changes are made. Rows that point at others go
// first and come last, so that no foreign key is broken on the way; and deletes
// of them come before updates and inserts, so that a place may change hands.
var passes = []pass{
	{kind: deleteSQL, referenced: []bool{false}},
	{kind: nil, referenced: []bool{true}},
	{kind: updateSQL, referenced: []bool{true, false}, updates: true},
	{kind: nil, referenced: []bool{false}},
	{kind: deleteSQL, referenced: []bool{true}},
}

// applyChanges makes the changes but those of search tables. It fails if SQLite changed other
// rows with them, by a cascade or a trigger, since no record would have those.
func applyChanges(ctx context.Context, t *tx, cs []Change) (err error) {
	done, err := indexReferences(ctx, t, cs)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, done()) }()
	before, err := t.Changed()
	if err != nil {
		return err
	}
	made, err := releaseEntries(ctx, t, cs)
	if err != nil {
		return err
	}
	released, err := releaseKeys(ctx, t, cs)
	if err != nil {
		return err
	}
	made += released
	for _, p := range passes {
		n, err := applyPass(ctx, t, p, cs)
		if err != nil {
			return err
		}
		made += n
	}
	t.db.Reached(data.StepRows)
	after, err := t.Changed()
	if n := after - before; err == nil && n != made {
		err = &data.InvariantError{What: fmt.Sprintf("%d rows changed where the plan has %d", n, made)}
	}
	return err
}

// applyPass makes the changes of one pass, and counts them.
func applyPass(ctx context.Context, t *tx, p pass, cs []Change) (made int64, err error) {
	in := &inserter{tx: t, inOrder: slices.Contains(p.referenced, true), waiting: map[string][]Change{}}
	for i := 0; i < len(cs); i++ {
		c := cs[i]
		if data.IsSearchTable(c.Table) || !slices.Contains(p.referenced, referenced[c.Table]) {
			continue
		}
		if p.kind == nil {
			if c.Before != nil || c.After == nil {
				continue
			}
			if err := in.add(ctx, c); err != nil {
				return 0, err
			}
			continue
		}
		if p.updates {
			n, rows, err := applyMoves(ctx, t, cs[i:])
			if err != nil {
				return 0, err
			}
			if n > 0 {
				made, i = made+rows, i+n-1
				continue
			}
		}
		query, args, ok := p.kind(c)
		if !ok {
			continue
		}
		if _, err := exec(ctx, t, query, args...); err != nil {
			return 0, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		made++
	}
	err = in.flushAll(ctx)
	return made + in.made, err
}

// releaseEntries clears the transcript entry of each message that loses it to another one in
// the same batch. Rows are deleted after others are updated, and an entry may be in one row
// of a conversation only. It returns the number of statements that it ran.
func releaseEntries(ctx context.Context, t *tx, cs []Change) (made int64, err error) {
	const column = "transcript_entry_id"
	if !t.Schema.Has("messages", column) {
		return 0, nil
	}
	taken := map[any]bool{}
	for _, c := range cs {
		if entry, ok := c.After[column].(string); c.Table == "messages" && ok && !data.SameValue(c.Before[column], entry) {
			taken[entry] = true
		}
	}
	for _, c := range cs {
		entry, ok := c.Before[column].(string)
		if c.Table != "messages" || !ok || !taken[entry] || c.After != nil && data.SameValue(c.After[column], entry) {
			continue
		}
		where, args := data.WhereSQL(c.Before.Pick(c.Key))
		if _, err := exec(ctx, t, "UPDATE messages SET "+column+" = NULL"+where, args...); err != nil {
			return made, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		made++
	}
	return made, nil
}

// releaseKeys archives each conversation that is archived or deleted in the same batch in which another one
// becomes active. Rows are inserted before others are updated, and these before others are deleted, and only
// one active conversation may have a key. It returns the number of rows that it changed.
func releaseKeys(ctx context.Context, t *tx, cs []Change) (made int64, err error) {
	const table, column = "conversations", "active"
	if !t.Schema.Has(table, "session_key", column) || !slices.ContainsFunc(cs, func(c Change) bool {
		return c.Table == table && c.After != nil && isOn(c.After[column]) && !isOn(c.Before[column])
	}) {
		return 0, nil
	}
	for _, c := range cs {
		goes := c.After == nil || isOn(c.Before[column]) && !isOn(c.After[column])
		if c.Table != table || c.Before == nil || !goes {
			continue
		}
		where, args := data.WhereSQL(c.Before.Pick(c.Key))
		done, err := exec(ctx, t, "UPDATE "+table+" SET "+column+" = 0"+where, args...)
		if err != nil {
			return made, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		n, err := done.RowsAffected()
		if err != nil {
			return made, err
		}
		made += n
	}
	return made, nil
}

// isOn reports whether a cell holds the number of a condition that is true.
func isOn(cell any) bool { return cell != nil && data.CellInteger(cell) != 0 }
