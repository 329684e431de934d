package space

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data"
)

// estimateRows looks at a few rows of every table, so that something is known at once of a file
// of any size.
func (m *Measurement) estimateRows(ctx context.Context, db *data.DB) error {
	for _, table := range db.Schema().Tables() {
		o := m.object(table)
		if isIndexOfSearch(o) || !db.Schema().HasRowIDs(table) {
			continue
		}
		a, err := sampleRows(ctx, db, table)
		if err != nil {
			return err
		}
		m.Rows[m.ownerOf(table)] = a
	}
	return nil
}

// sampleSize is how many rows of a table are looked at.
const sampleSize = 48

// sampleRows estimates the rows of a table and their bytes from rows at equal distances.
func sampleRows(ctx context.Context, db *data.DB, table string) (a Amount, err error) {
	name := data.QuoteName(table)
	var first, last data.Integer
	query := "SELECT (SELECT min(rowid) FROM main." + name + "), (SELECT max(rowid) FROM main." + name + ")"
	err = db.EachRow(ctx, "measure "+table+" of", query, nil, func(scan data.RowScanner) error { return scan(&first, &last) })
	if err != nil || last == 0 && first == 0 {
		return a, err
	}
	span := max(1, int64(last)-int64(first)+1)
	var ids []string
	for i := range min(span, sampleSize) {
		ids = append(ids, fmt.Sprint(int64(first)+i*(span/min(span, sampleSize))))
	}
	query = "SELECT count(*), ifnull(sum(" + RowBytes(db.Schema(), table, "t") + "), 0) FROM main." + name + " t WHERE t.rowid IN (" + strings.Join(ids, ", ") + ")"
	err = db.EachRow(ctx, "measure "+table+" of", query, nil, func(scan data.RowScanner) error { return scan(&a.Rows, &a.Bytes) })
	times := float64(span) / float64(len(ids))
	return Amount{int64(float64(a.Rows) * times), int64(float64(a.Bytes) * times)}, err
}

// estimatePages shares the pages that aren't measured among the objects that aren't, by what
// their rows would take.
func (m *Measurement) estimatePages() {
	left := m.Pages - m.FreePages
	weights, total := make([]float64, len(m.Objects)), 0.0
	for i := range m.Objects {
		o := &m.Objects[i]
		if o.measured {
			left -= o.Pages()
			continue
		}
		weights[i] = m.weight(o)
		total += weights[i]
	}
	for i := range m.Objects {
		if o := &m.Objects[i]; !o.measured {
			o.Internal, o.Overflow = Pages{}, Pages{}
			o.Leaf = Pages{Count: max(1, int64(float64(max(0, left))*weights[i]/max(1, total)))}
		}
	}
}

// The bytes that a row takes beside its texts, and those of its entry in an index, in usual
// files; and how large the index of a search table is for each byte of text.
const (
	rowBytes        = 30
	entryBytes      = 20
	searchShare     = 0.35
	trigramShare    = 3.5
	documentBytes   = 6
	trigramTextName = "cjk"
)

// weight returns about how many bytes an object takes.
func (m *Measurement) weight(o *Object) float64 {
	a := m.Rows[o.Table]
	switch suffix := searchSuffix(o); {
	case o.Kind == Index:
		return float64(a.Rows * entryBytes)
	case suffix == dataSuffix && strings.Contains(o.Table, trigramTextName):
		return float64(a.Bytes) * trigramShare
	case suffix == dataSuffix:
		return float64(a.Bytes) * searchShare
	case suffix == "_docsize":
		return float64(a.Rows * documentBytes)
	case isIndexOfSearch(o):
		return 0
	}
	return float64(a.Bytes + a.Rows*rowBytes)
}
