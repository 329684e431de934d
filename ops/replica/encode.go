package replica

import (
	"encoding/json"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/postgres"
)

// encoder makes the rows of the server of rows of a file.
type encoder struct {
	source int64
	values []any
	odd    [][]any // Rows of odd_cells.
	other  [][]any // Rows of other_rows.
	images int64   // How many rows of other_rows there are of this source and slice.
}

// The columns of the tables of what columns can't hold.
var (
	oddColumns   = []string{"source_id", "sync_group", "table_name", "row_key", "column_name", "class", "bytes"}
	otherColumns = []string{"source_id", "sync_group", "table_name", "row_number", "image"}
)

// row returns the values of a row for COPY. ok is false where its key can't be held: it is an image then.
func (e *encoder) row(t *tableShape, r *readRow) (values []any, ok bool, err error) {
	key, ok := e.key(t, r.cells)
	if !ok {
		return nil, false, e.image(t, r)
	}
	e.values = append(e.values[:0], e.source, r.group)
	described := t.described.Columns
	at := 0
	for i, cell := range r.cells {
		if at >= len(described) || !t.hasColumn(t.columns[i]) { // The server's table has no such column.
			if cell != nil {
				e.oddCell(t, r.group, key, t.columns[i], cell)
			}
			continue
		}
		for described[at].Name != t.columns[i] { // The file has no such column.
			e.values = appendNulls(e.values, described[at])
			at++
		}
		encoded, exact := described[at].Encode(cell)
		if e.values = append(e.values, encoded...); !exact {
			e.oddCell(t, r.group, key, t.columns[i], cell)
		}
		at++
	}
	for ; at < len(described); at++ {
		e.values = appendNulls(e.values, described[at])
	}
	return e.values, true, nil
}

// hasColumn reports whether the server's table has a column.
func (t *tableShape) hasColumn(name string) bool {
	_, ok := t.described.Column(name)
	return ok
}

// appendNulls appends the values of a cell that isn't there.
func appendNulls(values []any, c postgres.Column) []any {
	if c.HasRaw() {
		values = append(values, nil)
	}
	return append(values, nil)
}

// key returns the key of a row as odd_cells has it. ok is false where a cell of it can't be held exactly, or is NULL.
func (e *encoder) key(t *tableShape, cells []any) (key func() string, ok bool) {
	if t.key == nil {
		return nil, false
	}
	for _, i := range t.key {
		c, _ := t.described.Column(t.columns[i])
		if _, exact := c.Encode(cells[i]); !exact || cells[i] == nil {
			return nil, false
		}
	}
	return func() string { return rowKey(t, cells) }, true
}

// rowKey returns the key of a row as a JSON list.
func rowKey(t *tableShape, cells []any) string {
	key := make([]any, 0, len(t.key))
	for _, i := range t.key {
		key = append(key, cells[i])
	}
	text, err := json.Marshal(key)
	if err != nil {
		return fmt.Sprint(key...) // Whole numbers and texts don't fail.
	}
	return string(text)
}

// oddCell notes a cell that its column can't hold.
func (e *encoder) oddCell(t *tableShape, group int64, key func() string, column string, cell any) {
	class, content := postgres.EncodeOdd(cell)
	e.odd = append(e.odd, []any{e.source, group, t.name, key(), column, class, content})
}

// image notes a row as JSON.
func (e *encoder) image(t *tableShape, r *readRow) error {
	row := make(data.Row, len(t.columns))
	for i, c := range t.columns {
		row[c] = r.cells[i]
	}
	text, err := json.Marshal(row)
	if err != nil {
		return fmt.Errorf("a row of %s: %w", t.name, err)
	}
	e.images++
	e.other = append(e.other, []any{e.source, r.group, t.name, e.images, string(text)})
	return nil
}
