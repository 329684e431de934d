package sessiontexts

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/sessiondb"
)

// Place is where a text stands.
type Place struct{ Table, Key string }

func (p Place) String() string { return p.Table + " " + p.Key }

// maxText is the size in bytes of the largest text that is read.
const maxText = 256 << 20

// reading calls fn with a connection that can't write.
func reading(ctx context.Context, path string, fn func(*sql.Conn) error) (err error) {
	if err := data.CheckFile(path); err != nil {
		return err
	}
	q := url.Values{"mode": {"ro"}, "_pragma": {"busy_timeout(5000)", "query_only(1)"}}
	pool, err := sql.Open("sqlite", data.FileURI(path, q.Encode()))
	if err != nil {
		return data.WrapError(path, "open", err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return data.WrapError(path, "open", err)
	}
	defer conn.Close()
	return fn(conn)
}

// Visit calls fn with every text of a transcript database in which secrets are looked for. Packed ones are unpacked. A
// table that the file doesn't have has no texts.
func Visit(ctx context.Context, path string, fn func(p Place, text string) error) error {
	return reading(ctx, path, func(conn *sql.Conn) error {
		return eachText(ctx, conn, func(t stored) error { return fn(t.Place, t.text) })
	})
}

// stored is a text with what finds its row again.
type stored struct {
	Place
	text string
	key  []any
	name string // Of an archive.
	hash string // The same.
	zstd bool
}

// eachText calls fn with every text. fn must not write the table that is read.
func eachText(ctx context.Context, conn *sql.Conn, fn func(stored) error) error {
	for _, visit := range []func(context.Context, *sql.Conn, func(stored) error) error{eachEvent, eachNode, eachIndexed, eachArchive} {
		if err := visit(ctx, conn, fn); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether a table has columns.
func has(ctx context.Context, conn *sql.Conn, table string, columns ...string) (bool, error) {
	there, err := columnsOf(ctx, conn, table)
	return !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(there, c) }), err
}

// eachEvent visits the events of transcripts.
func eachEvent(ctx context.Context, conn *sql.Conn, fn func(stored) error) error {
	if some, err := has(ctx, conn, eventTable, "session_id", "seq", "event_json"); !some {
		return err
	}
	packed := "NULL"
	if some, err := has(ctx, conn, eventTable, "event_zstd"); err != nil {
		return err
	} else if some {
		packed = "event_zstd"
	}
	return data.EachRow(ctx, conn, "SELECT session_id, seq, event_json, "+packed+" FROM "+eventTable+" ORDER BY session_id, seq", nil, func(scan data.RowScanner) error {
		var session data.Text
		var seq int64
		var text, zstd any
		if err := scan(&session, &seq, &text, &zstd); err != nil {
			return err
		}
		s := stored{Place: Place{eventTable, fmt.Sprintf("%s %d", session, seq)}, text: data.CellText(text), key: []any{string(session), seq}}
		if text == nil {
			var err error
			if s.text, err = unpack([]byte(data.CellText(zstd))); err != nil {
				return fmt.Errorf("event %d of %s: %w", seq, session, err)
			}
		}
		return fn(s)
	})
}

// eachNode visits what is noted with session keys.
func eachNode(ctx context.Context, conn *sql.Conn, fn func(stored) error) error {
	for _, table := range []string{nodeTable, "session_entries"} {
		if some, err := has(ctx, conn, table, "session_key", "entry_json"); err != nil {
			return err
		} else if !some {
			continue
		}
		err := data.EachRow(ctx, conn, "SELECT session_key, entry_json FROM "+table+" ORDER BY 1", nil, func(scan data.RowScanner) error {
			var key, text data.Text
			if err := scan(&key, &text); err != nil {
				return err
			}
			return fn(stored{Place: Place{table, string(key)}, text: string(text), key: []any{string(key)}})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// eachIndexed visits the host's own index of texts.
func eachIndexed(ctx context.Context, conn *sql.Conn, fn func(stored) error) error {
	if some, err := has(ctx, conn, indexTable, "text"); !some {
		return err
	}
	return data.EachRow(ctx, conn, "SELECT rowid, text FROM "+indexTable+" ORDER BY rowid", nil, func(scan data.RowScanner) error {
		var row int64
		var text data.Text
		if err := scan(&row, &text); err != nil {
			return err
		}
		return fn(stored{Place: Place{indexTable, fmt.Sprint(row)}, text: string(text), key: []any{row}})
	})
}

// eachArchive visits archived transcripts.
func eachArchive(ctx context.Context, conn *sql.Conn, fn func(stored) error) error {
	if some, err := has(ctx, conn, archiveTable, "archive_name", "encoding", "archive_blob", "archive_sha256"); !some {
		return err
	}
	return data.EachRow(ctx, conn, "SELECT archive_name, encoding, archive_blob, archive_sha256 FROM "+archiveTable+" ORDER BY 1", nil, func(scan data.RowScanner) error {
		var name, encoding, hash data.Text
		var blob any
		if err := scan(&name, &encoding, &blob, &hash); err != nil {
			return err
		}
		s := stored{Place: Place{archiveTable, string(name)}, text: data.CellText(blob), key: []any{string(name)}, name: string(name), hash: string(hash), zstd: encoding == "zstd"}
		if s.zstd {
			var err error
			if s.text, err = unpack([]byte(s.text)); err != nil {
				return fmt.Errorf("the archive %s: %w", name, err)
			}
		}
		return fn(s)
	})
}

// unpack unpacks a text.
func unpack(packed []byte) (string, error) {
	r, err := sessiondb.Unpack(io.NopCloser(bytes.NewReader(packed)))
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, maxText+1))
	if err == nil && len(text) > maxText {
		err = fmt.Errorf("it is longer than %d MB", maxText>>20)
	}
	return string(text), err
}
