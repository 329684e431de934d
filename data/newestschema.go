package data

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"lcm-tui/internal/lazyregexp"
)

//go:embed newest.sql
var newestSQL string

// SchemaObject is a table or an index as a row of the schema describes it.
type SchemaObject struct {
	Kind string // "table" or "index"; in a file also "view" or "trigger".
	Name string
	SQL  string // The statement that makes it.
}

var created = lazyregexp.New(`(?i)^CREATE (UNIQUE )?(VIRTUAL )?(TABLE|INDEX) (\w+)`)

// NewestSchema returns the tables and indexes of the newest known version, for files whose own
// schema can't be read.
func NewestSchema() (out []SchemaObject) {
	for statement := range strings.SplitSeq(newestSQL, ";\n") {
		var lines []string
		for l := range strings.Lines(statement) {
			if !strings.HasPrefix(l, "--") {
				lines = append(lines, l)
			}
		}
		sql := strings.TrimSpace(strings.Join(lines, ""))
		if m := created.FindStringSubmatch(sql); m != nil {
			out = append(out, SchemaObject{Kind: strings.ToLower(m[3]), Name: m[4], SQL: sql})
		}
	}
	return out
}

// SchemaObjects lists the tables, indexes, views and triggers of the file with the statements that
// make them, as they stand in it.
func SchemaObjects(ctx context.Context, q Querier) ([]SchemaObject, error) {
	const query = "SELECT type, name, sql FROM main.sqlite_master WHERE sql IS NOT NULL ORDER BY type <> 'table', name"
	return Collect(ctx, q, "read schema", query, nil, func(scan RowScanner, o *SchemaObject) error {
		return scan((*Text)(&o.Kind), (*Text)(&o.Name), (*Text)(&o.SQL))
	})
}

// PragmaValues reads the settings of the file that SQLite knows by these names.
func PragmaValues(ctx context.Context, q Querier, names ...string) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range names {
		err := Each(ctx, q, "read settings", "PRAGMA "+name, nil, func(scan RowScanner) error {
			var v Text
			err := scan(&v)
			out[name] = string(v)
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// newestMigrations are the steps that hosts run once over an older file, with the version of each. A
// new file has nothing to migrate, so it notes them as done, as files of hosts of that level do.
var newestMigrations = map[string]int{
	"repairOpenClawMetadataIdentityState": 2,
	"backfillSummaryDepths":               1,
	"backfillSummaryMetadata":             1,
	"backfillToolCallColumns":             1,
}

// CreateNewest creates an empty database of the newest level that hosts of both generations accept: 0.15.3.
// The file is private to the user and never replaces another. It returns the size in bytes; the errors
// are those of CreateDatabase.
func CreateNewest(ctx context.Context, to string) (bytes int64, err error) {
	bytes, err = CreateDatabase("write a database", to, func(part string) error { return writeNewest(ctx, part) })
	if err == nil {
		_ = SyncFile(filepath.Dir(to)) // Some systems can't sync a folder; the file itself is synced.
	}
	return bytes, err
}

// writeNewest writes the tables of the newest level into an empty file.
func writeNewest(ctx context.Context, path string) (err error) {
	db, err := sql.Open("sqlite", FileURI(path, "mode=rw&_pragma=journal_mode(WAL)"))
	if err != nil {
		return fmt.Errorf("create: %w", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return WrapError(path, "create", err)
	}
	defer tx.Rollback()
	for _, o := range NewestSchema() {
		if _, err := tx.ExecContext(ctx, o.SQL); err != nil {
			return WrapError(path, "create "+o.Name, err)
		}
	}
	for step, version := range newestMigrations {
		if _, err := tx.ExecContext(ctx, "INSERT INTO lcm_migration_state (step_name, algorithm_version) VALUES (?, ?)", step, version); err != nil {
			return WrapError(path, "create", err)
		}
	}
	return tx.Commit()
}
