package change

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"lcm-tui/data"
)

const (
	// fillRows is how many rows are read before they are indexed: a statement isn't
	// left open while others write.
	fillRows = 500
	// fillTime is how long a transaction may go on that fills a large search table.
	fillTime = 300 * time.Millisecond
)

// searchFill is a search table that is filled after it was made, since that takes long.
type searchFill struct {
	name        string
	last, until int64 // Row numbers: those that were indexed, and those that there were.
}

// sourceTable returns the table whose texts the search table indexes, and its key.
func (s searchFill) sourceTable() (table, key string) {
	if s.name == data.MessageIndex {
		return "messages", "message_id"
	}
	return "summaries", "summary_id"
}

// FillSearchTables fills the empty search tables of a file from its rows, on a connection
// that is in a transaction.
func FillSearchTables(ctx context.Context, conn *sql.Conn) error {
	schema, err := data.Probe(ctx, conn)
	if err != nil {
		return err
	}
	t := &tx{Tx: data.NewTx(conn, schema, time.Time{})}
	defer t.Close()
	for _, name := range schema.FTS {
		if err := fillSearchTable(ctx, t, name); err != nil {
			return err
		}
	}
	return nil
}

// fillSearchTable fills an empty search table from the rows.
func fillSearchTable(ctx context.Context, t *tx, name string) error {
	_, err := fillNext(ctx, t, &searchFill{name, math.MinInt64, math.MaxInt64}, func() bool { return false })
	return err
}

// fillLater fills an empty search table, or where that is much leaves it to be filled in
// transactions of their own.
func fillLater(ctx context.Context, t *tx, name string) error {
	s := searchFill{name: name, last: math.MinInt64}
	table, _ := s.sourceTable()
	if !t.Schema.Has(table) {
		return nil
	}
	var rows int
	query := "SELECT count(*), coalesce(max(rowid), 0) FROM " + table
	if err := t.QueryRowContext(ctx, query).Scan(&rows, &s.until); err != nil || rows <= t.db.PartRows {
		if err != nil {
			return err
		}
		return fillSearchTable(ctx, t, name)
	}
	t.unfilled = append(t.unfilled, s)
	return nil
}

// fillNext indexes more rows until it has had enough. It reports whether there are more.
func fillNext(ctx context.Context, t *tx, s *searchFill, enough func() bool) (more bool, err error) {
	table, key := s.sourceTable()
	if !t.Schema.Has(table, key, "content") {
		return false, nil
	}
	type entry struct{ id, content any }
	query := fmt.Sprintf("SELECT rowid, %s, content FROM %s WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT %d", key, table, fillRows)
	for more = true; more && !enough(); {
		var batch []entry
		err := data.EachRow(ctx, t, query, []any{s.last, s.until}, func(scan data.RowScanner) error {
			var e entry
			err := scan(&s.last, &e.id, &e.content)
			batch = append(batch, e)
			return err
		})
		if err != nil {
			return false, err
		}
		for _, e := range batch {
			if err := fillRow(ctx, t, s.name, e.id, e.content); err != nil {
				return false, fmt.Errorf("fill %s: %w", s.name, err)
			}
		}
		more = len(batch) == fillRows
	}
	return more, nil
}

// fillRow indexes a text. One that a host has indexed since is left.
func fillRow(ctx context.Context, t *tx, name string, id, content any) error {
	if name != data.MessageIndex {
		_, err := exec(ctx, t, "INSERT INTO "+name+" (summary_id, content) VALUES (?, ?)", id, content)
		return err
	}
	if content = data.MessageIndexText(content); content == nil {
		return nil
	}
	_, err := exec(ctx, t, "INSERT INTO "+name+" (rowid, content) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM "+name+" WHERE rowid = ?1)", id, content)
	return err
}

// fillSearchTables fills search tables that were made empty, in transactions that others hardly
// notice. Until then they find less than there is.
func fillSearchTables(ctx context.Context, db *data.DB, tables []searchFill) error {
	for _, s := range tables {
		for more := true; more; {
			_, err := writeTurn(ctx, db, data.Transaction{Verb: "fill the search table"}, nil, func(t *tx) (err error) {
				start := time.Now()
				more, err = fillNext(ctx, t, &s, func() bool { return time.Since(start) > fillTime })
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
