package columntexts

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"lcm-tui/data"
	"lcm-tui/internal/parallel"
)

// Cell is the place of a text.
type Cell struct {
	Table  *Table
	Column string
	Key    []any // The values of the table's key.
}

// KeyText returns the key of the row in words, as one text.
func (c Cell) KeyText() string {
	parts := make([]string, 0, len(c.Key))
	for _, k := range c.Key {
		if b, is := k.([]byte); is {
			k = string(b)
		}
		parts = append(parts, fmt.Sprint(k))
	}
	return strings.Join(parts, "/")
}

// Visitor gets texts. Part is the number of a part of the file: parts are visited at the same
// time, the texts of one part in the order of the file.
type Visitor interface {
	Visit(part int, cell Cell, text string)
}

// part is some rows of a table.
type part struct {
	table    *Table
	from, to int64 // The numbers of its rows, where they have numbers.
}

const (
	readers      = 2      // As many connections read at the same time.
	partsOfTable = 96     // Into so many parts a large table is divided.
	minPart      = 1_000  // Row numbers.
	maxPart      = 25_000 // Row numbers, as long as there aren't too many parts.
	maxParts     = 4_096  // Of a table: damage and other writers may leave rows with huge numbers.
)

// Parts are the parts into which a visit divides the file, in its order.
type Parts struct {
	db   *data.DB
	list []part
}

// Divide divides the tables of a file into parts.
func Divide(ctx context.Context, db *data.DB, tables []*Table) (*Parts, error) {
	p := &Parts{db: db}
	for _, t := range tables {
		if !t.HasNumbers() {
			p.list = append(p.list, part{table: t})
			continue
		}
		var low, high *int64
		query := "SELECT min(rowid), max(rowid) FROM " + quote(t.Name)
		if err := db.EachRow(ctx, "read "+t.Name, query, nil, func(scan data.RowScanner) error { return scan(&low, &high) }); err != nil {
			return nil, err
		}
		if low == nil || high == nil {
			continue
		}
		p.divide(t, *low, *high)
	}
	return p, nil
}

// divide divides the rows of a table with numbers from low to high.
func (p *Parts) divide(t *Table, low, high int64) {
	span := uint64(high) - uint64(low) // It may be larger than an int64.
	step := max(min(max(span/partsOfTable, minPart), maxPart), span/maxParts)
	for left := span; left >= step; left -= step {
		p.list = append(p.list, part{t, low, low + int64(step-1)})
		low += int64(step)
	}
	p.list = append(p.list, part{t, low, high})
}

// Len returns how many parts there are.
func (p *Parts) Len() int { return len(p.list) }

// Visit visits the texts of all parts, on two connections at the same time. A host may write
// meanwhile.
func (p *Parts) Visit(ctx context.Context, v Visitor, note string, report data.Report) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int64
	var telling sync.Mutex
	var work parallel.Group
	for range readers {
		work.Go(func() {
			r, err := p.db.OpenReader(ctx)
			if err != nil {
				cancel(err)
				return
			}
			defer r.Close()
			for {
				i := int(next.Add(1) - 1)
				if i >= len(p.list) || ctx.Err() != nil {
					return
				}
				if err := p.list[i].visit(ctx, r, i, v); err != nil {
					cancel(err)
					return
				}
				telling.Lock()
				report(int(done.Add(1)), len(p.list), note)
				telling.Unlock()
			}
		})
	}
	work.Wait()
	return context.Cause(ctx)
}

// visit visits the texts of one part.
func (p part) visit(ctx context.Context, r *data.Reader, number int, v Visitor) error {
	t := p.table
	query, args := t.selectSQL(), []any(nil)
	if t.HasNumbers() {
		query += " WHERE rowid BETWEEN ? AND ?"
		args = []any{p.from, p.to}
	}
	if len(t.order) > 0 {
		query += " ORDER BY " + data.QuoteAll(t.order)
	}
	values := make([]any, len(t.Key)+len(t.Columns))
	dest := make([]any, len(values))
	for i := range values {
		dest[i] = &values[i]
	}
	return r.EachRow(ctx, "read "+t.Name, query, args, func(scan data.RowScanner) error {
		if err := scan(dest...); err != nil {
			return err
		}
		for i, column := range t.Columns {
			if text, is := textOf(values[len(t.Key)+i]); is {
				// The key is shared by the cells of the row: who keeps it copies it.
				v.Visit(number, Cell{t, column, values[:len(t.Key)]}, text)
			}
		}
		return nil
	})
}

// selectSQL selects the key and the columns with texts. The plus keeps the driver from reading a
// text as the time that the column was declared for.
func (t *Table) selectSQL() string {
	names := make([]string, 0, len(t.Key)+len(t.Columns))
	for _, k := range t.Key {
		names = append(names, quoteKey(k))
	}
	for _, c := range t.Columns {
		names = append(names, "+"+quote(c))
	}
	return "SELECT " + strings.Join(names, ", ") + " FROM " + quote(t.Name)
}

// textOf returns the text of a value, and false for a number or NULL.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, v != ""
	case []byte:
		return string(v), len(v) > 0
	}
	return "", false
}
