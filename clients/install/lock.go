package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// How long we wait for a lock, and after which time without a sign of life it counts as left
// behind. Claude Code gives such a sign every five seconds.
const (
	lockWait  = 3 * time.Second
	lockStale = 15 * time.Second
	lockPause = 20 * time.Millisecond
)

// lock takes the lock that Claude Code takes while it writes its own configuration, so that
// neither overwrites what the other writes: a folder beside the file. The function that it
// returns gives it back. It waits for at most wait.
func (f *file) lock(wait time.Duration) (unlock func(), err error) {
	path := f.path + ".lock"
	for start := time.Now(); ; time.Sleep(lockPause) {
		err := os.Mkdir(path, 0o700)
		if err == nil {
			return func() { _ = os.Remove(path) }, nil
		}
		if !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("lock the configuration: %w", err)
		}
		if isStale(path) {
			if err := removeStale(path); err != nil {
				return nil, fmt.Errorf("lock the configuration: %w", err)
			}
			continue
		}
		if time.Since(start) > wait {
			return nil, refuse(f.path, errors.New("another program is writing it"), "try again; if no Claude Code runs, remove "+path)
		}
	}
}

// isStale reports whether a lock was left behind.
func isStale(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.IsDir() && time.Since(info.ModTime()) > lockStale
}

// removeStale removes a lock that was left behind. It looks again while no other may remove it: of
// two that saw it, the second would remove the lock that the first has taken since.
func removeStale(path string) error {
	return exclusively(filepath.Dir(path), func() error {
		if !isStale(path) {
			return nil
		}
		return os.Remove(path)
	})
}
