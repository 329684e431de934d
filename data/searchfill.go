package data

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"
)

const (
	// seedBatch is how many rows are read before they are indexed: a statement isn't
	// left open while others write.
	seedBatch = 500
	// seedFor is how long a transaction may go on that fills a large search table.
	seedFor = 300 * time.Millisecond
)

// seeding is a search table that is filled after it was made, since that takes long.
type seeding struct {
	name        string
	last, until int64 // Row numbers: those that were indexed, and those that there were.
}

// source is the table of which a search table holds the texts, and its key.
func (s seeding) source() (table, key string) {
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
	t := &tx{Conn: conn, schema: schema, stmts: map[string]*sql.Stmt{}}
	defer t.close()
	for _, name := range schema.FTS {
		if err := t.seedFTS(ctx, name); err != nil {
			return err
		}
	}
	return nil
}

// seedFTS fills an empty search table from the rows.
func (t *tx) seedFTS(ctx context.Context, name string) error {
	_, err := t.seedOn(ctx, &seeding{name, math.MinInt64, math.MaxInt64}, func() bool { return false })
	return err
}

// seedLater fills an empty search table, or where that is much leaves it to be filled in
// transactions of their own.
func (t *tx) seedLater(ctx context.Context, name string) error {
	s := seeding{name: name, last: math.MinInt64}
	table, _ := s.source()
	if !t.schema.Has(table) {
		return nil
	}
	var rows int
	query := "SELECT count(*), coalesce(max(rowid), 0) FROM " + table
	if err := t.QueryRowContext(ctx, query).Scan(&rows, &s.until); err != nil || rows <= t.db.partRows {
		if err != nil {
			return err
		}
		return t.seedFTS(ctx, name)
	}
	t.unseeded = append(t.unseeded, s)
	return nil
}

// seedOn indexes more rows until it has had enough. It reports whether there are more.
func (t *tx) seedOn(ctx context.Context, s *seeding, enough func() bool) (more bool, err error) {
	table, key := s.source()
	if !t.schema.Has(table, key, "content") {
		return false, nil
	}
	type entry struct{ id, content any }
	query := fmt.Sprintf("SELECT rowid, %s, content FROM %s WHERE rowid > ? AND rowid <= ? ORDER BY rowid LIMIT %d", key, table, seedBatch)
	for more = true; more && !enough(); {
		var batch []entry
		err := each(ctx, t, query, []any{s.last, s.until}, func(scan RowScanner) error {
			var e entry
			err := scan(&s.last, &e.id, &e.content)
			batch = append(batch, e)
			return err
		})
		if err != nil {
			return false, err
		}
		for _, e := range batch {
			if err := t.seedRow(ctx, s.name, e.id, e.content); err != nil {
				return false, fmt.Errorf("fill %s: %w", s.name, err)
			}
		}
		more = len(batch) == seedBatch
	}
	return more, nil
}

// seedRow indexes a text. One that a host has indexed since is left.
func (t *tx) seedRow(ctx context.Context, name string, id, content any) error {
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

// seed fills search tables that were made empty, in transactions that others hardly
// notice. Until then they find less than there is.
func (db *DB) seed(ctx context.Context, tables []seeding) error {
	for _, s := range tables {
		for more := true; more; {
			err := db.turn(ctx, "fill the search table", true, func(t *tx) (err error) {
				start := time.Now()
				more, err = t.seedOn(ctx, &s, func() bool { return time.Since(start) > seedFor })
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}
