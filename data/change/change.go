package change

import (
	"slices"
	"strings"

	"lcm-tui/data"
)

// Change is one row before and after. A nil Before inserts, a nil After deletes,
// both update in place. Both are whole rows as far as the plan saw them, so that
// any difference in the file is noticed.
type Change struct {
	Table  string   `json:"table"`
	Key    []string `json:"key"` // The columns that name the row.
	Before data.Row `json:"before"`
	After  data.Row `json:"after"`
}

// Label names the changed row for people.
func (c Change) Label() string { return data.Label(c.Table, c.Key, c.row()) }

// IsUnchanged reports whether the row is the same before and after. Such a change says that the
// row stood beside one that changed.
func (c Change) IsUnchanged() bool {
	return (c.Before == nil) == (c.After == nil) && c.Before.Equal(c.After)
}

// row returns whichever image there is, the one before first.
func (c Change) row() data.Row {
	if c.Before != nil {
		return c.Before
	}
	return c.After
}

// Invert gives the changes that undo cs, last first.
func Invert(cs []Change) []Change {
	out := make([]Change, 0, len(cs))
	for i := len(cs) - 1; i >= 0; i-- {
		c := cs[i]
		c.Before, c.After = c.After, c.Before
		out = append(out, c)
	}
	return out
}

// Guard says how many rows of a table have these values. It sees what row images
// can't: rows that came since the plan was made.
type Guard struct {
	Table string   `json:"table"`
	Where data.Row `json:"where"`
	// UpTo leaves out rows in which one of these columns has more: they were appended,
	// which is no reason to refuse a change of what stands before.
	UpTo  data.Row `json:"up_to,omitempty"`
	Count int64    `json:"count"`
	// Digest tells the same number of other items of a context apart.
	Digest string `json:"digest,omitempty"`
}

func stale(c Change, got data.Row) error {
	e := &data.StaleError{What: c.Label(), Why: "is not what it was"}
	switch {
	case got == nil:
		e.Why = "is gone"
	case c.Before == nil:
		e.Why = "exists already"
	default:
		for _, col := range c.Before.Columns() {
			if !data.SameValue(got[col], c.Before[col]) {
				e.Why = "has another " + col + " now"
				break
			}
		}
	}
	return e
}

// statement builds the SQL that makes the change; ok is false when this isn't
// the kind of change asked for.
type statement func(c Change) (query string, args []any, ok bool)

func deleteSQL(c Change) (string, []any, bool) {
	if c.Before == nil || c.After != nil {
		return "", nil, false
	}
	where, args := data.WhereSQL(c.Before.Pick(c.Key))
	return "DELETE FROM " + data.QuoteName(c.Table) + where, args, true
}

func updateSQL(c Change) (string, []any, bool) {
	if c.Before == nil || c.After == nil {
		return "", nil, false
	}
	var sets []string
	var args []any
	for _, col := range c.After.Columns() {
		if old, ok := c.Before[col]; !ok || !data.SameValue(old, c.After[col]) {
			sets, args = append(sets, data.QuoteName(col)+" = ?"), append(args, data.Bound(c.After[col]))
		}
	}
	if len(sets) == 0 {
		return "", nil, false
	}
	where, keys := data.WhereSQL(c.Before.Pick(c.Key))
	return "UPDATE " + data.QuoteName(c.Table) + " SET " + strings.Join(sets, ", ") + where, append(args, keys...), true
}

func insertSQL(table string, r data.Row) (string, []any) {
	cols := r.Columns()
	args := make([]any, 0, len(cols))
	for _, col := range cols {
		args = append(args, data.Bound(r[col]))
	}
	return intoSQL(table, cols), args
}

// intoSQL inserts a row of these columns.
func intoSQL(table string, cols []string) string {
	return "INSERT INTO " + data.QuoteName(table) + " (" + data.QuoteAll(cols) + ") VALUES (" + data.Marks(len(cols)) + ")"
}

// Insert returns the change that adds a row.
func Insert(db *data.DB, table string, r data.Row) Change {
	return Change{Table: table, Key: db.Schema().Key(table), After: r}
}

// Update returns the change of some columns of a row, given whole.
func Update(db *data.DB, table string, r, columns data.Row) Change {
	after := make(data.Row, len(r))
	for k, v := range r {
		after[k] = v
	}
	for k, v := range columns {
		if db.Schema().Has(table, k) {
			after[k] = v
		}
	}
	return Change{Table: table, Key: db.Schema().Key(table), Before: r, After: after}
}

// Delete returns the change that removes a row, given whole.
func Delete(db *data.DB, table string, r data.Row) Change {
	return Change{Table: table, Key: slices.Clone(db.Schema().Key(table)), Before: r}
}
