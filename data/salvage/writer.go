package salvage

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"lcm-tui/data"
	"lcm-tui/data/pages"
)

// writer writes the new file.
type writer struct {
	*sql.Conn
	source  *pages.File
	seen    map[uint32]bool
	tables  []*table
	counts  map[string]int64 // What sqlite_sequence says.
	s       *Result
	report  data.Report
	inserts map[string]*sql.Stmt // By their text.
}

// fill reads all that there is into a new file.
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
		counts: map[string]int64{}, s: s, report: report,
	}
	defer w.closeInserts()
	// Until it has its name nobody needs the file, so nothing is kept safe on the way.
	for _, pragma := range []string{
		fmt.Sprintf("page_size = %d", source.Size()), "journal_mode = MEMORY", "synchronous = OFF", "foreign_keys = OFF",
		"ignore_check_constraints = ON",
	} {
		if _, err := w.ExecContext(ctx, "PRAGMA "+pragma); err != nil {
			return err
		}
	}
	if _, err := w.ExecContext(ctx, "BEGIN"); err != nil {
		return err
	}
	if err := w.all(ctx); err != nil {
		return err
	}
	_, err = w.ExecContext(ctx, "COMMIT")
	return err
}

func (w *writer) all(ctx context.Context) error {
	all, from, err := objects(ctx, w.source, w.seen)
	if err != nil {
		return err
	}
	w.s.Schema = from
	if err := w.create(ctx, all); err != nil {
		return err
	}
	if err := w.trees(ctx, all); err != nil {
		return err
	}
	if err := w.gather(ctx); err != nil {
		return err
	}
	if rows := w.accounts(); rows == 0 {
		return &NothingError{w.s.From}
	}
	if err := w.sequences(ctx); err != nil {
		return err
	}
	if err := w.index(ctx); err != nil {
		return err
	}
	return w.rest(ctx, all)
}

// note keeps what the user should know beside what was read.
func (w *writer) note(format string, args ...any) {
	w.s.Notes = append(w.s.Notes, fmt.Sprintf(format, args...))
}
