package restore

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"

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
	const query = "SELECT pgno, data FROM sqlite_dbpage"
	theirs, err := pool.QueryContext(ctx, query)
	if err != nil {
		return 0, data.WrapError(with, "read", err)
	}
	defer theirs.Close()
	var page int64
	var want sql.RawBytes
	err = data.EachRow(ctx, conn, query, nil, func(scan data.RowScanner) error {
		var number int64
		var is sql.RawBytes
		if err := scan(&number, &is); err != nil {
			return err
		}
		if !theirs.Next() {
			return fmt.Errorf("%w: it has more than %d pages", ErrUnequal, pages)
		}
		if err := theirs.Scan(&page, &want); err != nil {
			return err
		}
		if page != number || !equalPages(number, is, want) {
			return fmt.Errorf("%w: page %d differs", ErrUnequal, number)
		}
		pages++
		return nil
	})
	if err == nil && theirs.Next() {
		err = fmt.Errorf("%w: it has only %d pages", ErrUnequal, pages)
	}
	return pages, errors.Join(err, theirs.Err())
}

// counters are the bytes of the first page that say how often the file was written, and how: they
// differ between equal databases.
var counters = [][2]int{{18, 20}, {24, 28}, {40, 44}, {92, 100}}

// equalPages reports whether two pages hold the same.
func equalPages(number int64, a, b []byte) bool {
	if number != 1 || len(a) != len(b) || len(a) < 100 {
		return bytes.Equal(a, b)
	}
	at := 0
	for _, c := range counters {
		if !bytes.Equal(a[at:c[0]], b[at:c[0]]) {
			return false
		}
		at = c[1]
	}
	return bytes.Equal(a[at:], b[at:])
}
