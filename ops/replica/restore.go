package replica

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/postgres"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/lazyregexp"
	"lcm-tui/internal/outcome"
)

// Restored is what a restore wrote.
type Restored struct {
	Source  string   `json:"source"`
	Path    string   `json:"path"`
	Bytes   int64    `json:"bytes"`
	Rows    int64    `json:"rows"`
	Skipped []string `json:"skipped"`         // Triggers and views of the source, which aren't made again.
	Filter  Filter   `json:"filter,omitzero"` // Which conversations the source has of its file.
}

// RestoreOptions are what is restored.
type RestoreOptions struct {
	Source, To        string
	Principal, Origin string
	Report            data.Report
}

// allowedStatement matches the statements of a source that are run: they come from the server, and a new file must get
// nothing that would run by itself.
var allowedStatement = lazyregexp.New(`(?is)^\s*CREATE\s+(TABLE|(UNIQUE\s+)?INDEX|VIRTUAL\s+TABLE\s.*\sUSING\s+fts5\s*\()`)

// Restore writes a source into a new file, with the schema of the file that was synced. The search tables are filled
// from the rows. The new file has each cell as the replica has it.
func Restore(ctx context.Context, conn *postgres.Conn, o RestoreOptions) (*Restored, error) {
	s, err := FindSource(ctx, conn, o.Source)
	switch {
	case err != nil:
		return nil, err
	case s.Level != LevelFull:
		return nil, hint.New(fmt.Sprintf("the replica has only the level %s of %s", s.Level, s.Name), "lcm-tui sync --level full --apply on "+s.Host+" sends everything")
	case s.stamp == "":
		return nil, hint.New("the last sync of "+s.Name+" didn't come to its end", "lcm-tui sync --apply on "+s.Host+" goes on with it")
	}
	if o.To, err = filepath.Abs(o.To); err != nil {
		return nil, err
	}
	statements, err := readStatements(ctx, conn, s.ID)
	if err != nil {
		return nil, err
	}
	r := &Restored{Source: s.Name, Path: o.To, Skipped: []string{}, Filter: s.Filter}
	r.Bytes, err = data.CreateDatabase("restore", o.To, func(path string) error {
		return conn.Snapshot(ctx, "read", func() error { return r.write(ctx, conn, s.ID, path, statements, o.Report) })
	})
	if err != nil {
		return nil, err
	}
	outcome.Of(ctx).Step("the new file is written: " + o.To)
	// Who may only read can't note it: the file is there all the same.
	_ = audit(ctx, conn, auditEntry{action: "restore", source: s.ID, name: s.Name, principal: o.Principal, origin: o.Origin, detail: map[string]any{"rows": r.Rows}})
	return r, nil
}

// readStatements reads the statements that made the tables of a source.
func readStatements(ctx context.Context, conn *postgres.Conn, source int64) (out []fileStatement, err error) {
	var text string
	if _, err = conn.One(ctx, "read the tables of", "SELECT coalesce(statements::text, '[]') FROM lcm.sources WHERE source_id = $1", []any{source}, &text); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(text), &out); err != nil {
		return nil, fmt.Errorf("the statements of the source: %w", err)
	}
	return out, nil
}

// write makes the tables of a new file and fills them.
func (r *Restored) write(ctx context.Context, server *postgres.Conn, source int64, path string, statements []fileStatement, report data.Report) error {
	pool, err := sql.Open("sqlite", data.FileURI(path, "mode=rw&_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)&_pragma=foreign_keys(0)&_pragma=ignore_check_constraints(1)"))
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	if _, err := conn.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := r.create(ctx, conn, statements); err != nil {
		return err
	}
	derived, err := derivedTables(ctx, conn)
	if err != nil {
		return err
	}
	schema, err := data.Probe(ctx, conn)
	if err != nil {
		return err
	}
	shape := shapeOf(schema, derived, extent{level: LevelFull})
	for i, t := range slices.Concat(shape.tables, shape.others) {
		if report != nil {
			report(i, len(shape.tables)+len(shape.others), "restoring "+t.name)
		}
		if err := r.fill(ctx, server, source, conn, t); err != nil {
			return err
		}
	}
	if err := r.createRest(ctx, conn, statements); err != nil {
		return err
	}
	if err := change.FillSearchTables(ctx, conn); err != nil {
		return err
	}
	for _, end := range []string{"COMMIT", "PRAGMA journal_mode = DELETE", "PRAGMA synchronous = FULL"} {
		if _, err := conn.ExecContext(ctx, end); err != nil {
			return err
		}
	}
	return nil
}

// create makes the tables. SQLite makes its own, and those behind search tables.
func (r *Restored) create(ctx context.Context, conn *sql.Conn, statements []fileStatement) error {
	var behind []string
	for _, s := range statements {
		if s.Type == "table" && strings.HasPrefix(strings.ToUpper(s.SQL), "CREATE VIRTUAL") {
			behind = append(behind, tablesBehind(s.Name, s.SQL)...)
		}
	}
	for _, s := range statements {
		switch {
		case s.Type != "table" || s.Name == "sqlite_sequence" || slices.Contains(behind, s.Name):
			continue
		case strings.HasPrefix(s.Name, "sqlite_stat"):
			if _, err := conn.ExecContext(ctx, "ANALYZE sqlite_schema"); err != nil {
				return err
			}
			continue
		}
		if err := r.run(ctx, conn, s); err != nil {
			return err
		}
	}
	return nil
}

// createRest makes the indexes, once the rows are there.
func (r *Restored) createRest(ctx context.Context, conn *sql.Conn, statements []fileStatement) error {
	for _, s := range statements {
		if s.Type == "table" {
			continue
		}
		if err := r.run(ctx, conn, s); err != nil {
			return err
		}
	}
	return nil
}

// run runs a statement that is allowed. Of a damaged file, an index that its rows break is left out.
func (r *Restored) run(ctx context.Context, conn *sql.Conn, s fileStatement) error {
	if !allowedStatement.MatchString(s.SQL) {
		r.Skipped = append(r.Skipped, s.Type+" "+s.Name)
		return nil
	}
	_, err := conn.ExecContext(ctx, s.SQL)
	if err != nil && s.Type == "index" && errors.Is(data.ErrorKind(err), data.ErrConstraint) {
		r.Skipped = append(r.Skipped, s.Type+" "+s.Name)
		return nil
	}
	if err != nil {
		return fmt.Errorf("make %s %s: %w", s.Type, s.Name, err)
	}
	return nil
}

// fill copies the rows of one table.
func (r *Restored) fill(ctx context.Context, server *postgres.Conn, source int64, conn *sql.Conn, t *tableShape) error {
	insert, err := conn.PrepareContext(ctx, "INSERT INTO "+data.QuoteName(t.name)+" ("+data.QuoteAll(t.columns)+") VALUES ("+data.Marks(len(t.columns))+")")
	if err != nil {
		return err
	}
	defer insert.Close()
	if t.name == "sqlite_sequence" || strings.HasPrefix(t.name, "sqlite_stat") { // What SQLite noted while rows came.
		if _, err := conn.ExecContext(ctx, "DELETE FROM "+t.name); err != nil {
			return err
		}
	}
	return eachReplicaRow(ctx, server, source, t, nil, func(row *readRow) error {
		if _, err := insert.ExecContext(ctx, row.cells...); err != nil {
			return fmt.Errorf("restore a row of %s: %w", t.name, err)
		}
		r.Rows++
		return nil
	})
}
