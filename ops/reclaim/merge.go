package reclaim

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lcm-tui/data"
)

const (
	// mergePages is how many pages of a search table are merged in one transaction at first.
	mergePages = 500
	// longestStep is how long a transaction may take before the next ones do less.
	longestStep = 330 * time.Millisecond
	minPages    = 20
)

// merge merges the pieces of the search tables into one, in steps, until nothing changes any
// more: an index ends as small as after an optimization in one go.
func (w *worker) merge(ctx context.Context) error {
	for _, table := range data.SearchTables() {
		n, err := w.number(ctx, "SELECT count(*) FROM sqlite_master WHERE name = '"+table+"' AND sql LIKE 'CREATE VIRTUAL TABLE%fts5%'")
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		if err := w.step(ctx, "merge "+table, func(s *Step) error { return w.mergeTable(ctx, table, s) }); err != nil {
			return err
		}
	}
	return nil
}

func (w *worker) mergeTable(ctx context.Context, table string, s *Step) error {
	statement := "INSERT INTO " + data.QuoteName(table) + "(" + data.QuoteName(table) + ", rank) VALUES ('merge', ?)"
	pages := int64(mergePages)
	for first, done, loosened := true, false, false; !done; {
		w.report(0, 0, "merging "+table)
		argument := pages
		if first {
			argument = -pages // Takes all pieces, whatever their sizes.
		}
		took, err := s.timed(func() (err error) {
			done, err = w.changesLittle(ctx, statement, argument)
			return err
		})
		if first = false; err == nil && done && !loosened {
			loosened, err = w.loosen(ctx, table)
			first, done = loosened, !loosened
		}
		if damaged := errors.Is(err, data.ErrDamaged) || errors.Is(err, data.ErrRefused); damaged && ctx.Err() == nil {
			s.Note = fmt.Sprintf("%s can't be merged; lcm-tui doctor says why", table)
			return nil
		}
		if err != nil {
			return err
		}
		if took > longestStep {
			pages = max(minPages, pages/2)
		}
		if err := w.rest(ctx, took); err != nil {
			return err
		}
	}
	return nil
}

// changesLittle runs a statement of merging, and reports whether nothing was left to merge: then
// it writes no more than its own row.
func (w *worker) changesLittle(ctx context.Context, statement string, argument int64) (bool, error) {
	before, err := w.number(ctx, "SELECT total_changes()")
	if err != nil {
		return false, err
	}
	if err := w.exec(ctx, "merge the search tables of", statement, argument); err != nil {
		return false, err
	}
	after, err := w.number(ctx, "SELECT total_changes()")
	return after-before < 2, err
}

// rest pauses after a transaction for as long as it took, where others may be waiting.
func (w *worker) rest(ctx context.Context, took time.Duration) error {
	if !w.shared {
		return ctx.Err()
	}
	return pause(ctx, took)
}

// loosen has an index merged again that was merged and has kept words of deleted texts.
func (c *connection) loosen(ctx context.Context, table string) (loosened bool, err error) {
	var structure []byte
	var small bool
	err = c.conn.QueryRowContext(ctx, data.IndexStructureSQL(table)).Scan(&structure, &small)
	if err != nil || data.IsIndexWhole(structure) {
		return false, data.WrapError(c.path, "read", err)
	}
	tx, err := c.conn.BeginTx(ctx, nil)
	if err != nil {
		return false, data.WrapError(c.path, "merge the search tables of", err)
	}
	for _, statement := range data.LoosenIndexSQL(table, small) {
		if err == nil {
			_, err = tx.ExecContext(ctx, statement)
		}
	}
	if err != nil {
		err = errors.Join(err, tx.Rollback())
	} else {
		err = tx.Commit()
	}
	return err == nil, data.WrapError(c.path, "merge the search tables of", err)
}
