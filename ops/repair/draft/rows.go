package draft

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// Rows are the rows that change, each once however often it is changed.
type Rows struct {
	schema *data.Schema
	keys   map[string][]string // The columns of the keys of tables, as far as they were asked for.
	byKey  map[string]*change.Change
	order  []string
}

// NewRows returns no changes yet, in a file of a schema.
func NewRows(schema *data.Schema) *Rows {
	return &Rows{schema: schema, keys: map[string][]string{}, byKey: map[string]*change.Change{}}
}

// Set changes columns of a row, of which row holds the key and what is known of it. Columns
// that the table lacks, or that are not known, are passed over. A deleted row stays deleted.
func (r *Rows) Set(table string, row, columns data.Row) {
	c := r.change(table, row)
	if c.After == nil {
		return
	}
	for k, v := range columns {
		if _, known := c.Before[k]; known || r.schema.Has(table, k) && c.Before == nil {
			c.After[k] = v
		}
	}
}

// Delete removes a row, given whole.
func (r *Rows) Delete(table string, row data.Row) { r.change(table, row).After = nil }

// Insert adds a row. One that was deleted comes back as row.
func (r *Rows) Insert(table string, row data.Row) {
	c := r.change(table, row)
	if c.After == nil {
		c.After = row
		return
	}
	c.Before, c.After = nil, row
}

// Has reports whether a row, given by its key, is among the changes.
func (r *Rows) Has(table string, key data.Row) bool { return r.byKey[r.id(table, key)] != nil }

// IsDeleted reports whether a row, given by its key, is deleted.
func (r *Rows) IsDeleted(table string, key data.Row) bool {
	c := r.byKey[r.id(table, key)]
	return c != nil && c.After == nil
}

// Value returns a column of a row as it will be; row holds the key and what is known of it.
func (r *Rows) Value(table string, row data.Row, column string) any {
	return r.change(table, row).After[column]
}

// Changes returns all changes that make a difference, in the order in which rows were first named.
func (r *Rows) Changes() (out []change.Change) {
	for _, id := range r.order {
		c := *r.byKey[id]
		if c.Before == nil && c.After == nil || c.Before != nil && c.After != nil && c.Before.Equal(c.After) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// change returns the change of a row. What is known of the row now, and was not before, completes
// its images.
func (r *Rows) change(table string, row data.Row) *change.Change {
	id := r.id(table, row)
	c := r.byKey[id]
	if c == nil {
		c = &change.Change{Table: table, Key: r.key(table), Before: maps.Clone(row), After: maps.Clone(row)}
		r.byKey[id], r.order = c, append(r.order, id)
	}
	for k, v := range row {
		if _, ok := c.Before[k]; !ok && c.Before != nil {
			c.Before[k] = v
			if c.After != nil {
				c.After[k] = v
			}
		}
	}
	return c
}

// key returns the columns that name a row of a table.
func (r *Rows) key(table string) []string {
	key := r.keys[table]
	if key == nil {
		if key = r.schema.Key(table); len(key) == 0 {
			key = []string{"name"} // SQLite's own table of counters declares no key.
		}
		r.keys[table] = key
	}
	return key
}

// id names a row by its key. A digest stands for a long value, which no host writes.
func (r *Rows) id(table string, row data.Row) string {
	const long = 256
	parts := []string{table}
	for _, k := range r.key(table) {
		v := row[k]
		if text := Text(v); len(text) > long {
			v = sha256.Sum256([]byte(text))
		}
		parts = append(parts, fmt.Sprintf("%T %v", v, v))
	}
	return strings.Join(parts, "\x00")
}

// Number returns a cell as a number; 0 where it is none.
func Number(cell any) int64 {
	n, _ := cell.(int64)
	return n
}

// Text returns a cell as text, also one that is stored as bytes; empty where it is neither.
func Text(cell any) string {
	switch v := cell.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// sortedKeys returns the keys of a map in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
