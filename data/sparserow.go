package data

import (
	"context"
	"maps"
	"slices"
)

// columnsKey stands in a sparse row beside its cells: its value, a *ColumnSet, has the names of
// all its columns. Those without a cell are NULL. Most cells of message parts are, and a Row
// with all of them takes four times the memory.
const columnsKey = "$columns"

// ColumnSet is the names of columns in order. Rows share it.
type ColumnSet struct{ Names []string }

// ColumnSet returns the names of a sparse row's columns; nil for any other row.
func (r Row) ColumnSet() *ColumnSet {
	set, _ := r[columnsKey].(*ColumnSet)
	return set
}

// whole returns a row that has all cells; a row that isn't sparse is returned as it is.
func (r Row) whole() Row {
	if r.ColumnSet() == nil {
		return r
	}
	return r.Pick(r.Columns())
}

// Width returns the number of a row's columns.
func (r Row) Width() int {
	if set := r.ColumnSet(); set != nil {
		return len(set.Names)
	}
	return len(r)
}

// EachSparseImage does what EachImage does for whole rows that are to stay in memory: rows leave out the cells
// that are NULL, and cells of one column that are the same in a row and in the row before it share
// their memory. A column that a row doesn't have must not be set.
func EachSparseImage(ctx context.Context, q Querier, table, column string, values []any, take func(Row)) error {
	set := &ColumnSet{slices.Sorted(slices.Values(q.Schema().Columns(table)))}
	last := Row{}
	return EachImage(ctx, q, table, column, values, func(r Row) {
		cells := 1
		for _, v := range r {
			if v != nil {
				cells++
			}
		}
		sparse := make(Row, cells)
		sparse[columnsKey] = set
		for name, v := range r {
			if v == nil {
				continue
			}
			if last[name] != nil && SameValue(last[name], v) {
				v = last[name]
			}
			sparse[name] = v
		}
		last = sparse
		take(sparse)
	})
}

// fitSparse does the part of FitRow for a sparse row with the same columns as the table; not ok for
// any other.
func fitSparse(q Querier, table string, r Row) (fit Row, ok bool) {
	set := r.ColumnSet()
	if set == nil || len(set.Names) != len(q.Schema().tables[table].columns) || !q.Schema().Has(table, set.Names...) {
		return nil, false
	}
	return maps.Clone(r), true
}
