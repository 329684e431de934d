package reclaim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/regularfile"
)

// The ends of the names beside the database while a copy takes its place.
const (
	partSuffix = ".lcm-tui-reclaim-*.part"
	oldSuffix  = ".lcm-tui-reclaim-*.old"
)

// swap writes a compacted copy, verifies it, and puts it in the place of the file. Nobody waits for
// a lock while it is written: somebody who comes meanwhile is noticed, and then the file stays.
func (w *worker) swap(ctx context.Context) error {
	err := w.step(ctx, "write a compacted copy and put it in the file's place", func(s *Step) error {
		part, err := w.writeCopy(ctx)
		if part != "" {
			defer data.RemoveDatabase(part)
		}
		if err != nil {
			return err
		}
		return w.replace(ctx, part, s)
	})
	if !errors.Is(err, errCame) && !errors.Is(err, data.ErrInUse) {
		return err
	}
	w.shared, w.result.Method = true, MethodSteps
	w.result.InUseBy = data.HolderNames(w.path)
	w.note(errCame.Error() + ", so the compacted copy wasn't put in its place; run this again when it has ended")
	if w.conn == nil {
		if err := w.open(ctx, w.path); err != nil {
			return err
		}
	}
	return w.truncate(ctx)
}

// copied is what the compacted copy was made of.
type copied struct {
	stamp   data.Stamp
	rows    map[string]int64
	schema  []string
	journal string
}

// writeCopy writes the copy and verifies it against the file, of which nothing may change
// meanwhile. The connection to the file is closed afterwards.
func (w *worker) writeCopy(ctx context.Context) (part string, err error) {
	var from copied
	if from, err = w.describe(ctx); err != nil {
		return "", err
	}
	version, err := w.number(ctx, "PRAGMA data_version")
	if err != nil {
		return "", err
	}
	if part, err = newPart(w.path); err != nil {
		return "", err
	}
	if err := w.vacuumInto(ctx, part); err != nil {
		return part, err
	}
	w.reached("copied")
	now, err := w.number(ctx, "PRAGMA data_version")
	if err == nil && now != version {
		err = errCame
	}
	if err != nil {
		return part, err
	}
	if err := w.close(); err != nil {
		return part, err
	}
	w.stamp = from.stamp
	return part, w.verify(ctx, part, from)
}

// newPart makes the file for the copy, which only this user may read.
func newPart(path string) (string, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+partSuffix)
	if err != nil {
		return "", fmt.Errorf("reclaim: %w", err)
	}
	return f.Name(), f.Close()
}

// describe reads what the copy has to be equal to.
func (w *worker) describe(ctx context.Context) (c copied, err error) {
	if c.stamp, err = data.StampOf(w.path); err != nil {
		return c, err
	}
	w.report(0, 0, "counting rows")
	if c.rows, err = data.CountRows(ctx, w.conn); err != nil {
		return c, data.WrapError(w.path, "read", err)
	}
	if c.schema, err = w.schema(ctx); err != nil {
		return c, err
	}
	err = w.conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&c.journal)
	return c, data.WrapError(w.path, "read", err)
}

// schema returns the statements that made the tables, indexes, views and triggers.
func (c *connection) schema(ctx context.Context) (out []string, err error) {
	const query = "SELECT type || ' ' || name || ' ' || tbl_name || ' ' || coalesce(sql, '') FROM sqlite_master"
	err = data.EachRow(ctx, c.conn, query, nil, func(scan data.RowScanner) error {
		var line string
		err := scan(&line)
		out = append(out, line)
		return err
	})
	slices.Sort(out)
	return out, data.WrapError(c.path, "read", err)
}

// vacuumInto has SQLite write the copy, and reports how far it is.
func (w *worker) vacuumInto(ctx context.Context, part string) error {
	total, err := w.content(ctx)
	if err != nil {
		return err
	}
	return w.watch(ctx, "writing a compacted copy", part, total, func() error { return w.exec(ctx, "copy", "VACUUM INTO ?", part) })
}

// watch reports how far a file has grown while run runs.
func (w *worker) watch(ctx context.Context, note, path string, total int64, run func() error) error {
	done := make(chan error, 1)
	go func() { done <- run() }()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case err := <-done:
			return err
		case <-tick.C:
			if ctx.Err() == nil {
				w.report(int(min(measureFiles(path).File, total)>>10), int(total>>10), note)
			}
		}
	}
}

