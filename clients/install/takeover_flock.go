//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package install

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// exclusively calls fn while no other process of this program is in such a call for the folder. The
// system ends the lock of a process that dies.
func exclusively(folder string, fn func() error) (err error) {
	f, err := os.Open(folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }() // This gives the lock back.
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX)
		if errors.Is(err, syscall.EINTR) {
			continue
		}
		if err != nil {
			return fmt.Errorf("lock %s: %w", folder, err)
		}
		return fn()
	}
}
