package transplant

import (
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/ops"
)

// rowWriter adds rows to the plan, as the target's database can hold them.
type rowWriter struct {
	db             *data.DB
	plan           *ops.Plan
	missingColumns map[string]bool // Columns that the database lacks.
}

// fit returns a row with the columns that the target's database has. The names of the others
// are kept for a warning.
func (w *rowWriter) fit(table string, r data.Row) data.Row {
	fit, missing := data.FitRow(w.db, table, r)
	for _, c := range missing {
		w.missingColumns[table+"."+c] = true
	}
	return fit
}

// fill gives a column a value where the original has none.
func (w *rowWriter) fill(table string, r data.Row, column string, value any) {
	if r[column] == nil && w.db.Schema().Has(table, column) {
		r[column] = value
	}
}

// oneOf returns v if it is one of the words that the format has, else instead.
func oneOf(v any, instead string, words ...string) string {
	if s := data.CellText(v); slices.Contains(words, s) {
		return s
	}
	return instead
}

// insert adds a row to the plan.
func (w *rowWriter) insert(table string, r data.Row) {
	w.plan.Changes = append(w.plan.Changes, change.Insert(w.db, table, r))
}
