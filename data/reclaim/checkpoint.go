package reclaim

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/data"
)

const (
	// truncateFor is how long it is tried to empty the -wal.
	truncateFor = 30 * time.Second
	// truncateWait is how long SQLite waits for readers while it keeps others from writing.
	truncateWait = "PRAGMA busy_timeout = 50"
	usualWait    = "PRAGMA busy_timeout = 30000"
	retryAfter   = 200 * time.Millisecond
)

// Checkpoint is SQLite's answer to a checkpoint.
type Checkpoint struct {
	Busy   bool  `json:"busy"`
	Frames int64 `json:"frames"` // Pages in the -wal; -1 where another checkpoint runs, or there is no -wal.
	Done   int64 `json:"done"`   // Those that stand in the file by now.
}

// left says in words what keeps the -wal from being emptied.
func (c Checkpoint) left(size int64) string {
	if c.Frames < 0 {
		return fmt.Sprintf("the -wal keeps its %d bytes: another program was writing it into the file all the time", size)
	}
	return fmt.Sprintf("the -wal keeps its %d bytes: another program reads in a transaction that doesn't end (%d of %d pages are in the file)", size, c.Done, c.Frames)
}

// truncate writes the -wal into the file and empties it. Programs that read or write can be in the
// way for a while.
func (w *worker) truncate(ctx context.Context) error {
	mode := ""
	if err := w.conn.QueryRowContext(ctx, "PRAGMA journal_mode").Scan(&mode); err != nil {
		return data.WrapError(w.path, "read", err)
	}
	if mode != "wal" {
		return nil
	}
	return w.step(ctx, "empty the -wal", func(s *Step) error {
		c, err := w.emptyWAL(ctx, s, w.trying)
		if err == nil && c.Busy {
			s.Note = c.left(measureFiles(w.path).WAL)
		}
		return err
	})
}

// emptyWAL tries to empty the -wal for so long. What others needn't wait for is done first.
func (c *connection) emptyWAL(ctx context.Context, s *Step, most time.Duration) (answer Checkpoint, err error) {
	if err := c.exec(ctx, "set a wait on", truncateWait); err != nil {
		return answer, err
	}
	defer c.exec(context.WithoutCancel(ctx), "set a wait on", usualWait)
	for start := time.Now(); ; {
		if _, err := c.checkpoint(ctx, "PASSIVE"); err != nil {
			return answer, err
		}
		_, err := s.timed(func() (err error) {
			answer, err = c.checkpoint(ctx, "TRUNCATE")
			return err
		})
		if err != nil || !answer.Busy || time.Since(start) > most {
			return answer, err
		}
		if err := pause(ctx, retryAfter); err != nil {
			return answer, err
		}
	}
}

// checkpoint asks for a checkpoint. That others are in the way is no error but its answer.
func (c *connection) checkpoint(ctx context.Context, mode string) (a Checkpoint, err error) {
	var busy int64
	err = c.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+mode+")").Scan(&busy, &a.Frames, &a.Done)
	if data.ErrorKind(err) == data.ErrLocked { //nolint:errorlint // It gives one of them.
		return Checkpoint{Busy: true, Frames: -1, Done: -1}, nil
	}
	a.Busy = busy != 0
	return a, data.WrapError(c.path, "empty the -wal of", err)
}
