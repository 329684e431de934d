package slice

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// writer fills the new file: the main database of its connection. The source is attached, for
// reading only.
type writer struct {
	*sql.Conn
	db      *data.DB
	request Request
	result  *Result
	report  data.Report
	objects []object
	tables  []table
	steps   []step
	changed map[string]bool // Tables whose copied rows were changed afterwards.
}

// each runs a query on the connection.
func (w *writer) each(ctx context.Context, query string, fn func(data.RowScanner) error, args ...any) error {
	return data.EachRow(ctx, w.Conn, query, args, fn)
}

// exec runs a statement.
func (w *writer) exec(ctx context.Context, statement string, args ...any) (rows int64, err error) {
	r, err := w.ExecContext(ctx, statement, args...)
	if err != nil {
		return 0, err
	}
	return r.RowsAffected()
}

// change runs a statement that changes copied rows of a table.
func (w *writer) change(ctx context.Context, table, statement string, args ...any) (rows int64, err error) {
	w.changed[table] = true
	return w.exec(ctx, statement, args...)
}

// number returns the whole number that a query answers with.
func (w *writer) number(ctx context.Context, query string, args ...any) (n int64, err error) {
	return n, w.QueryRowContext(ctx, query, args...).Scan(&n)
}

// Write copies rows to a new file, which is private to the user and gets its name when it is
// whole, written to the disk and verified. It reads one state of the source, while others may
// write on. Its errors are a *LineageError, data.ErrExists, data.ErrOwnFile, ErrRelative or a
// *data.Error.
func Write(ctx context.Context, db *data.DB, to string, r Request, report data.Report) (Result, error) {
	out := Result{
		Path: to, Tables: map[string]int64{}, Digests: map[string]string{}, Cut: map[string]int64{}, Added: []int64{}, LeftOut: []LeftOut{},
		Files: []data.NewFile{}, MissingFiles: []string{}, Active: []int64{}, Conversations: []int64{},
	}
	if err := checkRequest(db, r); err != nil {
		return out, err
	}
	var err error
	out.Bytes, err = data.CreateDatabase("slice", to, func(part string) error {
		unchanged, err := fill(ctx, db, part, r, &out, report)
		if err != nil {
			return err
		}
		return finish(ctx, part, &out, unchanged, report)
	})
	if err != nil {
		data.RemoveFiles(out.written)
		return out, data.WrapError(db.Path(), "slice", err)
	}
	return out, nil
}

// checkRequest fails where no new file may be written.
func checkRequest(db *data.DB, r Request) error {
	if db.Kind().Relative {
		return fmt.Errorf("slice %s: %w", db.Path(), ErrRelative)
	}
	if len(r.Conversations) == 0 && len(r.Messages) == 0 && !r.SchemaOnly {
		return errors.New("slice: no conversation is chosen")
	}
	return nil
}

// fill writes the new file. It returns the tables whose rows are as in the source.
func fill(ctx context.Context, db *data.DB, part string, r Request, out *Result, report data.Report) (unchanged []table, err error) {
	pool, err := sql.Open("sqlite", data.FileURI(part, "mode=rw"))
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	w := &writer{Conn: conn, db: db, request: r, result: out, report: report, changed: map[string]bool{}}
	if err := w.attach(ctx); err != nil {
		return nil, err
	}
	if _, err := w.exec(ctx, "BEGIN"); err != nil {
		return nil, err
	}
	if err := w.copyAll(ctx); err != nil {
		return nil, err
	}
	for _, s := range w.steps {
		if !w.changed[s.table.name] {
			unchanged = append(unchanged, s.table)
		}
	}
	_, err = w.exec(ctx, "COMMIT")
	return unchanged, err
}

