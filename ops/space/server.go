package space

import (
	"context"
	"maps"
	"slices"

	"lcm-tui/data"
)

// serverPage is the size of a page of PostgreSQL, as it is usually built.
const serverPage = 8192

// serverPages returns how many pages have room for so many bytes.
func serverPages(bytes int64) int64 { return (bytes + serverPage - 1) / serverPage }

// measureServer measures a home or a replica as measure does a file.
func (m *Measurement) measureServer(ctx context.Context, db *data.DB, r *data.Replica, report func(*Measurement)) error {
	if err := m.listServer(ctx, db, r); err != nil {
		return err
	}
	report(m)
	if err := m.readTables(ctx, db, report); err != nil {
		return err
	}
	m.estimatePages()
	m.Done = m.Total
	return nil
}

// listServer lists the tables of a home or a replica. There are no pages that could be looked at. The server knows how large the
// tables of a home are; those of a replica have the rows of many databases, so that the bytes of rows stand for their pages.
func (m *Measurement) listServer(ctx context.Context, db *data.DB, r *data.Replica) error {
	m.File = File{Path: db.Path(), PageSize: serverPage, IsServer: true}
	if r.Home == nil {
		m.Estimated, m.Bytes, m.Pages = true, r.Bytes, serverPages(r.Bytes)
		for _, table := range db.Schema().Tables() {
			m.Objects = append(m.Objects, Object{Name: table, Table: table, Kind: Table})
		}
		m.Total = m.Pages
		return nil
	}
	sizes, err := r.Home.Sizes(ctx)
	if err != nil {
		return err
	}
	for _, table := range slices.Sorted(maps.Keys(sizes)) {
		pages := serverPages(sizes[table].Bytes)
		m.Rows[table] = Amount{Rows: sizes[table].Rows}
		m.Objects = append(m.Objects, Object{Name: table, Table: table, Kind: Table, Leaf: Pages{Count: pages}, measured: true})
		m.Bytes, m.Pages = m.Bytes+sizes[table].Bytes, m.Pages+pages
	}
	m.Total = m.Pages
	return nil
}
