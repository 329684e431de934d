package data

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"
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
	if s.name == ftsMessages {
		return "messages", "message_id"
	}
	return "summaries", "summary_id"
}

// FillSearchTables fills the empty search tables of a file from its rows, on a connection
// that is in a transaction.
func FillSearchTables(ctx context.Context, conn *sql.Conn) error {
	schema, err := probe(ctx, conn)
	if err != nil {
		return err
	}
	t := &tx{Tx: NewTx(conn, schema, time.Time{})}
	defer t.Close()
	for _, name := range schema.FTS {
		if err := t.fillSearchTable(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// fillSearchTable fills an empty search table from the rows.
func (t *tx) fillSearchTable(ctx context.Context, name string) error {
	_, err := t.fillNext(ctx, &searchFill{name, math.MinInt64, math.MaxInt64}, func() bool { return false })
	return err
}

// fillLater fills an empty search table, or where that is much leaves it to be filled in
// transactions of their own.
func (t *tx) fillLater(ctx context.Context, name string) error {
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
		return t.fillSearchTable(ctx, name)
	}
	t.unfilled = append(t.unfilled, s)
	return nil
}

// fillNext indexes more rows until it has had enough. It reports whether there are more.
func (t *tx) fillNext(ctx context.Context, s *searchFill, enough func() bool) (more bool, err error) {
	table, key := s.sourceTable()
	if !t.Schema.Has(table, key, "content") {
		return false, nil
	}
	type entry struct{ id, content any }
	query := fmt.Sprintf("SELECT rowid, %s, content FROM %s WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT %d", key, table, fillRows)
	for more = true; more && !enough(); {
		var batch []entry
		err := EachRow(ctx, t, query, []any{s.last, s.until}, func(scan RowScanner) error {
			var e entry
			err := scan(&s.last, &e.id, &e.content)
			batch = append(batch, e)
			return err
		})
		if err != nil {
			return false, err
		}
		for _, e := range batch {
			if err := t.fillRow(ctx, s.name, e.id, e.content); err != nil {
				return false, fmt.Errorf("fill %s: %w", s.name, err)
			}
		}
		more = len(batch) == fillRows
	}
	return more, nil
}

// fillRow indexes a text. One that a host has indexed since is left.
func (t *tx) fillRow(ctx context.Context, name string, id, content any) error {
	if name != ftsMessages {
		_, err := t.exec(ctx, "INSERT INTO "+name+" (summary_id, content) VALUES (?, ?)", id, content)
		return err
	}
	if content = messageIndexText(content); content == nil {
		return nil
	}
	_, err := t.exec(ctx, "INSERT INTO "+name+" (rowid, content) SELECT ?1, ?2 WHERE NOT EXISTS (SELECT 1 FROM "+name+" WHERE rowid = ?1)", id, content)
	return err
}

// fillSearchTables fills search tables that were made empty, in transactions that others hardly
// notice. Until then they find less than there is.
func (db *DB) fillSearchTables(ctx context.Context, tables []searchFill) error {
	for _, s := range tables {
		for more := true; more; {
			_, err := db.writeTurn(ctx, "fill the search table", true, func(t *tx) (err error) {
				start := time.Now()
				more, err = t.fillNext(ctx, &s, func() bool { return time.Since(start) > fillTime })
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
