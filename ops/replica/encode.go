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

	scratch []any
	odd     [][]any // Rows of odd_cells.
	other   [][]any // Rows of other_rows.
	images  int64   // How many rows of other_rows there are of this source and slice.
}

// The columns of the tables of what columns can't hold.
var (
	oddColumns   = []string{"source_id", "sync_group", "table_name", "row_key", "column_name", "class", "bytes"}
	otherColumns = []string{"source_id", "sync_group", "table_name", "row_number", "image"}
)

// row returns the values of a row for COPY. ok is false where its key can't be held: it is an image then.
func (e *encoder) row(t *tableShape, r *readRow) (values []any, ok bool, err error) {
	if !e.hasKey(t, r.cells) {
		return nil, false, e.image(t, r)
	}
	e.values = append(e.values[:0], e.source, r.group)
	for i := range t.described.Columns {
		var cell any
		at := t.cellAt[i]
		if at >= 0 {
			cell = r.cells[at]
		}
		var exact bool
		if e.values, exact = t.described.Columns[i].Append(e.values, cell); !exact {
			e.oddCell(t, r, t.columns[at], cell)
		}
	}
	for i := t.known; i < len(t.columns); i++ { // The server's table has no such column.
		if r.cells[i] != nil {
			e.oddCell(t, r, t.columns[i], r.cells[i])
		}
	}
	return e.values, true, nil
}

// hasKey reports whether the key of a row can be held exactly, and no cell of it is NULL.
func (e *encoder) hasKey(t *tableShape, cells []any) bool {
	if t.key == nil {
		return false
	}
	for _, i := range t.key {
		var exact bool
		if e.scratch, exact = t.keyColumn(i).Append(e.scratch[:0], cells[i]); !exact || cells[i] == nil {
			return false
		}
	}
	return true
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
func (e *encoder) oddCell(t *tableShape, r *readRow, column string, cell any) {
	class, content := postgres.EncodeOdd(cell)
	e.odd = append(e.odd, []any{e.source, r.group, t.name, rowKey(t, r.cells), column, class, content})
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
