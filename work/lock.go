package work

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"lcm-tui/internal/regularfile"
	"lcm-tui/ops"
)

// Locks are those of conversations, as files beside the sidecars of their databases. The system ends the lock of a
// process that ends, whatever ended it.
type Locks struct {
	State string        // The folder of this program's state.
	Wait  time.Duration // How long to wait for a lock that another process has.
}

var _ ops.Locks = Locks{}

// lockPause is how often a lock is tried.
const lockPause = 25 * time.Millisecond

// lockFile returns the path of the lock of a conversation.
func lockFile(folder string, conversation int64) string {
	return filepath.Join(folder, "conv-"+strconv.FormatInt(conversation, 10)+".lock")
}

// Take implements ops.Locks.
func (l Locks) Take(ctx context.Context, database string, conversation int64) (release func(), err error) {
	return l.take(ctx, lockFile(Folder(l.State, database), conversation), conversation)
}

// take takes the lock of a file.
func (l Locks) take(ctx context.Context, path string, conversation int64) (release func(), err error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("take a lock: %w", err)
	}
	f, err := tryLock(ctx, path, l.Wait)
	switch {
	case err != nil:
		return nil, fmt.Errorf("take a lock: %w", err)
	case f == nil:
		return nil, busy(path, conversation)
	}
	// Only what is said to others comes from the text; the lock is the system's.
	_ = os.WriteFile(path, fmt.Appendf(nil, "%d %s\n", os.Getpid(), filepath.Base(os.Args[0])), 0o600)
	return func() {
		_ = os.Remove(path) // While it is ours: tryLock looks whether the file is still there.
		_ = f.Close()
	}, nil
}

// passFile is the file of the lock of a pass over all conversations.
const passFile = "work.lock"

// TakePass takes the lock of a pass over the conversations of the database at a path. Its error wraps ops.ErrBusy
// where another process is in one.
func (l Locks) TakePass(ctx context.Context, database string) (release func(), err error) {
	return l.take(ctx, filepath.Join(Folder(l.State, database), passFile), 0)
}

// CheckPass returns an error that wraps ops.ErrBusy while another process is in a pass over the conversations of the
// database at a path.
func (l Locks) CheckPass(ctx context.Context, database string) error {
	return l.check(ctx, filepath.Join(Folder(l.State, database), passFile), 0)
}

// Check implements ops.Locks.
func (l Locks) Check(ctx context.Context, database string, conversations []int64) error {
	folder := Folder(l.State, database)
	for _, id := range conversations {
		if err := l.check(ctx, lockFile(folder, id), id); err != nil {
			return err
		}
	}
	return nil
}

// check fails while another has the lock of a file. It makes none: what has no file isn't locked.
func (l Locks) check(ctx context.Context, path string, conversation int64) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	f, err := tryLock(ctx, path, l.Wait)
	switch {
	case err != nil:
		return fmt.Errorf("look at a lock: %w", err)
	case f == nil:
		return busy(path, conversation)
	}
	return f.Close()
}

// takeLock tries once to take a lock, alone or shared.
type takeLock func(*flock.Flock) (bool, error)

// tryLock takes the lock of a file alone, or gives nil where another has it for longer than wait.
func tryLock(ctx context.Context, path string, wait time.Duration) (*flock.Flock, error) {
	return tryLockBy(ctx, path, wait, (*flock.Flock).TryLock)
}

func tryLockBy(ctx context.Context, path string, wait time.Duration, take takeLock) (*flock.Flock, error) {
	for end := time.Now().Add(wait); ; {
		f := flock.New(path, flock.SetPermissions(0o600))
		taken, err := take(f)
		if err == nil && taken && isAt(f, path) {
			return f, nil
		}
		if err := errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
		switch {
		case taken: // It was given back, and its file removed, in this moment.
			continue
		case !time.Now().Before(end):
			return nil, nil
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(lockPause):
		}
	}
}

// isAt reports whether the file of a lock is still at its path.
func isAt(f *flock.Flock, path string) bool {
	locked, err := f.Stat()
	there, err2 := os.Lstat(path)
	return err == nil && err2 == nil && os.SameFile(locked, there)
}

// busy returns the error of a lock that another process has.
func busy(path string, conversation int64) error {
	e := &ops.BusyError{Conversation: conversation}
	f, err := regularfile.Open(path)
	if err != nil {
		return e
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, 256)) // Without it the error names no process.
	pid, program, _ := strings.Cut(strings.TrimSpace(string(b)), " ")
	if e.PID, err = strconv.Atoi(pid); err != nil {
		e.PID, program = 0, ""
	}
	e.Program = program
	return e
}
