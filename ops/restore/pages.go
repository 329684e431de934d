package restore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"

	"lcm-tui/data"
)

// ErrUnequal says that the restored file isn't equal to the backup.
var ErrUnequal = errors.New("the restored database isn't equal to the backup")

// comparePages compares every page of a database with those of a file, and returns how many there
// are. The error wraps ErrUnequal.
func comparePages(ctx context.Context, conn *sql.Conn, with string, report data.Report) (pages int64, err error) {
	report(0, 0, "comparing with the backup")
	pool, err := openReading(with)
	if err != nil {
		return 0, err
	}
	defer pool.Close()
	next, stop := iter.Pull2(pagesOf(ctx, pool))
	defer stop()
	err = data.EachRow(ctx, conn, pagesQuery, nil, func(scan data.RowScanner) error {
		var is page
		if err := scan(&is.number, &is.bytes); err != nil {
			return err
		}
		want, err, ok := next()
		switch {
		case !ok:
			return fmt.Errorf("%w: it has more than %d pages", ErrUnequal, pages)
		case err != nil:
			return err
		case !is.equals(want):
			return fmt.Errorf("%w: page %d differs", ErrUnequal, is.number)
		}
		pages++
		return nil
	})
	if err != nil {
		return pages, err
	}
	if _, err, more := next(); more {
		return pages, errors.Join(fmt.Errorf("%w: it has only %d pages", ErrUnequal, pages), err)
	}
	return pages, nil
}

const pagesQuery = "SELECT pgno, data FROM sqlite_dbpage"

// page is one page of a database. Its bytes are valid until the next one is read.
type page struct {
	number int64
	bytes  sql.RawBytes
}

// pagesOf returns the pages of a database in order.
func pagesOf(ctx context.Context, pool *sql.DB) iter.Seq2[page, error] {
	return func(yield func(page, error) bool) {
		stopped := errors.New("stopped")
		err := data.EachRow(ctx, pool, pagesQuery, nil, func(scan data.RowScanner) error {
			var p page
			if err := scan(&p.number, &p.bytes); err != nil {
				return err
			}
			if !yield(p, nil) {
				return stopped
			}
			return nil
		})
		if err != nil && !errors.Is(err, stopped) {
			yield(page{}, err)
		}
	}
}

// counters are the bytes of the first page that say how often the file was written, and how: they
// differ between equal databases.
var counters = [][2]int{{18, 20}, {24, 28}, {40, 44}, {92, 100}}

// equals reports whether two pages hold the same.
func (p page) equals(o page) bool {
	if p.number != o.number || len(p.bytes) != len(o.bytes) {
		return false
	}
	at := 0
	if p.number == 1 && len(p.bytes) >= 100 {
		for _, c := range counters {
			if !bytes.Equal(p.bytes[at:c[0]], o.bytes[at:c[0]]) {
				return false
			}
			at = c[1]
		}
	}
	return bytes.Equal(p.bytes[at:], o.bytes[at:])
}
