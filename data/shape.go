package data

// shape is the columns of a row, in order, and the statement that inserts one like
// it: the rows of a change are mostly of a few shapes.
type shape struct {
	columns []string
	insert  string
}

// shape is that of a row of a table.
func (t *tx) shape(table string, r Row) shape {
	if s, ok := t.shapes[table]; ok && s.fits(r) {
		return s
	}
	columns := r.Columns()
	s := shape{columns, intoSQL(table, columns)}
	t.shapes[table] = s
	return s
}

func (s shape) fits(r Row) bool {
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
