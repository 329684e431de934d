package repair

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"

	"lcm-tui/data"
)

// edits are the rows that a draft changes, each once however many stages change it.
type edits struct {
	db    *data.DB
	byKey map[string]*data.Change
	order []string
}

func newEdits(db *data.DB) *edits { return &edits{db: db, byKey: map[string]*data.Change{}} }

// at is the edit of a row, which is as r tells so far as it's known.
func (e *edits) at(table string, r data.Row) *data.Change {
	key := e.db.Schema().Key(table)
	if len(key) == 0 {
		key = []string{"name"} // SQLite's own table of counters has no key.
	}
	return e.by(table, key, r)
}

// keyOf names a row by its key. Of a long value, which no host writes, a digest stands for it.
func keyOf(table string, key []string, r data.Row) string {
	const long = 256
	parts := []string{table}
	for _, k := range key {
		v := r[k]
		if text := word(v); len(text) > long {
			v = sha256.Sum256([]byte(text))
		}
		parts = append(parts, fmt.Sprintf("%T %v", v, v))
	}
	return strings.Join(parts, "\x00")
}

func (e *edits) by(table string, key []string, r data.Row) *data.Change {
	id := keyOf(table, key, r)
	c := e.byKey[id]
	if c == nil {
		c = &data.Change{Table: table, Key: key, Before: maps.Clone(r), After: maps.Clone(r)}
		e.byKey[id], e.order = c, append(e.order, id)
	}
	for k, v := range r { // What is known of the row now and wasn't before.
		if _, ok := c.Before[k]; !ok && c.Before != nil {
			c.Before[k] = v
			if c.After != nil {
				c.After[k] = v
			}
		}
	}
	return c
}

// set changes columns of a row. Columns that the table lacks are passed over.
func (e *edits) set(table string, r, columns data.Row) {
	c := e.at(table, r)
	if c.After == nil {
		return // It is deleted.
	}
	for k, v := range columns {
		if _, known := c.Before[k]; known || e.db.Schema().Has(table, k) && c.Before == nil {
			c.After[k] = v
		}
	}
}

// delete removes a row, given whole.
func (e *edits) delete(table string, r data.Row) { e.at(table, r).After = nil }

// insert adds a row.
func (e *edits) insert(table string, r data.Row) {
	c := e.at(table, r)
	if c.After == nil { // One that was deleted comes back.
		c.After = r
		return
	}
	c.Before, c.After = nil, r
}

// changes are all that make a difference.
func (e *edits) changes() (out []data.Change) {
	for _, id := range e.order {
		c := *e.byKey[id]
		if c.Before == nil && c.After == nil || c.Before != nil && c.After != nil && c.Before.Equal(c.After) {
			continue
		}
		out = append(out, c)
	}
	return out
}

// deleted reports whether a row goes.
func (e *edits) deleted(table string, key data.Row) bool {
	names := e.db.Schema().Key(table)
	c := e.byKey[keyOf(table, names, key)]
	return c != nil && c.After == nil
}