// verify checks the copy and gives it the file's journal mode, owner and permissions.
func (w *worker) verify(ctx context.Context, part string, from copied) error {
	var c connection
	if err := c.open(ctx, part); err != nil {
		return err
	}
	schema, err := c.schema(ctx)
	if err == nil && !slices.Equal(schema, from.schema) {
		err = fmt.Errorf("verify %s: %w: its tables are others", part, data.ErrUnverified)
	}
	if err == nil && from.journal == "wal" {
		err = c.exec(ctx, "set the journal of", "PRAGMA journal_mode = WAL")
	}
	if closing := c.close(); err == nil {
		err = closing
	}
	if err != nil {
		return err
	}
	if err := data.VerifyCopy(ctx, part, from.rows, w.report); err != nil {
		return err
	}
	w.reached("verified")
	if err := regularfile.KeepOwner(part, from.stamp.Info); err != nil {
		return fmt.Errorf("reclaim: the copy can't get the owner of the file: %w", err)
	}
	return data.SyncFile(part)
}

// replace puts the copy in the place of the file: while it holds both, so that nobody reads or writes
// either, and only if nobody has opened the old one. Who opens the path meanwhile waits for the lock
// and then has the new file. The old file keeps another name until the new one was opened.
func (w *worker) replace(ctx context.Context, part string, s *Step) error {
	old, err := data.OpenExclusive(ctx, w.path)
	if err != nil {
		return err
	}
	start := time.Now()
	name, err := w.replaceLocked(ctx, part)
	s.Longest = time.Since(start).Milliseconds()
	// The old file's connection goes first, before anybody can use the new file and a -wal beside it.
	if closing := old.Close(); err == nil {
		err = closing
	}
	if w.fresh != nil {
		if closing := w.fresh.Close(); err == nil {
			err = closing
		}
		w.fresh = nil
	}
	if err != nil {
		return err
	}
	w.reached("released")
	ctx = context.WithoutCancel(ctx) // The new file is in its place.
	if err := w.open(ctx, w.path); err != nil {
		return fmt.Errorf("%w; the old file is %s", err, name)
	}
	if _, err := w.number(ctx, "SELECT count(*) FROM sqlite_master"); err != nil {
		return fmt.Errorf("%w; the old file is %s", err, name)
	}
	return os.Remove(name)
}

// replaceLocked renames. It returns the other name of the old file.
func (w *worker) replaceLocked(ctx context.Context, part string) (old string, err error) {
	if now, err := data.StampOf(w.path); err != nil || !w.stamp.Same(now) {
		return "", errors.Join(errCame, err)
	}
	if w.fresh, err = data.OpenExclusive(ctx, part); err != nil {
		return "", err
	}
	old = part[:len(part)-len(".part")] + ".old"
	if err := os.Link(w.path, old); err != nil {
		return "", fmt.Errorf("reclaim: %w", err)
	}
	w.reached("linked")
	if err := os.Rename(part, w.path); err != nil {
		return "", errors.Join(fmt.Errorf("reclaim: %w", err), os.Remove(old))
	}
	if err := os.Chmod(old, 0o600); err != nil { // It has what was deleted since, and may outlive a kill.
		return "", errors.Join(fmt.Errorf("reclaim: %w", err), w.renameBack(old))
	}
	w.reached("renamed")
	if came := data.HolderNames(old, filepath.Base(w.path)); len(came) > 0 {
		return "", w.renameBack(old)
	}
	return old, data.SyncFile(filepath.Dir(w.path))
}

// renameBack gives the old file its name again, for a program that opened it in the last moment and
// waits for its lock. One that has opened the new one in the same moment has to be started again.
func (w *worker) renameBack(old string) error {
	lost := data.HolderNames(w.path)
	if err := errors.Join(os.Chmod(old, w.stamp.Info.Mode().Perm()), os.Rename(old, w.path)); err != nil {
		return fmt.Errorf("reclaim: %w", err)
	}
	if len(lost) > 0 {
		w.note("start these again, they opened a file that isn't used: " + strings.Join(lost, ", "))
	}
	return errCame
}
