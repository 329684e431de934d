package reclaim

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/dustin/go-humanize"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
)

const (
	// longestVacuum is how long others may have to wait to write. A host gives up after 30 seconds.
	longestVacuum = 15 * time.Second
	// sampleBytes is how much is rewritten to measure how fast that goes.
	sampleBytes = 16 << 20
	// pagesPerTurn is how many free pages are given back in one transaction.
	pagesPerTurn = 1000
)

// checkQuick fails unless so many bytes can be rewritten before others run out of patience.
func (w *worker) checkQuick(ctx context.Context, content int64) error {
	w.report(0, 0, "measuring how fast the disk is")
	bytes, took, err := w.sample(ctx)
	if err != nil || bytes == 0 {
		return err
	}
	perSecond := int64(float64(bytes) / max(took.Seconds(), 0.001))
	seconds := content / max(perSecond, 1)
	if seconds < int64(longestVacuum/time.Second) {
		return nil
	}
	return &hint.Error{
		Text: fmt.Sprintf("rewriting %s would take about %d seconds (%s at %s a second), in which no other program can write", w.path, seconds, humanize.Bytes(uint64(content)), humanize.Bytes(uint64(perSecond))),
		Next: "15 seconds are the most. Stop the host and run it again without --online",
		Err:  data.ErrInUse,
	}
}

// sampleSuffix is how the name of the folder of a sample goes on after that of the database.
const sampleSuffix = ".lcm-tui-sample-"

// sample copies some rows into a database of its own and measures how long it takes to rewrite
// that.
func (w *worker) sample(ctx context.Context) (bytes int64, took time.Duration, err error) {
	folder, err := os.MkdirTemp(filepath.Dir(w.path), filepath.Base(w.path)+sampleSuffix)
	if err != nil {
		return 0, 0, fmt.Errorf("reclaim: %w", err)
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "sample.db")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		return 0, 0, fmt.Errorf("reclaim: %w", err)
	}
	var c connection
	if err := c.open(ctx, path); err != nil {
		return 0, 0, err
	}
	defer c.close()
	if err := c.fill(ctx, w.path); err != nil {
		return 0, 0, err
	}
	if bytes, err = c.content(ctx); err != nil {
		return 0, 0, err
	}
	start := time.Now()
	err = c.exec(ctx, "rewrite a sample of", "VACUUM")
	if err == nil {
		_, err = data.EmptyWAL(ctx, c.conn, 0)
	}
	return bytes, time.Since(start), err
}

// fill copies rows of the largest tables of a database, until they are enough for a sample.
func (c *connection) fill(ctx context.Context, from string) error {
	if err := c.exec(ctx, "set the journal of", "PRAGMA journal_mode = WAL"); err != nil {
		return err
	}
	if err := c.exec(ctx, "read", "ATTACH ? AS live", data.FileURI(from, "mode=ro")); err != nil {
		return err
	}
	defer c.exec(context.WithoutCancel(ctx), "close", "DETACH live")
	for i, table := range []string{"message_parts", "messages", "summaries"} {
		n, err := c.number(ctx, "SELECT count(*) FROM live.sqlite_master WHERE name = '"+table+"'")
		if err != nil || n == 0 {
			continue // Another table will do.
		}
		into := fmt.Sprintf("sample_%d", i)
		if err := c.exec(ctx, "sample", "CREATE TABLE "+into+" AS SELECT * FROM live."+table+" LIMIT 0"); err != nil {
			return err
		}
		const rows = 2000
		for offset := 0; ; offset += rows {
			if err := c.exec(ctx, "sample", fmt.Sprintf("INSERT INTO %s SELECT * FROM live.%s LIMIT %d OFFSET %d", into, table, rows, offset)); err != nil {
				return err
			}
			added, err := c.number(ctx, "SELECT changes()")
			if err != nil || added < rows {
				break
			}
			if size, err := c.content(ctx); err != nil || size >= sampleBytes {
				return err
			}
		}
	}
	return nil
}

// vacuum has SQLite rewrite the file in its place, and empties the -wal, in which the whole file
// stands afterwards.
func (w *worker) vacuum(ctx context.Context) error {
	err := w.step(ctx, "rewrite the file in its place", func(s *Step) error {
		w.report(0, 0, "rewriting the file")
		_, err := s.timed(func() error { return w.exec(ctx, "rewrite", "VACUUM") })
		return err
	})
	if err != nil {
		return err
	}
	return w.truncate(ctx)
}

// incremental gives free pages back in steps, where the file is set up for that.
func (w *worker) incremental(ctx context.Context) error {
	mode, err := w.number(ctx, "PRAGMA auto_vacuum")
	if err != nil || mode != autoVacuumIncremental {
		return err
	}
	err = w.step(ctx, "give free pages back", func(s *Step) error {
		for {
			left, err := w.number(ctx, "PRAGMA freelist_count")
			if err != nil || left == 0 {
				return err
			}
			w.report(0, 0, "giving free pages back")
			took, err := s.timed(func() error { return w.drain(ctx) })
			if err != nil {
				return err
			}
			now, err := w.number(ctx, "PRAGMA freelist_count")
			if err != nil || now >= left { // Others fill the file as quickly.
				return err
			}
			if err := w.rest(ctx, took); err != nil {
				return err
			}
		}
	})
	if err != nil {
		return err
	}
	return w.truncate(ctx)
}

// drain gives some free pages back. The pragma makes a row of each of its turns.
func (c *connection) drain(ctx context.Context) error {
	statement := fmt.Sprintf("PRAGMA incremental_vacuum(%d)", pagesPerTurn)
	err := data.EachRow(ctx, c.conn, statement, nil, func(data.RowScanner) error { return nil })
	return data.WrapError(c.path, "give free pages back of", err)
}
