package data

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net/url"
	"strconv"
	"strings"

	"lcm-tui/data/jstext"
)

// Connection is what a pool, a connection and a transaction share.
type Connection interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// RowScanner reads the present row of a query into these places.
type RowScanner func(dest ...any) error

// EachRow runs a query and calls fn with every row, on a pool, connection or transaction of the
// caller's own.
func EachRow(ctx context.Context, q Connection, query string, args []any, fn func(RowScanner) error) error {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := fn(rows.Scan); err != nil {
			if errors.Is(err, ErrEndRows) {
				return nil
			}
			return err
		}
	}
	return rows.Err()
}

// EachCells works as EachRow for many rows: cells come as the driver reads them, without what database/sql does for each. They are
// another row's after fn returns. fn must not use the transaction.
func (t *Tx) EachCells(ctx context.Context, query string, args []any, fn func(cells []driver.Value) error) error {
	named := make([]driver.NamedValue, len(args))
	for i, arg := range args {
		value, err := driver.DefaultParameterConverter.ConvertValue(arg)
		if err != nil {
			return err
		}
		named[i] = driver.NamedValue{Ordinal: i + 1, Value: value}
	}
	return t.Raw(func(conn any) (err error) {
		rows, err := conn.(driver.QueryerContext).QueryContext(ctx, query, named)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, rows.Close()) }()
		cells := make([]driver.Value, len(rows.Columns()))
		for {
			switch err := rows.Next(cells); {
			case errors.Is(err, io.EOF):
				return nil
			case err != nil:
				return err
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := fn(cells); errors.Is(err, ErrEndRows) {
				return nil
			} else if err != nil {
				return err
			}
		}
	})
}

// Collect reads the rows of a query. Of a damaged file it returns the rows that
// could be read, and warns, so that one bad page doesn't hide the rest.
func Collect[T any](ctx context.Context, q Querier, verb, query string, args []any, fn func(RowScanner, *T) error) ([]T, error) {
	var out []T
	err := Each(ctx, q, verb, query, args, func(scan RowScanner) error {
		var v T
		if err := fn(scan, &v); err != nil {
			return err
		}
		out = append(out, v)
		return nil
	})
	return out, err
}

// Querier reads the rows of one store. *DB reads a file; a store of another kind can be read by
// the packages above by having these methods.
type Querier interface {
	// Query runs a query and calls fn with every row. Where damage ends the reading early it warns,
	// and whole is false.
	Query(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) (whole bool, err error)
	// Schema says which tables and columns there are.
	Schema() *Schema
	// NotFound is the error for an id of no row: damage may hide the row.
	NotFound(what string, id any) error
}

// Each runs a query and calls fn with every row. It ends at damage as at the last row, and warns.
func Each(ctx context.Context, q Querier, verb, query string, args []any, fn func(RowScanner) error) error {
	_, err := q.Query(ctx, verb, query, args, fn)
	return err
}

// Query runs a query and calls fn with every row. It ends at damage as at the last row, and warns; it
// reports whether no damage kept it from that.
func (db *DB) Query(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) (whole bool, err error) {
	return db.queryOn(ctx, db.readers, verb, query, args, fn)
}

func (db *DB) queryOn(ctx context.Context, on Connection, verb, query string, args []any, fn func(RowScanner) error) (whole bool, err error) {
	err = db.Wrap(verb, EachRow(ctx, on, query, args, fn))
	if errors.Is(err, ErrDamaged) {
		db.warnRead(err)
		db.noteIncomplete(query)
		return false, nil
	}
	return err == nil, err
}

// QuerySnapshot calls fn with what reads one state of the file, in one transaction.
func (db *DB) QuerySnapshot(ctx context.Context, verb string, fn func(Querier) error) error {
	return db.Snapshot(ctx, verb, func(t *Tx) error { return fn(&snapshot{db, t}) })
}

// snapshot reads in a transaction.
type snapshot struct {
	*DB
	tx *Tx
}

// Query implements Querier.
func (s *snapshot) Query(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) (whole bool, err error) {
	return s.queryOn(ctx, s.tx, verb, query, args, fn)
}

// One reads a single row; ok is false when there is none.
func One(ctx context.Context, q Querier, verb, query string, args []any, dest ...any) (ok bool, err error) {
	err = Each(ctx, q, verb, query, args, func(scan RowScanner) error {
		ok = true
		if err := scan(dest...); err != nil {
			return err
		}
		return ErrEndRows
	})
	return ok, err
}

// ConversationArg returns the argument of a query about one conversation, or none for the file.
func ConversationArg(conv int64) []any {
	if conv == 0 {
		return nil
	}
	return []any{conv}
}

// Pointers returns the addresses of vals, to scan into.
func Pointers(vals []any) []any {
	out := make([]any, len(vals))
	for i := range vals {
		out[i] = &vals[i]
	}
	return out
}

// Marks returns n parameter marks.
func Marks(n int) string { return strings.TrimSuffix(strings.Repeat("?,", n), ",") }

// JsBlank returns an SQL condition that an expression is a text of nothing but what JavaScript
// takes for white space, or is NULL.
func JsBlank(expr string) string {
	return "trim(coalesce(" + expr + ", ''), char(" + jsSpaceCodes + ")) = ''"
}

// jsSpaceCodes are the code points of that white space.
var jsSpaceCodes = func() string {
	codes := []string{}
	for _, r := range jstext.Space {
		codes = append(codes, strconv.Itoa(int(r)))
	}
	return strings.Join(codes, ", ")
}()

// MaxArgs stays below the least number of parameters that any SQLite takes.
const MaxArgs = 900

// WhereSQL asks for a row with exactly these values. IS would do for NULL too, but
// search tables don't find a row by it without reading all.
func WhereSQL(r Row) (string, []any) {
	var conds []string
	var args []any
	for _, col := range r.Columns() {
		if r[col] == nil {
			conds = append(conds, QuoteName(col)+" IS NULL")
			continue
		}
		conds, args = append(conds, QuoteName(col)+" = ?"), append(args, Bound(r[col]))
	}
	return " WHERE " + strings.Join(conds, " AND "), args
}

// Bound returns a cell that was read as a value for a statement: the driver reads an empty BLOB as a slice that it
// would write as NULL.
func Bound(v any) any {
	if b, ok := v.([]byte); ok && b == nil {
		return []byte{}
	}
	return v
}

// QuoteName returns a name as an SQL identifier. Backticks, because SQLite takes a name in
// double quotes that it doesn't know for a string, and brackets hold no bracket.
func QuoteName(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// QuoteAll returns a list of names as SQL identifiers.
func QuoteAll(names []string) string {
	out := make([]string, 0, len(names))
	for _, n := range names {
		out = append(out, QuoteName(n))
	}
	return strings.Join(out, ", ")
}

// quoteText returns a text as an SQL literal.
func quoteText(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }

// AttachSQL returns the statement that makes the file at path readable on a connection, under a name.
func AttachSQL(path, name string) string {
	uri := FileURI(path, url.Values{"mode": {modeReadOnly}}.Encode())
	return "ATTACH " + quoteText(uri) + " AS " + QuoteName(name)
}
