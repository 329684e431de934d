package data

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"
)

// WALCheckpoint is SQLite's answer to a checkpoint of the -wal.
type WALCheckpoint struct {
	Busy   bool  `json:"busy"`   // Others were in the way.
	Frames int64 `json:"frames"` // Pages in the -wal; -1 where another checkpoint runs, or there is no -wal.
	Done   int64 `json:"done"`   // Those that stand in the file by now.
	// Longest is how long others had to wait to write at most.
	Longest time.Duration `json:"-"`
}

// Left says in words what keeps the -wal from being emptied, which has so many bytes.
func (c WALCheckpoint) Left(bytes int64) string {
	if c.Frames < 0 {
		return fmt.Sprintf("the -wal keeps its %d bytes: another program was writing it into the file all the time", bytes)
	}
	return fmt.Sprintf("the -wal keeps its %d bytes: another program reads in a transaction that doesn't end (%d of %d pages are in the file)", bytes, c.Done, c.Frames)
}

const (
	// truncateWait is how long SQLite waits for readers while it keeps others from writing.
	truncateWait  = "PRAGMA busy_timeout = 50"
	usualWait     = "PRAGMA busy_timeout = 30000"
	truncateAgain = 200 * time.Millisecond
)

// EmptyWAL writes the -wal into the file and empties it, on a connection of the caller's own, whose
// statements wait for locks for 30 seconds afterwards. It tries for so long; that others are in the way
// is no error but its answer. Most is done without a lock for which others wait.
func EmptyWAL(ctx context.Context, conn *sql.Conn, trying time.Duration) (answer WALCheckpoint, err error) {
	if _, err := conn.ExecContext(ctx, truncateWait); err != nil {
		return answer, err
	}
	defer conn.ExecContext(context.WithoutCancel(ctx), usualWait)
	longest := time.Duration(0)
	for start := time.Now(); ; {
		if _, err := checkpointWAL(ctx, conn, "PASSIVE"); err != nil {
			return answer, err
		}
		began := time.Now()
		answer, err = checkpointWAL(ctx, conn, "TRUNCATE")
		longest = max(longest, time.Since(began))
		if answer.Longest = longest; err != nil || !answer.Busy || time.Since(start) > trying {
			return answer, err
		}
		select {
		case <-ctx.Done():
			return answer, ctx.Err()
		case <-time.After(truncateAgain):
		}
	}
}

// checkpointWAL asks for one checkpoint.
func checkpointWAL(ctx context.Context, conn *sql.Conn, mode string) (a WALCheckpoint, err error) {
	var busy int64
	err = conn.QueryRowContext(ctx, "PRAGMA main.wal_checkpoint("+mode+")").Scan(&busy, &a.Frames, &a.Done)
	if errors.Is(ErrorKind(err), ErrLocked) {
		return WALCheckpoint{Busy: true, Frames: -1, Done: -1}, nil
	}
	a.Busy = busy != 0
	return a, err
}

// TruncateWAL empties the -wal where nobody is in the way: it waits for no other program, since
// writers would wait with it. What stays is emptied after a later turn.
func TruncateWAL(ctx context.Context, db *DB) error {
	if err := db.needsFile("empty the log of"); err != nil {
		return err
	}
	pool, err := sql.Open("sqlite", dsn(db.Path(), modeWrite, time.Millisecond, nil))
	if err != nil {
		return db.Wrap("checkpoint", err)
	}
	// The first moves the pages while others write; the second, which they wait for, has little left.
	for _, how := range []string{"PASSIVE", "TRUNCATE"} {
		if err == nil {
			err = pool.QueryRowContext(ctx, "PRAGMA wal_checkpoint("+how+")").Scan(new(int64), new(int64), new(int64))
		}
	}
	if errors.Is(ErrorKind(err), ErrLocked) {
		err = nil
	}
	return errors.Join(db.Wrap("checkpoint", err), pool.Close())
}

// EmptyWAL moves the -wal into the file and makes it empty, as the function of this name does on a connection of its own. left is
// how many pages of the -wal stay. A program that opens the file afterwards finds everything in it.
func (db *DB) EmptyWAL(ctx context.Context, wait time.Duration) (left int64, err error) {
	if err := db.needsFile("empty the log of"); err != nil {
		return 0, err
	}
	pool, err := sql.Open("sqlite", dsn(db.path, modeWrite, lockPoll, nil))
	if err != nil {
		return 0, db.Wrap("checkpoint", err)
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	conn, err := pool.Conn(ctx)
	if err != nil {
		return 0, db.Wrap("checkpoint", err)
	}
	defer conn.Close()
	answer, err := EmptyWAL(ctx, conn, wait)
	if answer.Busy { // Pages of -1 say that another program moves them just now.
		left = max(answer.Frames, 1)
	}
	return left, db.Wrap("checkpoint", err)
}
