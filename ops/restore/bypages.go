package restore

import (
	"context"
	"database/sql"
	"errors"

	"lcm-tui/data"
	"lcm-tui/data/change"
)

// byPages restores through SQLite.
func (w *worker) byPages(ctx context.Context, inUse bool) error {
	w.result.Method = MethodPages
	if err := w.save(ctx); err != nil {
		return err
	}
	w.reached("saved")
	conn, done, err := w.destination(ctx, inUse)
	if err != nil {
		return err
	}
	err = w.replacePages(ctx, conn, inUse)
	if closing := done(); err == nil {
		err = closing
	}
	return err
}

// destination opens the live database for the restore: alone, unless it is in use.
func (w *worker) destination(ctx context.Context, inUse bool) (conn *sql.Conn, done func() error, err error) {
	if inUse {
		pool, err := sql.Open("sqlite", data.FileURI(w.live, "mode=rw&_pragma=busy_timeout(30000)"))
		if err != nil {
			return nil, nil, data.WrapError(w.live, "open", err)
		}
		conn, err := pool.Conn(ctx)
		if err != nil {
			return nil, nil, errors.Join(data.WrapError(w.live, "open", err), pool.Close())
		}
		return conn, func() error { return errors.Join(conn.Close(), pool.Close()) }, nil
	}
	x, err := data.OpenExclusive(ctx, w.live)
	if errors.Is(err, data.ErrInUse) {
		return nil, nil, w.inUse(err)
	}
	if err != nil {
		return nil, nil, err
	}
	now, err := data.StampOf(w.live)
	if err == nil && !w.stamp.Same(now) {
		err = refusal(w.Backup.Named, ErrWritten, "stop the program that writes to it, and try again")
	}
	if err != nil {
		_ = x.Close() // It did nothing.
		return nil, nil, err
	}
	return x.Conn, x.Close, nil
}

// replacePages copies the pages of the backup, compares them, and then writes what is to be other than
// in the backup.
func (w *worker) replacePages(ctx context.Context, conn *sql.Conn, inUse bool) error {
	size := int64(0)
	if err := conn.QueryRowContext(ctx, "PRAGMA page_size").Scan(&size); err != nil {
		return data.WrapError(w.live, "read", err)
	}
	from, err := w.Backup.withPageSize(ctx, size, w.report)
	if err != nil {
		return err
	}
	if err := data.RestorePages(ctx, conn, from, w.pagesReport); err != nil {
		return data.WrapError(w.live, "restore", err)
	}
	w.result.Restored = true
	return w.finishPages(context.WithoutCancel(ctx), conn, from, inUse)
}

// finishPages compares the pages that were restored, and then writes what is to be other than in the
// backup. A -wal that stays is no reason to stop.
func (w *worker) finishPages(ctx context.Context, conn *sql.Conn, from string, inUse bool) (err error) {
	w.reached("restored")
	unemptied := w.emptyWAL(ctx, conn)
	w.reached("emptied")
	if w.result.EqualPages, err = comparePages(ctx, conn, from, w.report); err != nil {
		w.result.EqualPages = 0
		if !inUse || !errors.Is(err, ErrUnequal) {
			return errors.Join(err, unemptied)
		}
		w.note("pages differ from the backup: a program wrote to the database right after the restore")
	}
	w.reached("compared")
	if err := w.adjust(ctx, conn); err != nil {
		return errors.Join(err, unemptied)
	}
	w.reached("adjusted")
	return w.emptyWAL(ctx, conn)
}

// pagesReport reports how far the copying is, to tests as well.
func (w *worker) pagesReport(done, total int, note string) {
	w.report(done, total, note)
	w.reached("pages")
}

// emptyWAL writes the -wal into the file and empties it, as far as readers allow in a while.
func (w *worker) emptyWAL(ctx context.Context, conn *sql.Conn) error {
	answer, err := data.EmptyWAL(ctx, conn, longestTruncate)
	if err == nil && answer.Busy {
		_, left := data.FileBytes(w.live)
		w.note(answer.Left(left))
	}
	return data.WrapError(w.live, "empty the -wal of", err)
}

// adjust writes the records that the backup lacks, and the checkpoints.
func (w *worker) adjust(ctx context.Context, conn *sql.Conn) error {
	if len(w.records) == 0 && len(w.result.Checkpoints) == 0 {
		return nil
	}
	if len(w.Backup.Schema().Triggers) > 0 {
		w.note("the changes of this program that the backup lacks aren't noted in it")
		return nil
	}
	w.report(0, 0, "writing what isn't in the backup")
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return data.WrapError(w.live, "write", err)
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	if err := change.KeepRecords(ctx, conn, w.records, w.Backup.Named, w.Now()); err != nil {
		return data.WrapError(w.live, "write", err)
	}
	for _, c := range w.result.Checkpoints {
		if err := c.write(ctx, conn); err != nil {
			return data.WrapError(w.live, "write", err)
		}
	}
	_, err := conn.ExecContext(ctx, "COMMIT")
	if err == nil {
		w.result.Records, w.result.CheckpointsSet = len(w.records), len(w.result.Checkpoints) > 0
	}
	return data.WrapError(w.live, "write", err)
}
