package data

import (
	"context"
	"database/sql"
	"fmt"
	"strings"
)

// CreateSubset makes a new database that has the tables and columns of db, but not its
// rules, with the rows that fill inserts. Cells that a row lacks are NULL.
func CreateSubset(ctx context.Context, db *DB, to string, fill func(insert func(table string, r Row) error) error) error {
	_, err := CreateDatabase("write a database", to, func(path string) error {
		pool, err := sql.Open("sqlite", dsn(path, modeWrite, 0, nil))
		if err != nil {
			return err
		}
		defer pool.Close()
		tx, err := pool.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback() // After Commit it does nothing.
		if err := db.schema.createBare(ctx, tx); err != nil {
			return err
		}
		insert := func(table string, r Row) error {
			columns := r.Columns()
			args := make([]any, len(columns))
			for i, c := range columns {
				args[i] = r[c]
			}
			_, err := tx.ExecContext(ctx, "INSERT OR IGNORE INTO "+QuoteName(table)+" ("+QuoteAll(columns)+") VALUES ("+Marks(len(columns))+")", args...)
			return err
		}
		if err := fill(insert); err != nil {
			return err
		}
		return tx.Commit()
	})
	return db.Wrap("create", err)
}

// createBare makes the tables of a schema with their columns and primary keys alone.
func (s *Schema) createBare(ctx context.Context, tx *sql.Tx) error {
	for _, table := range s.Tables() {
		if strings.HasPrefix(table, "sqlite_") {
			continue
		}
		columns := QuoteAll(s.Columns(table))
		if key := s.Key(table); len(key) > 0 {
			columns += ", PRIMARY KEY (" + QuoteAll(key) + ")"
		}
		if _, err := tx.ExecContext(ctx, "CREATE TABLE "+QuoteName(table)+" ("+columns+")"); err != nil {
			return fmt.Errorf("table %s: %w", table, err)
		}
	}
	return nil
}
