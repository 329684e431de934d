package data

import (
	"context"
	"database/sql/driver"
	"sync"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vtab"
)

// pagesDriver opens connections that know no search tables: to these each is an empty one. SQLite's
// check of a file by such a connection covers all pages, also those of search tables, but doesn't
// compare their indexes with their texts.
var pagesDriver = sync.OnceValue(func() *sqlite.Driver {
	d := &sqlite.Driver{}
	if err := d.RegisterModule("fts5", emptyModule{}); err != nil {
		panic(err) // The driver has no modules yet.
	}
	return d
})

// pagesConnector connects to a file through the pagesDriver.
type pagesConnector string

// Connect implements driver.Connector.
func (c pagesConnector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return pagesDriver().Open(string(c))
}

// Driver implements driver.Connector.
func (pagesConnector) Driver() driver.Driver { return pagesDriver() }

// emptyModule is a module whose tables are empty. It implements vtab.Module.
type emptyModule struct{}

func (emptyModule) Create(ctx vtab.Context, args []string) (vtab.Table, error) {
	return emptyModule{}.Connect(ctx, args)
}

func (emptyModule) Connect(ctx vtab.Context, _ []string) (vtab.Table, error) {
	return emptyTable{}, ctx.Declare("CREATE TABLE empty(content)")
}

// emptyTable is a table that nobody reads. It implements vtab.Table.
type emptyTable struct{}

func (emptyTable) BestIndex(*vtab.IndexInfo) error { return nil }
func (emptyTable) Open() (vtab.Cursor, error)      { return nil, vtab.ErrNotImplemented }
func (emptyTable) Disconnect() error               { return nil }
func (emptyTable) Destroy() error                  { return nil }
