package change

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
)

// maxRowsPerInsert is how many rows one statement inserts.
const maxRowsPerInsert = 48

// inserter inserts rows of several tables, those of one table together.
type inserter struct {
	tx      *tx
	inOrder bool // Rows may point at rows of other tables that came before.
	last    string
	waiting map[string][]Change // By table, all with the same columns.
	tables  []string            // In the order of their first rows.
	made    int64
}

// add inserts a row, sooner or later.
func (n *inserter) add(ctx context.Context, c Change) error {
	if (n.inOrder || data.IsPendingTable(c.Table)) && c.Table != n.last {
		if err := n.flushAll(ctx); err != nil {
			return err
		}
	}
	n.last = c.Table
	w, known := n.waiting[c.Table]
	if !known {
		n.tables = append(n.tables, c.Table)
	}
	if len(w) > 0 && !shapeOf(n.tx, c.Table, w[0].After).fits(c.After) || (len(w)+1)*c.After.Width() > data.MaxArgs || len(w) == maxRowsPerInsert {
		if err := n.flush(ctx, c.Table); err != nil {
			return err
		}
	}
	n.waiting[c.Table] = append(n.waiting[c.Table], c)
	return nil
}

// flushAll inserts what is waiting.
func (n *inserter) flushAll(ctx context.Context) error {
	for _, table := range n.tables {
		if err := n.flush(ctx, table); err != nil {
			return err
		}
	}
	return nil
}

func (n *inserter) flush(ctx context.Context, table string) error {
	rows := n.waiting[table]
	if len(rows) == 0 {
		return nil
	}
	in := shapeOf(n.tx, table, rows[0].After)
	args := make([]any, 0, len(rows)*len(in.columns))
	for _, c := range rows {
		for _, col := range in.columns {
			args = append(args, data.Bound(c.After[col]))
		}
	}
	more := strings.Repeat(", ("+data.Marks(len(in.columns))+")", len(rows)-1)
	if _, err := exec(ctx, n.tx, in.insert+more, args...); err != nil {
		return explainInsert(ctx, n.tx, rows, err)
	}
	n.made += int64(len(rows))
	n.waiting[table] = rows[:0]
	return nil
}

// explainInsert says why rows couldn't be inserted: most often because one exists.
func explainInsert(ctx context.Context, t *tx, rows []Change, err error) error {
	if errors.Is(data.ErrorKind(err), data.ErrConstraint) {
		for _, c := range rows {
			if len(c.Key) == 0 {
				continue
			}
			if got, _ := t.Row(ctx, c.Table, c.After.Pick(c.Key), c.Key); got != nil {
				return stale(c, got)
			}
		}
	}
	return fmt.Errorf("change %s: %w", rows[0].Label(), err)
}

// insertShape is the columns of a row, in order, and the statement that inserts one like
// it: the rows of a change are mostly of a few shapes.
type insertShape struct {
	columns []string
	insert  string
}

// shapeOf returns that of a row of a table.
func shapeOf(t *tx, table string, r data.Row) insertShape {
	if s, ok := t.shapes[table]; ok && s.fits(r) {
		return s
	}
	columns := r.Columns()
	s := insertShape{columns, intoSQL(table, columns)}
	t.shapes[table] = s
	return s
}

func (s insertShape) fits(r data.Row) bool {
	if set := r.ColumnSet(); set != nil {
		return slices.Equal(s.columns, set.Names)
	}
	if len(s.columns) != len(r) {
		return false
	}
	for _, c := range s.columns {
		if _, ok := r[c]; !ok {
			return false
		}
	}
	return true
}
