package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"slices"
	"strings"
)

// ErrEndRows is what the function that EachRow calls returns: it ends the reading without an error.
var ErrEndRows = errors.New("stop")

// EachRow runs a query of a package below data, and calls fn with every row. Damage of the
// file is an error here, so that the caller can look for the rows in another way. A context
// that ends interrupts SQLite until the first row, and is seen between rows.
func (db *DB) EachRow(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) error {
	if strings.HasPrefix(query, "PRAGMA ") { // That is about the file.
		if err := db.needsFile(verb); err != nil {
			return err
		}
	}
	return db.Wrap(verb, EachRow(ctx, db.readers, query, args, fn))
}

// Reader is one more connection for reading, with temporary tables of its own in memory, such
// as the vocabulary of a search table. A long statement on it keeps nobody else waiting. It has
// to be closed before the database.
type Reader struct {
	db   *DB
	pool *sql.DB
	// isShared says that the pool is that of the database: statements don't keep others waiting at a home.
	isShared bool
}

// OpenReader opens a connection that runs these statements first: they may make temporary
// tables and nothing else.
func (db *DB) OpenReader(ctx context.Context, statements ...string) (*Reader, error) {
	if db.IsHome() && len(statements) == 0 {
		return &Reader{db: db, pool: db.readers, isShared: true}, nil
	}
	if err := db.needsFile("read the pages of"); err != nil {
		return nil, err
	}
	first := append([]string{"PRAGMA temp_store = MEMORY"}, db.schema.standInViews()...)
	pool, err := openPool(db.dsn(db.readerExtra), slices.Concat(first, statements), db.sameFile)
	if err != nil {
		return nil, db.Wrap("open", err)
	}
	pool.SetMaxOpenConns(1)
	if err := pool.PingContext(ctx); err != nil {
		return nil, errors.Join(db.Wrap("open", err), pool.Close())
	}
	return &Reader{db: db, pool: pool}, nil
}

// EachRow works as DB.EachRow on this connection.
func (r *Reader) EachRow(ctx context.Context, verb, query string, args []any, fn func(RowScanner) error) error {
	return r.db.Wrap(verb, EachRow(ctx, r.pool, query, args, fn))
}

// Close closes the connection.
func (r *Reader) Close() error {
	if r.isShared {
		return nil
	}
	return r.pool.Close()
}

// OtherSchema is the name under which OpenPairReader attaches the other file. The database's own
// tables are in the schema main.
const OtherSchema = "other"

// pairCache is how many pages each file of a pair keeps in memory, as PRAGMA cache_size takes it:
// a join finds the row on the other side on pages that it has just read.
const pairCache = "-8192"

// OpenPairReader opens a Reader on db to which other is attached, read only. Each file is read in
// one transaction that begins here, so that a file which is being written is read as it is now.
// Execute makes temporary tables on it. It has to be closed before both databases.
func OpenPairReader(ctx context.Context, db, other *DB) (*Reader, error) {
	if err := errors.Join(db.needsFile("compare the rows of"), other.needsFile("compare the rows of")); err != nil {
		return nil, err
	}
	if own := db.schema.encoding; own != other.schema.encoding {
		return nil, &Error{
			Path: other.path, Verb: "compare", Kind: fmt.Errorf("its texts are stored in %s and those of %s in %s, %w", other.schema.encoding, db.path, own, ErrEncodings),
			hint: "compare it with a copy in the same encoding: sqlite3 FILE .dump | sqlite3 COPY makes one in UTF-8",
		}
	}
	name := FileURI(other.file, url.Values{"mode": {modeReadOnly}, "immutable": other.readerExtra["immutable"]}.Encode())
	statements := []string{"PRAGMA temp_store = MEMORY", "ATTACH '" + strings.ReplaceAll(name, "'", "''") + "' AS " + OtherSchema}
	for _, schema := range []string{"main", OtherSchema} {
		statements = append(statements, "PRAGMA "+schema+".cache_size = "+pairCache)
	}
	more := db.readerExtra
	if pragmas := other.readerExtra["_pragma"]; len(pragmas) > 0 { // It is damaged: SQLite reads it only with these.
		more = url.Values{"immutable": db.readerExtra["immutable"], "_pragma": pragmas}
	}
	allowed := func() error { return errors.Join(db.sameFile(), other.sameFile()) }
	pool, err := openPool(db.dsn(more), statements, allowed)
	if err != nil {
		return nil, db.Wrap("open", err)
	}
	pool.SetMaxOpenConns(1)
	r := &Reader{db: db, pool: pool}
	// Both files are opened with mode=ro, so temporary tables are all that can be written.
	for _, s := range []string{"PRAGMA query_only = 0", "BEGIN"} {
		if err := r.Execute(ctx, "open", s); err != nil {
			return nil, errors.Join(err, r.Close())
		}
	}
	for _, of := range []*DB{db, other} {
		schema := "main"
		if of == other {
			schema = OtherSchema
		}
		begin := EachRow(ctx, pool, "SELECT count(*) FROM "+schema+".sqlite_master", nil, func(scan RowScanner) error { return scan(new(int64)) })
		if begin != nil {
			return nil, errors.Join(of.Wrap("open", begin), r.Close())
		}
	}
	return r, nil
}

// Execute runs a statement that changes temporary tables and nothing else.
func (r *Reader) Execute(ctx context.Context, verb, statement string, args ...any) error {
	_, err := r.pool.ExecContext(ctx, statement, args...)
	return r.db.Wrap(verb, err)
}

// IsSameFile reports whether both handles have one file open.
func (db *DB) IsSameFile(other *DB) bool {
	if db.replica != nil || other.replica != nil {
		return db.replica != nil && other.replica != nil && db.path == other.path
	}
	return os.SameFile(db.opened, other.opened)
}
