package sessiondb

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
)

// tables are the columns of the tables that are read, by table.
type tables map[string][]string

// known are the tables that are read, of all versions of the format.
var known = []string{
	"schema_meta", "transcript_events", "transcript_rewrite_watermarks",
	"session_nodes", "session_windows", // Since version 14.
	"session_entries", "session_routes", "sessions", // Before.
	"session_transcript_archives", "session_transcript_cold_archives", outboxTable,
	"auth_profile_store", "auth_profile_state",
}

// readTables asks for known tables only: others may belong to modules that this build of
// SQLite doesn't have.
func readTables(ctx context.Context, pool *sql.DB) (tables, error) {
	quoted := "'" + strings.Join(known, "', '") + "'"
	rows, err := pool.QueryContext(ctx, "SELECT m.name, c.name FROM main.sqlite_master AS m, pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.name IN ("+quoted+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t := tables{}
	for rows.Next() {
		var table, column string
		if err := rows.Scan(&table, &column); err != nil {
			return nil, err
		}
		t[table] = append(t[table], column)
	}
	return t, rows.Err()
}

// has reports whether a table is there with all of these columns.
func (t tables) has(table string, columns ...string) bool {
	there, ok := t[table]
	return ok && !slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(there, c) })
}

// column returns a column of a table as an expression, or NULL where the file doesn't have it.
func (t tables) column(table, name string) string {
	if !t.has(table, name) {
		return "NULL"
	}
	return name
}

// readInfo reads the version of the file, and refuses one that is no agent's.
func (db *DB) readInfo(ctx context.Context) error {
	var role string
	if db.tables.has("schema_meta", "meta_key") {
		query := "SELECT " + db.tables.column("schema_meta", "role") + ", " + db.tables.column("schema_meta", "schema_version") +
			" FROM schema_meta WHERE meta_key = 'primary'"
		err := db.each(ctx, query, nil, func(v []any) {
			role, db.schema = asText(v[0]), int(asInt(v[1]))
		})
		if err != nil && !isDamage(err) {
			return db.wrap("open", err)
		}
	}
	if err := db.each(ctx, "PRAGMA user_version", nil, func(v []any) {
		if n := int(asInt(v[0])); n > 0 {
			db.schema = n
		}
	}); err != nil {
		return db.wrap("open", err)
	}
	isAgent := role == "agent" || db.tables.has("transcript_events", "session_id", "seq") ||
		db.tables.has("session_nodes", "session_key") || db.tables.has("session_entries", "session_key") || db.tables.has("auth_profile_store", "store_json")
	if !isAgent {
		return &Error{Path: db.path, Verb: "open", Kind: ErrNotAgent}
	}
	return nil
}

// HasTranscripts reports whether the host keeps transcripts in this file. Before
// version 9 it kept them in session files.
func (db *DB) HasTranscripts() bool {
	return db.tables.has("transcript_events", "session_id", "seq", "event_json")
}

// each calls fn with every row, which is good until the next.
func (db *DB) each(ctx context.Context, query string, args []any, fn func(row []any)) error {
	rows, err := db.pool.QueryContext(ctx, query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	names, err := rows.Columns()
	if err != nil {
		return err
	}
	row, to := make([]any, len(names)), make([]any, len(names))
	for i := range row {
		to[i] = &row[i]
	}
	for rows.Next() {
		if err := rows.Scan(to...); err != nil {
			return err
		}
		fn(row)
	}
	return errors.Join(rows.Err(), rows.Close())
}

// asText returns a value as text; empty where it is none.
func asText(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return ""
}

// asInt returns a value as a number; 0 where it is none.
func asInt(v any) int64 {
	switch v := v.(type) {
	case int64:
		return v
	case float64:
		return int64(v)
	}
	return 0
}

// asTime returns a number of milliseconds as a time; zero where it is none.
func asTime(v any) time.Time {
	ms := asInt(v)
	t := time.UnixMilli(ms).UTC()
	if ms <= 0 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// damaged returns the error about something of the file that can't be read.
func (db *DB) damaged(verb string, err error) error {
	return &Error{Path: db.path, Verb: verb, Kind: data.ErrDamaged, Err: err}
}
