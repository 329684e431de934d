package space

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"lcm-tui/data"
)

// Measurement is what is known of the pages of a file and of the rows in its tables.
type Measurement struct {
	File
	Objects []Object
	// Rows are the rows of each table and the bytes of their texts, as RowBytes has them.
	// Those of a search table stand under its own name.
	Rows map[string]Amount
	// Conversations are the rows of each conversation by its id. Those of none stand under 0.
	Conversations Groups[int64]
	// Months are the rows by the month in which they, or the messages of parts, were made, such
	// as 2026-03.
	Months Groups[string]
	// Kinds are the rows by their kind.
	Kinds  Groups[Kind]
	Copies Copies
	// Estimated says that SQLite couldn't list pages, so that the bytes of rows stand for them.
	Estimated bool
	// Done and Total are how many pages were measured of how many. Every page is looked at
	// twice: as a page and for its rows.
	Done, Total int64
}

// Kind is the kind of a row: the role of a message, the type of a part, the kind of a summary.
// It is empty where a table has none.
type Kind struct{ Table, Name string }

// Amount is a number of rows, and the bytes of texts in them.
type Amount struct{ Rows, Bytes int64 }

// Add adds another amount.
func (a *Amount) Add(b Amount) { a.Rows, a.Bytes = a.Rows+b.Rows, a.Bytes+b.Bytes }

// Measure measures the objects of a file, and the rows of its tables. It only reads. It calls
// report whenever more is known; the measurement must not be kept after that call, because it
// goes on being filled. Of a file that a host writes to meanwhile, each object is measured at a
// moment of its own.
func Measure(ctx context.Context, db *data.DB, report func(*Measurement)) (*Measurement, error) {
	return measure(ctx, db, report, ReadPages)
}

// pagesReader reads the pages of an object, as ReadPages does.
type pagesReader func(ctx context.Context, db *data.DB, o *Object) error

func measure(ctx context.Context, db *data.DB, report func(*Measurement), pages pagesReader) (*Measurement, error) {
	m := &Measurement{
		Rows: map[string]Amount{}, Conversations: Groups[int64]{}, Months: Groups[string]{}, Kinds: Groups[Kind]{},
	}
	if r, ok := db.Replica(); ok {
		return m, m.measureServer(ctx, db, r, report)
	}
	var err error
	if m.File, err = ReadFile(ctx, db); err != nil {
		return nil, err
	}
	m.Total = 2 * (m.Pages - m.FreePages)
	if m.Objects, err = ListObjects(ctx, db); err != nil {
		return nil, err
	}
	if err := m.estimateRows(ctx, db); err != nil {
		return nil, err
	}
	m.estimatePages()
	report(m)
	if err := m.readPages(ctx, db, report, pages); err != nil {
		return nil, err
	}
	if err := m.readRows(ctx, db, report); err != nil {
		return nil, err
	}
	m.estimatePages() // Of rows that are all counted, where there are no pages.
	m.Done = m.Total
	return m, nil
}

// readPages reads the pages of all objects.
func (m *Measurement) readPages(ctx context.Context, db *data.DB, report func(*Measurement), pages pagesReader) error {
	for i := range m.Objects {
		o := &m.Objects[i]
		err := pages(ctx, db, o)
		if errors.Is(err, ErrNoPageTable) {
			m.Estimated = true
			return nil
		}
		if err != nil {
			return err
		}
		o.measured = true
		m.estimatePages()
		m.Done = min(m.Done+o.Pages(), m.Total)
		report(m)
	}
	return nil
}

// readRows reads the rows of all tables that can have many, and the indexes of search tables
// beside them.
func (m *Measurement) readRows(ctx context.Context, db *data.DB, report func(*Measurement)) error {
	group, groupCtx := errgroup.WithContext(ctx)
	indexes := m.searchIndexes()
	group.Go(func() error { return mergeAll(groupCtx, db, indexes, m.PageSize-m.Reserved) })
	err := m.readTables(groupCtx, db, report)
	if merging := group.Wait(); merging != nil && (err == nil || ctx.Err() == nil) {
		err = merging
	}
	if err == nil {
		m.packIndexes(indexes)
	}
	return err
}

func (m *Measurement) readTables(ctx context.Context, db *data.DB, report func(*Measurement)) error {
	for _, table := range db.Schema().Tables() {
		o := m.object(table)
		before := m.Done
		if !isIndexOfSearch(o) {
			err := m.readTable(ctx, db, table, func(rows int64) {
				m.Done = before + min(rows*o.Pages()/max(1, o.Rows()), o.Pages())
				report(m)
			})
			if err != nil {
				return err
			}
		}
		m.Done = min(before+o.Pages(), m.Total)
		report(m)
	}
	return nil
}

// object returns the table or index with a name, or nothing.
func (m *Measurement) object(name string) *Object {
	for i := range m.Objects {
		if m.Objects[i].Name == name {
			return &m.Objects[i]
		}
	}
	return &Object{Name: name, Table: name}
}

// ownerOf returns the search table whose content a table keeps, or the table itself.
func (m *Measurement) ownerOf(table string) string {
	if o := m.object(table); searchSuffix(o) == contentSuffix {
		return o.Table
	}
	return table
}

// contentSuffix ends the name of the table that has the texts of a search table.
const contentSuffix = "_content"

// indexSuffixes end the names of the tables that have the index of a search table: their rows
// belong to no conversation.
var indexSuffixes = []string{dataSuffix, wordsSuffix, "_docsize", "_config", "_segments", "_segdir", "_stat"}

// isIndexOfSearch reports whether an object is a part of the index of a search table.
func isIndexOfSearch(o *Object) bool { return slices.Contains(indexSuffixes, searchSuffix(o)) }

// searchSuffix returns what an object's name has beyond that of its search table, or empty.
func searchSuffix(o *Object) string {
	if o.Kind != Search {
		return ""
	}
	return o.Name[len(o.Table):]
}
