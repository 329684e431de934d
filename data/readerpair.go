package data

import (
	"context"
	"errors"
	"net/url"
	"os"
	"strings"
)

// OtherSchema is the name under which OpenPairReader attaches the other file. The database's own
// tables are in the schema main.
const OtherSchema = "other"

// pairCache is how many pages each file of a pair keeps in memory, as PRAGMA cache_size takes it:
// a join finds the row on the other side on pages that it has just read.
const pairCache = "-8192"

// OpenPairReader opens a Reader on db to which other is attached, read only. Each file is read in
// one transaction that begins here, so that a file which is being written is read as it is now.
// Execute makes temporary tables on it. It has to be closed before both databases.
func (db *DB) OpenPairReader(ctx context.Context, other *DB) (*Reader, error) {
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
	r := &Reader{db, pool}
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
func (db *DB) IsSameFile(other *DB) bool { return os.SameFile(db.opened, other.opened) }
