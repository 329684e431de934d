package salvage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/pages"
	"lcm-tui/internal/hint"
)

// writer writes the new file.
type writer struct {
	*sql.Conn
	source   *pages.File
	seen     map[uint32]bool
	tables   []*table
	counters map[string]int64 // What sqlite_sequence says.
	result   *Result
	report   data.Report
	inserts  map[string]*sql.Stmt // By their text.
}

// fill copies all rows that can be read into a new file.
func fill(ctx context.Context, source *pages.File, to string, s *Result, report data.Report) (err error) {
	pool, err := sql.Open("sqlite", data.FileURI(to, "mode=rw"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	w := &writer{
		Conn: conn, inserts: map[string]*sql.Stmt{}, source: source, seen: map[uint32]bool{},
		counters: map[string]int64{}, result: s, report: report,
	}
	defer w.closeInserts()
	// Nobody needs the file until it has its name, so speed comes before durability.
	for _, pragma := range []string{
		fmt.Sprintf("page_size = %d", source.PageSize()), "journal_mode = MEMORY", "synchronous = OFF", "foreign_keys = OFF",
		"ignore_check_constraints = ON",
	} {
		if _, err := w.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	if _, err := w.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := w.salvageAll(ctx); err != nil {
		return err
	}
	_, err = w.ExecContext(ctx, "COMMIT")
	return err
}

func (w *writer) salvageAll(ctx context.Context) error {
	all, from, err := objects(ctx, w.source, w.seen)
	if err != nil {
		return err
	}
	w.result.Schema = from
	if err := w.createTables(ctx, all); err != nil {
		return err
	}
	if err := w.readTrees(ctx, all); err != nil {
		return err
	}
	if err := w.readUnreferenced(ctx); err != nil {
		return err
	}
	if rows := w.closeResults(); rows == 0 {
		return &hint.Error{Text: "salvage " + w.result.From + ": " + data.ErrDamaged.Error(), Next: "not one row can be read from it; restore a backup", Err: data.ErrDamaged}
	}
	if err := w.restoreCounters(ctx); err != nil {
		return err
	}
	if err := w.fillSearchTables(ctx); err != nil {
		return err
	}
	return w.createRest(ctx, all)
}

// note adds a sentence for the user to the result.
func (w *writer) note(format string, args ...any) {
	w.result.Notes = append(w.result.Notes, fmt.Sprintf(format, args...))
}
