package work

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/gofrs/flock"

	"lcm-tui/data"
)

func isDamage(err error) bool {
	return errors.Is(err, data.ErrDamaged) || errors.Is(err, data.ErrNotSQLite)
}

// renewalTime is how long a damaged sidecar is waited for that another process makes again.
const renewalTime = 5 * time.Second

// isMissing reports whether there was no file to open.
func isMissing(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// makingLock names the file of the lock under which a sidecar is opened: shared where it is there, and alone where it is put aside and
// made. Who has opened a file that is put aside looks for its -journal, -wal and -shm by its name, and takes those of the new one.
func makingLock(path string) string { return path + ".lock" }

// openThere opens the sidecar that is there.
func openThere(ctx context.Context, path string) (*Sidecar, error) {
	return openUnder(ctx, path, (*flock.Flock).TryRLock, openWaiting)
}

// openNew opens a sidecar that was missing or damaged when it was looked at. A damaged one is put aside, and another is made. One
// process does both, and the others find what it made: what they note is kept.
func openNew(ctx context.Context, path string) (*Sidecar, error) {
	return openUnder(ctx, path, (*flock.Flock).TryLock, openAlone)
}

// openUnder opens a sidecar under its lock.
func openUnder(ctx context.Context, path string, take takeLock, open func(context.Context, string) (*Sidecar, error)) (*Sidecar, error) {
	lock, err := tryLockBy(ctx, makingLock(path), renewalTime, take)
	if err != nil && !errors.Is(err, fs.ErrPermission) { // Where no file can be made, none can be put aside.
		return nil, fmt.Errorf("open the sidecar: %w", err)
	}
	if lock != nil { // Who has it for so long is stopped, or stuck.
		defer lock.Close()
	}
	return open(ctx, path)
}

func openAlone(ctx context.Context, path string) (*Sidecar, error) {
	s, err := openWaiting(ctx, path)
	if err == nil {
		if err = check(ctx, s); err == nil {
			return s, nil
		}
		err = errors.Join(err, s.Close())
	}
	switch {
	case isDamage(err):
		err = putAside(path)
	case isMissing(err):
		err = nil
	}
	if err == nil {
		err = create(path)
	}
	if err != nil {
		return nil, fmt.Errorf("open the sidecar: %w", err)
	}
	return openWaiting(ctx, path)
}

// check returns an error that wraps data.ErrDamaged where a part of the file of a sidecar can't be read.
func check(ctx context.Context, s *Sidecar) error {
	var found string
	err := s.conn().QueryRowContext(ctx, "PRAGMA quick_check(1)").Scan(&found)
	if err == nil && found != "ok" {
		return &data.Error{Path: s.path, Verb: "check", Kind: data.ErrDamaged, Err: errors.New(found)}
	}
	return data.WrapError(s.path, "check", err)
}

// renew puts a damaged sidecar aside and goes on with a new one. The error of the use that found the damage stays, and says so.
func (s *Sidecar) renew(found error) error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*renewalTime)
	defer cancel()
	fresh, err := openNew(ctx, s.path)
	if err != nil {
		return errors.Join(found, err)
	}
	old := s.db.Swap(fresh.conn())
	return errors.Join(&renewedError{found}, data.WrapError(s.path, "close", old.Close()))
}

// renewedError is the error of the use that found a sidecar damaged.
type renewedError struct{ err error }

func (e *renewedError) Error() string { return e.err.Error() }

// Unwrap gives the damage.
func (e *renewedError) Unwrap() error { return e.err }

// Hint says what became of the file.
func (e *renewedError) Hint() string {
	return "it was put aside, and a new one is made in its place: results and counts of before are lost; do the same again"
}

// create makes an empty file where there is none: SQLite would make it readable for others. It is called under the lock alone, since to
// close the file ends the locks that a connection of this process has on it.
func create(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, os.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// putAside gives the files of a damaged sidecar another name, which no other has.
func putAside(path string) error {
	aside := fmt.Sprintf("%s.damaged-%d", path, time.Now().UnixNano())
	err := os.Rename(path, aside)
	for _, suffix := range []string{data.WALSuffix, "-shm", "-journal"} {
		if moved := os.Rename(path+suffix, aside+suffix); err == nil && moved != nil && !errors.Is(moved, os.ErrNotExist) {
			err = moved
		}
	}
	return err
}
