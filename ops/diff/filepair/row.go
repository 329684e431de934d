package filepair

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data"
)

// Change says how a row differs.
type Change string

// The changes.
const (
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
)

// Row is a row that differs.
type Row struct {
	Table  string   `json:"table"`
	Key    []string `json:"key"` // The columns that name the row.
	Change Change   `json:"change"`
	Mark   Mark     `json:"mark,omitempty"`
	// Columns are those that differ in a changed row.
	Columns []string `json:"columns,omitempty"`
	// Before and After have the columns that the row's file has in the table; nil where there is no
	// row. Of a changed row they have those that differ, and those by which people know it.
	Before data.Row `json:"before"`
	After  data.Row `json:"after"`
	// Clipped are columns of which only the beginning is here.
	Clipped []string `json:"clipped,omitempty"`
}

// Value returns a cell of the row, of the second file if it is there.
func (r *Row) Value(column string) any {
	if r.After != nil {
		return r.After[column]
	}
	return r.Before[column]
}

// Limits says how much of what differs is read.
type Limits struct {
	Rows  int // How many rows of a change; 0 is all.
	Bytes int // How many bytes of a text, about; 0 is all.
}

// EachRow calls fn with the rows of a table that differ in one conversation, or in all for the zero
// key: removed and changed ones in the order of their keys, then those that were added.
func (p *Pair) EachRow(ctx context.Context, t Table, of ConversationKey, l Limits, fn func(*Row) error) error {
	if err := p.match(ctx, of); err != nil {
		return err
	}
	for _, c := range []Change{Removed, Changed, Added} {
		if err := p.tolerate(p.eachRow(ctx, t, of, c, l, fn), t.Name, of); err != nil {
			return err
		}
	}
	return nil
}

// eachRow works as EachRow for one kind of change.
func (p *Pair) eachRow(ctx context.Context, t Table, of ConversationKey, change Change, l Limits, fn func(*Row) error) error {
	s, join := Before, " JOIN "
	if change == Added {
		s = After
	}
	where, args := t.where(s, of)
	columns := [2][]string{}
	mark, differing := "NULL", "0"
	switch change {
	case Changed:
		columns = [2][]string{p.columns(t, Before), p.columns(t, After)}
		mark, differing = t.markExpression(), p.differing(t)
		where += " AND (" + p.differs(t) + ")"
		join += t.from(After) + " ON " + p.join(t, Before)
	default:
		columns[s] = p.columns(t, s)
		where += " AND NOT EXISTS (SELECT 1 FROM " + t.from(s.other()) + " WHERE " + p.join(t, s) + ")"
		join = ""
	}
	selected := []string{mark, differing}
	for _, side := range []Side{Before, After} {
		for _, c := range columns[side] {
			selected = append(selected, clipped(quoted(side.alias(), c), l.Bytes))
		}
	}
	query := "SELECT " + strings.Join(selected, ", ") + " FROM " + t.from(s) + join + " WHERE " + where + " ORDER BY " + t.order(s)
	if l.Rows > 0 {
		query += " LIMIT " + strconv.Itoa(l.Rows)
	}
	return p.each(ctx, "compare "+t.Name, query, args, func(scan data.RowScanner) error {
		r, err := t.scan(scan, columns, l.Bytes)
		if err != nil {
			return err
		}
		r.Change = change
		return fn(r)
	})
}

// columns returns the columns of a table that a file has.
func (p *Pair) columns(t Table, s Side) []string { return p.sides[s].Schema().Columns(t.Name) }

// order returns the order in which rows are read: messages as they stand in the conversation.
func (t Table) order(s Side) string {
	var out []string
	for _, k := range t.Key {
		out = append(out, quoted(s.alias(), k))
	}
	return strings.Join(out, ", ")
}

// differing returns a number with a bit for each compared column that differs, the first being 1.
func (p *Pair) differing(t Table) string {
	out := []string{"0"}
	for i, c := range t.Columns[:min(len(t.Columns), maxBits)] {
		out = append(out, "((NOT "+p.same(c)+") << "+strconv.Itoa(i)+")")
	}
	return strings.Join(out, " | ")
}

// maxBits is how many columns have a bit.
const maxBits = 62

// clipped returns a cell of which no more is read than so many characters.
func clipped(cell string, limit int) string {
	if limit == 0 {
		return cell
	}
	n := strconv.Itoa(limit)
	return "CASE WHEN octet_length(" + cell + ") > " + n + " THEN substr(" + cell + ", 1, " + n + ") ELSE " + cell + " END"
}

// scan reads the present row.
func (t Table) scan(scan data.RowScanner, columns [2][]string, limit int) (*Row, error) {
	cells := make([]any, 2+len(columns[0])+len(columns[1]))
	places := make([]any, len(cells))
	for i := range cells {
		places[i] = &cells[i]
	}
	if err := scan(places...); err != nil {
		return nil, err
	}
	r := &Row{Table: t.Name, Key: t.Key}
	if cells[0] != nil {
		r.Mark = Marks[data.CellInteger(cells[0])]
	}
	bits := data.CellInteger(cells[1])
	for i, c := range t.Columns {
		if i < maxBits && bits&(1<<i) != 0 {
			r.Columns = append(r.Columns, c)
		}
	}
	at := 2
	for s, names := range columns {
		if len(names) == 0 {
			continue
		}
		row := make(data.Row, len(names))
		for _, c := range names {
			row[c] = cells[at]
			if text, ok := cells[at].(string); ok && limit > 0 && len(text) >= limit {
				r.Clipped = append(r.Clipped, c)
			}
			at++
		}
		if Side(s) == Before {
			r.Before = row
		} else {
			r.After = row
		}
	}
	if len(t.Columns) <= maxBits {
		r.trim(t)
	}
	return r, nil
}

// knownBy are columns by which people know a row.
var knownBy = words("seq role kind depth ordinal part_type tool_name file_name status item_type")

// trim leaves out of a changed row what is equal.
func (r *Row) trim(t Table) {
	if r.Before == nil || r.After == nil {
		return
	}
	for _, row := range []data.Row{r.Before, r.After} {
		for c := range row {
			if !slices.Contains(t.Key, c) && !slices.Contains(knownBy, c) && !slices.Contains(r.Columns, c) {
				delete(row, c)
			}
		}
	}
	r.Clipped = slices.DeleteFunc(r.Clipped, func(c string) bool { return !slices.Contains(r.Columns, c) })
	r.Clipped = slices.Compact(r.Clipped)
}
