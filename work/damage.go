package work

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"lcm-tui/data"
)

func isDamage(err error) bool {
	return errors.Is(err, data.ErrDamaged) || errors.Is(err, data.ErrNotSQLite)
}

// renewalTime is how long a damaged sidecar is waited for that another process makes again.
const renewalTime = 5 * time.Second

// openAgain opens a sidecar that was found damaged. It is put aside, unless another process did that in the meantime: what
// that one notes is kept.
func openAgain(ctx context.Context, path string) (*Sidecar, error) {
	lock, err := tryLock(ctx, path+".lock", renewalTime)
	if err != nil {
		return nil, fmt.Errorf("open the sidecar: %w", err)
	}
	if lock != nil { // Who has it for so long is stopped, or stuck.
		defer lock.Close()
	}
	s, err := openWaiting(ctx, path)
	if err == nil {
		if err = check(ctx, s); err == nil {
			return s, nil
		}
		err = errors.Join(err, s.Close())
	}
	if !isDamage(err) {
		return nil, err
	}
	if err := putAside(path); err != nil {
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
	fresh, err := openAgain(ctx, s.path)
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

// putAside gives the files of a damaged sidecar another name, which no other has.
func putAside(path string) error {
	aside := fmt.Sprintf("%s.damaged-%d", path, time.Now().UnixNano())
	err := os.Rename(path, aside)
	for _, suffix := range []string{data.WALSuffix, "-shm"} {
		if moved := os.Rename(path+suffix, aside+suffix); err == nil && moved != nil && !errors.Is(moved, os.ErrNotExist) {
			err = moved
		}
	}
	return err
}