// attach prepares the new file, with the page size and the text encoding of the source, and
// attaches the source.
func (w *writer) attach(ctx context.Context) error {
	settings := map[string]string{}
	for _, name := range []string{"page_size", "encoding", "user_version", "application_id", "auto_vacuum"} {
		err := w.db.EachRow(ctx, "read settings", "PRAGMA "+name, nil, func(scan data.RowScanner) error {
			var v data.Text
			err := scan(&v)
			settings[name] = string(v)
			return err
		})
		if err != nil {
			return err
		}
	}
	// Nobody needs the file until it has its name, so speed comes before durability; it is
	// synced as a whole afterwards.
	for _, pragma := range []string{
		"busy_timeout = 5000", "page_size = " + settings["page_size"], "encoding = '" + settings["encoding"] + "'",
		"auto_vacuum = " + settings["auto_vacuum"], "journal_mode = MEMORY", "synchronous = OFF", "foreign_keys = OFF",
		"ignore_check_constraints = ON", "temp_store = MEMORY", "cache_size = -32768",
		"user_version = " + settings["user_version"], "application_id = " + settings["application_id"],
	} {
		if _, err := w.exec(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	if _, err := w.exec(ctx, "ATTACH ? AS source", w.db.ReadURI()); err != nil {
		return err
	}
	return w.db.CheckPath() // It may have been replaced before it was attached.
}

// copyAll copies what was asked for in one transaction.
func (w *writer) copyAll(ctx context.Context) error {
	w.report(0, 0, "reading the schema")
	if err := w.readSchema(ctx); err != nil {
		return err
	}
	if err := w.choose(ctx); err != nil {
		return err
	}
	if err := w.createTables(ctx); err != nil {
		return err
	}
	if err := w.copyRows(ctx); err != nil {
		return err
	}
	if err := w.copyCounters(ctx); err != nil {
		return err
	}
	if w.request.Finish != nil {
		if err := w.request.Finish(ctx, w.Conn, w.result); err != nil {
			return err
		}
	}
	if err := w.adapt(ctx); err != nil {
		return err
	}
	if err := w.createRest(ctx); err != nil {
		return err
	}
	if !w.request.Search {
		return nil
	}
	w.report(0, 0, "indexing")
	return change.FillSearchTables(ctx, w.Conn)
}

// createTables creates the tables of the source; search tables are created if they are filled.
func (w *writer) createTables(ctx context.Context) error {
	for _, o := range w.objects {
		switch {
		case o.kind != "table" || strings.HasPrefix(o.name, "sqlite_") || isOwn(o.name):
			continue
		case o.virtual():
			if err := w.createVirtual(ctx, o); err != nil {
				return err
			}
			continue
		case w.isShadow(o.name):
			continue
		}
		if _, err := w.exec(ctx, o.sql); err != nil {
			return fmt.Errorf("create the table %s: %w", o.name, err)
		}
	}
	return nil
}

func (w *writer) createVirtual(ctx context.Context, o object) error {
	if !slices.Contains(data.SearchTables(), o.name) {
		w.result.LeftOut = append(w.result.LeftOut, LeftOut{Table: o.name, Reason: "it is a virtual table of another program"})
		return nil
	}
	if !w.request.Search || !slices.Contains(w.db.Schema().FTS, o.name) {
		return nil // A host creates and fills it at its start.
	}
	_, err := w.exec(ctx, o.sql)
	return err
}

// isOwn reports whether a table is one of this program's, whose records are about the source
// and its rows.
func isOwn(table string) bool { return strings.HasPrefix(table, "lcm_tui_") }

// createRest creates indexes, views and triggers, after the rows. Triggers on tables of the format, which
// no host makes, are left out: they would change rows of the new file.
func (w *writer) createRest(ctx context.Context) error {
	for _, t := range w.db.Schema().Triggers {
		w.result.LeftOut = append(w.result.LeftOut, LeftOut{Table: t.Name, Reason: "it is a trigger on " + t.Table})
	}
	for _, kind := range []string{"index", "view", "trigger"} {
		for _, o := range w.objects {
			if o.kind != kind || o.sql == "" || isOwn(o.table) || w.isShadow(o.table) || w.isForeign(o) || kind == "index" && w.table(o.table) == nil {
				continue
			}
			if _, err := w.exec(ctx, o.sql); err != nil {
				if ctx.Err() != nil || kind == "index" {
					return errors.Join(ctx.Err(), fmt.Errorf("create the index %s: %w", o.name, err))
				}
				w.result.LeftOut = append(w.result.LeftOut, LeftOut{Table: o.name, Reason: "the " + kind + " can't be created: " + err.Error()})
			}
		}
	}
	return nil
}

// isForeign reports whether an object is a trigger that is left out.
func (w *writer) isForeign(o object) bool {
	return o.kind == "trigger" && slices.Contains(w.db.Schema().Triggers, data.Trigger{Name: o.name, Table: o.table})
}

// copyCounters copies the counters of AUTOINCREMENT, so that an id of the source is never given
// to another row.
func (w *writer) copyCounters(ctx context.Context) error {
	n, err := w.number(ctx, "SELECT (SELECT count(*) FROM main.sqlite_master WHERE name = 'sqlite_sequence') * (SELECT count(*) FROM source.sqlite_master WHERE name = 'sqlite_sequence')")
	if err != nil || n == 0 {
		return err
	}
	if _, err := w.exec(ctx, "DELETE FROM main.sqlite_sequence"); err != nil {
		return err
	}
	_, err = w.exec(ctx, "INSERT INTO main.sqlite_sequence (name, seq) SELECT name, seq FROM source.sqlite_sequence WHERE name IN (SELECT name FROM main.sqlite_master)")
	return err
}
