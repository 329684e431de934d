package reclaim

import (
	"context"
	"time"

	"lcm-tui/data"
)

// truncateFor is how long it is tried to empty the -wal.
const truncateFor = 30 * time.Second

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
		answer, err := data.EmptyWAL(ctx, w.conn, w.trying)
		s.Longest = answer.Longest.Milliseconds()
		if err == nil && answer.Busy {
			s.Note = answer.Left(measureFiles(w.path).WAL)
		}
		return data.WrapError(w.path, "empty the -wal of", err)
	})
}
