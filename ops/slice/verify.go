package slice

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"lcm-tui/data"
)

// ErrUnverified says that the new file doesn't hold what the source holds.
var ErrUnverified = errors.New("the new file doesn't hold the rows of the database")

// Digest returns the SHA-256 of the rows that a query answers with: of the type, the length and the
// bytes of every cell.
func Digest(ctx context.Context, conn *sql.Conn, query string) (digest string, rows int64, err error) {
	found, err := conn.QueryContext(ctx, query)
	if err != nil {
		return "", 0, err
	}
	defer found.Close()
	names, err := found.Columns()
	if err != nil {
		return "", 0, err
	}
	cells, places := make([]any, len(names)), make([]any, len(names))
	for i := range cells {
		places[i] = &cells[i]
	}
	h := sha256.New()
	var head []byte
	for found.Next() {
		if err := found.Scan(places...); err != nil {
			return "", 0, err
		}
		rows++
		for _, c := range cells {
			text, kind := data.CellText(c), byte('t')
			switch c.(type) {
			case nil:
				kind = 'n'
			case int64:
				kind = 'i'
			case float64:
				kind = 'f'
			case []byte:
				kind = 'b'
			}
			head = binary.AppendUvarint(append(head[:0], kind), uint64(len(text)))
			_, _ = h.Write(head) // A hash takes everything.
			_, _ = h.Write([]byte(text))
		}
	}
	return hex.EncodeToString(h.Sum(nil)), rows, found.Err()
}

// ordered returns the query for the rows of a table of the new file, in the order of their names.
func (t table) ordered() string {
	return "SELECT " + list("m.", t.copied()) + " FROM main." + data.QuoteName(t.name) + " m ORDER BY " + list("m.", t.order)
}

// sourceDigest returns the digest of the rows of the source that have the names of the copied ones.
func (w *writer) sourceDigest(ctx context.Context, t table) (string, error) {
	var on []string
	for _, c := range t.order {
		on = append(on, "s."+data.QuoteName(c)+t.same()+"m."+data.QuoteName(c))
	}
	name := data.QuoteName(t.name)
	digest, _, err := Digest(ctx, w.Conn, "SELECT "+list("s.", t.copied())+" FROM main."+name+" m CROSS JOIN source."+name+" s ON "+strings.Join(on, " AND ")+" ORDER BY "+list("m.", t.order))
	return digest, err
}

// same compares the names of rows. Only where all columns are the name may they be NULL.
func (t table) same() string {
	if len(t.order) == len(t.columns) {
		return " IS "
	}
	return " = "
}

// finish writes the new file to the disk, and verifies what it reads from there.
func finish(ctx context.Context, part string, out *Result, tables []table, report data.Report) error {
	report(0, 0, "writing to the disk")
	if err := data.SyncFile(part); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", data.FileURI(part, "mode=ro&immutable=1"))
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	report(0, 0, "verifying the new file")
	for _, t := range tables {
		digest, n, err := Digest(ctx, conn, t.ordered())
		if err != nil {
			return err
		}
		if digest != out.Digests[t.name] || n != out.Tables[t.name] {
			return fmt.Errorf("%w: the rows of %s differ", ErrUnverified, t.name)
		}
	}
	return out.check(ctx, conn)
}

// check runs SQLite's own checks on the new file.
func (r *Result) check(ctx context.Context, conn *sql.Conn) error {
	var lines []string
	err := data.EachRow(ctx, conn, "PRAGMA integrity_check(5)", nil, func(scan data.RowScanner) error {
		var line data.Text
		err := scan(&line)
		if line != "ok" {
			lines = append(lines, string(line))
		}
		return err
	})
	if err == nil && len(lines) > 0 {
		err = fmt.Errorf("%w: %s", ErrUnverified, strings.Join(lines, "; "))
	}
	if err != nil {
		return err
	}
	return data.EachRow(ctx, conn, "SELECT count(*) FROM pragma_foreign_key_check", nil, func(scan data.RowScanner) error { return scan(&r.Dangling) })
}
