//go:build linux || darwin || freebsd

package eventlog

import (
	"errors"
	"os"
	"syscall"
)

// renamesOpen says that a file that is open can be renamed.
const renamesOpen = true

// claim waits for the turn to give a file another name: until the file is closed, no other process has it. Where the
// system knows no such locks it returns at once.
func claim(f *os.File) {
	for errors.Is(syscall.Flock(int(f.Fd()), syscall.LOCK_EX), syscall.EINTR) {
	}
}
