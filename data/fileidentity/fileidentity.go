// Package fileidentity knows a database again, wherever its file lies and whatever was added to it since.
//
// The package must not write.
package fileidentity

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/data"
)

// Identity is by what a database is known again, wherever its file lies.
type Identity struct {
	Path        string `json:"path"`
	Kind        string `json:"kind"` // The program that wrote it.
	SchemaLevel string `json:"schema_level"`
	// SchemaSHA256 is of the statements that make its tables, indexes, views and triggers, without
	// this program's own and SQLite's. A replica doesn't have them, so it is empty.
	SchemaSHA256 string `json:"schema_sha256"`
	PageSize     int64  `json:"page_size"` // In bytes; 0 where the rows are in PostgreSQL.
	// Sequences are the highest numbers that were given to rows, by table.
	Sequences map[string]int64 `json:"sequences"`
	// Sample are conversations of the file.
	Sample []SampleConversation `json:"sample"`
	Rows   map[string]int64     `json:"rows"` // By table.
}

// SampleConversation is a conversation by which a database is known again: the time when it was
// created never changes.
type SampleConversation struct {
	ID        int64  `json:"conversation_id"`
	SessionID string `json:"session_id,omitempty"`
	CreatedAt string `json:"created_at"`
}

// ErrOtherDatabase says that a database isn't the one that something was made for.
var ErrOtherDatabase = errors.New("it is of another database: conversations with its ids are others there")

// Read reads what the database is known by.
func Read(ctx context.Context, db *data.DB) (id Identity, err error) {
	id = Identity{Path: db.Path(), Kind: db.Kind().Name, SchemaLevel: db.Kind().Level, Sequences: map[string]int64{}, Rows: map[string]int64{}}
	_, isElsewhere := db.Replica()
	if !isElsewhere || db.IsHome() {
		if id.SchemaSHA256, err = data.SchemaDigest(ctx, db); err != nil {
			return id, err
		}
	}
	if !isElsewhere {
		if _, err = data.One(ctx, db, "read settings", "PRAGMA page_size", nil, (*data.Integer)(&id.PageSize)); err != nil {
			return id, err
		}
	}
	if err = readSequences(ctx, db, id.Sequences); err != nil {
		return id, err
	}
	if id.Sample, err = readSample(ctx, db); err != nil {
		return id, err
	}
	for _, table := range data.CoreTables {
		if !db.Schema().Has(table) {
			continue
		}
		var n data.Integer
		if _, err := data.One(ctx, db, "count "+table, "SELECT count(*) FROM "+data.QuoteName(table), nil, &n); err != nil {
			return id, err
		}
		id.Rows[table] = int64(n)
	}
	return id, nil
}

// Check fails with ErrOtherDatabase where the database isn't the one that has this
// identity, and with a StaleError where its schema has changed since. That it has another path, has
// grown or was rewritten is fine.
func Check(ctx context.Context, db *data.DB, id Identity) error {
	found, err := FindSample(ctx, db, id.Sample)
	if err != nil {
		return err
	}
	if found == 0 && (len(id.Sample) > 0 || id.Path != db.Path()) {
		return ErrOtherDatabase
	}
	if id.SchemaSHA256 == "" {
		return nil
	}
	sum, err := data.SchemaDigest(ctx, db)
	if err != nil || sum == id.SchemaSHA256 {
		return err
	}
	why := "is another one: tables or indexes were added, removed or changed"
	if level := db.Kind().Level; level != id.SchemaLevel {
		why = fmt.Sprintf("is that of version %s, where the plan saw version %s", level, id.SchemaLevel)
	}
	return &data.StaleError{What: "the schema of " + db.Path(), Why: why}
}

// FindSample counts the conversations of a sample that are in the database. It fails with
// ErrOtherDatabase where one has the id of another.
func FindSample(ctx context.Context, db *data.DB, sample []SampleConversation) (found int, err error) {
	for _, s := range sample {
		rows, err := data.Images(ctx, db, "conversations", data.Row{"conversation_id": s.ID})
		if err != nil {
			return 0, err
		}
		for _, row := range rows {
			if data.CellText(row["created_at"]) != s.CreatedAt {
				return 0, ErrOtherDatabase
			}
			found++
		}
	}
	return found, nil
}

// readSample returns the first, the middle and the last conversation: the oldest are removed first.
func readSample(ctx context.Context, db *data.DB) ([]SampleConversation, error) {
	out := []SampleConversation{}
	if !db.Schema().Has("conversations", "conversation_id", "session_id", "created_at") {
		return out, nil
	}
	const query = `WITH ranked AS (SELECT conversation_id, session_id, created_at, row_number() OVER (ORDER BY conversation_id) AS place, count(*) OVER () AS total FROM conversations)
		SELECT conversation_id, session_id, created_at FROM ranked WHERE place IN (1, (total + 1) / 2, total) ORDER BY conversation_id`
	more, err := data.Collect(ctx, db, "read conversations", query, nil, func(scan data.RowScanner, s *SampleConversation) error {
		return scan((*data.Integer)(&s.ID), (*data.Text)(&s.SessionID), (*data.Text)(&s.CreatedAt))
	})
	return append(out, more...), err
}

// readSequences reads the highest numbers that were given to rows.
func readSequences(ctx context.Context, db *data.DB, into map[string]int64) error {
	if some, err := data.HasTable(ctx, db, "sqlite_sequence"); err != nil || !some {
		return err
	}
	return data.Each(ctx, db, "read sequences", "SELECT name, seq FROM sqlite_sequence", nil, func(scan data.RowScanner) error {
		var name data.Text
		var last data.Integer
		err := scan(&name, &last)
		into[string(name)] = int64(last)
		return err
	})
}
