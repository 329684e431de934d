package data

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strings"
	"sync"

	"modernc.org/sqlite"
	"modernc.org/sqlite/vtab"

	"lcm-tui/internal/parallel"
)

// PageCheck calls fn with every line that SQLite's own check of the file's pages,
// indexes, constraints and search tables has to say, at most so many, and with none
// where all is well. On a large file it takes many seconds.
//
// Half of that is for the search tables, so they are checked at the same time as all else.
// Both have a connection of their own: a search table remembers, for as long as a connection
// lasts, where its pieces are, and the check would call it damaged when others have
// written since.
func PageCheck(ctx context.Context, db *DB, most int, fn func(line string)) error {
	if err := db.needsFile("check the pages of"); err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var work parallel.Group
	var ofSearch []string
	var searchErr error
	work.Go(func() { ofSearch, searchErr = checkSearchTables(ctx, db, most) })
	lines, err := checkWithoutSearch(ctx, db, most)
	if err != nil {
		cancel()
	}
	work.Wait()
	if err == nil {
		lines, err = append(lines, ofSearch...), searchErr
	}
	for _, line := range lines[:min(most, len(lines))] {
		fn(line)
	}
	if err = db.Wrap("check the pages", err); errors.Is(err, ErrDamaged) {
		db.Warn(err)
		return nil
	}
	return err
}

// checkWithoutSearch checks everything but the search tables.
func checkWithoutSearch(ctx context.Context, db *DB, most int) ([]string, error) {
	pool := openPoolOf(pagesConnector(db.dsn(db.readerExtra)), nil, db.sameFile)
	defer pool.Close()
	return integrityCheck(ctx, pool, CellText(int64(most)), nil)
}

// checkSearchTables checks the search tables.
func checkSearchTables(ctx context.Context, db *DB, most int) (lines []string, err error) {
	pool, err := openPool(db.dsn(db.readerExtra), nil, db.sameFile)
	if err != nil {
		return nil, err
	}
	defer pool.Close()
	var tables []string
	const query = "SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%' ORDER BY name"
	err = EachRow(ctx, pool, query, nil, func(scan RowScanner) error {
		var name string
		err := scan(&name)
		tables = append(tables, name)
		return err
	})
	for _, table := range tables {
		if err == nil && len(lines) < most {
			lines, err = integrityCheck(ctx, pool, QuoteName(table), lines)
			lines, err = cannotOpen(db, table, lines, err)
		}
	}
	return lines, err
}

// cannotOpen adds a line about a search table that SQLite can't even open, because a table in which
// it keeps it is gone or empty: all others are checked nevertheless. One of another program may
// only need what this one lacks, so nothing is said about it.
func cannotOpen(db *DB, table string, lines []string, err error) ([]string, error) {
	if err == nil || !errors.Is(db.Wrap("check the pages", err), ErrRefused) {
		return lines, err
	}
	if IsSearchTable(table) {
		lines = append(lines, "unable to open the FTS5 table "+table+": "+err.Error())
	}
	return lines, nil
}

// integrityCheck adds what SQLite's check has to say of a table, or of everything where it gets the
// greatest number of lines.
func integrityCheck(ctx context.Context, pool *sql.DB, of string, lines []string) ([]string, error) {
	err := EachRow(ctx, pool, "PRAGMA main.integrity_check("+of+")", nil, func(scan RowScanner) error {
		var line Text
		err := scan(&line)
		if line != "ok" {
			lines = append(lines, string(line))
		}
		return err
	})
	return lines, err
}

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

// Violation is a row that refers to one that doesn't exist.
type Violation struct {
	Table, Parent string
	Conversation  int64    // Of the row, where it tells.
	Key           []string // The row's key.
}

// violationPlace is a row of PRAGMA foreign_key_check.
type violationPlace struct {
	Violation
	rowid Number
}

// violationPlaces runs PRAGMA foreign_key_check. It fails as a whole where one foreign key
// refers to a column that is no key; then it runs table by table, and what can't be checked
// becomes a warning.
func violationPlaces(ctx context.Context, db *DB) ([]violationPlace, error) {
	check := func(verb, argument string) ([]violationPlace, error) {
		return Collect(ctx, db, verb, "PRAGMA main.foreign_key_check"+argument, nil, func(scan RowScanner, p *violationPlace) error {
			return scan((*Word)(&p.Table), &p.rowid, (*Word)(&p.Parent), new(any))
		})
	}
	out, err := check("check references", "")
	if !errors.Is(err, ErrMismatch) {
		return out, err
	}
	out = nil
	for _, table := range db.Schema().Tables() {
		of, err := check("check references of "+table+" in", "("+QuoteName(table)+")")
		switch {
		case errors.Is(err, ErrMismatch):
			db.Warn(err)
		case err != nil:
			return out, err
		}
		out = append(out, of...)
	}
	return out, nil
}

// Violations lists the rows of the file whose foreign keys lead nowhere.
func Violations(ctx context.Context, db *DB) ([]Violation, error) {
	type key struct {
		table, parent string
		rowid         Number
	}
	seen := map[key]bool{}
	places, err := violationPlaces(ctx, db)
	out := make([]Violation, 0, len(places))
	for _, p := range places {
		k := key{p.Table, p.Parent, p.rowid}
		if seen[k] {
			continue // Another key of the row leads to the same table.
		}
		seen[k] = true
		if err == nil && p.rowid.Valid {
			err = identifyViolation(ctx, db, &p.Violation, p.rowid.Value)
		}
		out = append(out, p.Violation)
	}
	return out, err
}

// identifyViolation reads the key of a row and whom it belongs to.
func identifyViolation(ctx context.Context, q Querier, v *Violation, rowid int64) error {
	key := q.Schema().Key(v.Table)
	conv := q.Schema().Expr(v.Table, QuoteName(v.Table), "conversation_id", "0")
	query := "SELECT " + strings.Join(append(strings.Split(QuoteAll(key), ", "), conv), ", ") + " FROM " + QuoteName(v.Table) + " WHERE rowid = ?"
	if len(key) == 0 {
		return nil
	}
	vals := make([]any, len(key)+1)
	_, err := One(ctx, q, "read "+v.Table, query, []any{rowid}, Pointers(vals)...)
	for _, k := range vals[:len(key)] {
		v.Key = append(v.Key, CellText(k))
	}
	v.Conversation = CellInteger(vals[len(key)])
	return err
}

// LowCounters lists the tables whose counter for new ids is lower than their highest id:
// the counter and that id, by table.
func LowCounters(ctx context.Context, q Querier) (map[string][2]int64, error) {
	out := map[string][2]int64{}
	if !q.Schema().Has("sqlite_sequence", "name", "seq") {
		return out, nil
	}
	for table, key := range map[string]string{"messages": "message_id", "conversations": "conversation_id"} {
		if !q.Schema().Has(table, key) {
			continue
		}
		var seq, highest Integer
		ok, err := One(ctx, q, "read counters", "SELECT seq, (SELECT max("+key+") FROM "+table+") FROM sqlite_sequence WHERE name = ?", []any{table}, &seq, &highest)
		if err != nil {
			return nil, err
		}
		if ok && highest > seq {
			out[table] = [2]int64{int64(seq), int64(highest)}
		}
	}
	return out, nil
}
