package data

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
)

// search brings the search tables to what a batch wants of them, and returns what it
// did, which is recorded: first what it changes there itself, then what follows from
// changed rows, then whole tables.
func (t *tx) search(ctx context.Context, b Batch) ([]Change, error) {
	var own []Change
	for _, c := range b.Changes {
		if isSearch(c.Table) && !slices.Contains(b.Rebuild, c.Table) {
			own = append(own, c)
		}
	}
	if t.occupied(ctx, own) {
		return nil, &StaleError{What: "a search table", Why: "has a row already that the plan adds"}
	}
	done, err := t.index(ctx, own)
	if err != nil {
		return nil, err
	}
	rest := slices.DeleteFunc(slices.Clone(t.schema.FTS), func(n string) bool { return slices.Contains(b.Rebuild, n) })
	more, err := t.syncFTS(ctx, b.Changes, rest)
	if err != nil {
		return nil, err
	}
	done = append(done, more...)
	for _, name := range b.Rebuild {
		if err := t.rebuild(ctx, name); err != nil {
			return nil, fmt.Errorf("rebuild %s: %w", name, err)
		}
		done = append(done, Change{Table: name, Key: []string{wholeTable}})
	}
	return done, nil
}

// wholeTable stands in a record, as the key, for a search table that was made anew.
const wholeTable = "*"

// withoutRebuilt takes those from the changes of a record.
func withoutRebuilt(cs []Change) (rows []Change, rebuilt []string) {
	for _, c := range cs {
		if slices.Equal(c.Key, []string{wholeTable}) {
			rebuilt = append(rebuilt, c.Table)
		} else {
			rows = append(rows, c)
		}
	}
	return rows, rebuilt
}

// index makes changes of search tables, deletes before inserts, and returns them with
// the rowids that they got.
func (t *tx) index(ctx context.Context, cs []Change) (done []Change, err error) {
	cs = byRowid(cs)
	for _, c := range cs {
		if c.Before == nil {
			continue
		}
		if _, err := t.exec(ctx, "DELETE FROM "+c.Table+" WHERE rowid = ?", c.Before["rowid"]); err != nil {
			return nil, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		done = append(done, Change{Table: c.Table, Key: []string{"rowid"}, Before: c.Before})
	}
	for _, c := range cs {
		if c.After == nil {
			continue
		}
		query, args := insertSQL(c.Table, c.After)
		res, err := t.exec(ctx, query, args...)
		if err != nil {
			return nil, fmt.Errorf("change %s: %w", c.Label(), err)
		}
		r := c.After.pick(c.After.Columns())
		if r["rowid"], err = res.LastInsertId(); err != nil {
			return nil, err
		}
		done = append(done, Change{Table: c.Table, Key: []string{"rowid"}, After: r})
	}
	return done, nil
}

// byRowid sorts changes of search tables by the row's number; a new row has none and
// keeps its place behind them. FTS5 collects words in memory as long as the numbers
// rise, and writes them out each time that one is lower than that before it.
func byRowid(cs []Change) []Change {
	cs = slices.Clone(cs)
	rowid := func(c Change) int64 {
		if id, ok := c.row()["rowid"].(int64); ok {
			return id
		}
		return math.MaxInt64
	}
	slices.SortStableFunc(cs, func(a, b Change) int { return cmp.Compare(rowid(a), rowid(b)) })
	return cs
}

// rebuild drops a search table with all that belongs to it, and makes it anew from
// the rows, as hosts do.
func (t *tx) rebuild(ctx context.Context, name string) error {
	newest := NewestSchema()
	i := slices.IndexFunc(newest, func(o SchemaObject) bool { return o.Name == name })
	if i < 0 {
		return fmt.Errorf("%s is no search table", name)
	}
	if err := t.drop(ctx, name); err != nil {
		return err
	}
	if _, err := t.ExecContext(ctx, newest[i].SQL); err != nil {
		return err
	}
	return t.fillLater(ctx, name)
}

// drop removes a search table. One that is damaged can't be dropped as such: then its
// row goes from the schema, and what was behind it as ordinary tables.
func (t *tx) drop(ctx context.Context, name string) error {
	t.close() // A statement that reads the table would be in the way.
	clear(t.stmts)
	if _, err := t.ExecContext(ctx, "DROP TABLE IF EXISTS "+name); err == nil {
		return nil
	}
	steps := []string{
		"PRAGMA writable_schema = ON",
		"DELETE FROM sqlite_master WHERE type = 'table' AND name = '" + name + "' AND sql LIKE 'CREATE VIRTUAL%'",
		"PRAGMA writable_schema = RESET",
	}
	for _, suffix := range ftsShadows {
		steps = append(steps, "DROP TABLE IF EXISTS "+name+suffix)
	}
	for _, s := range steps {
		if _, err := t.ExecContext(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", strings.ToLower(s), err)
		}
	}
	return nil
}
