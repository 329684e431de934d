//go:build unix

package agents

import (
	"os"
	"os/signal"
	"syscall"
)

// onPauseSignal calls fn at each SIGUSR1 until the function that it returns is called. Then the signal is ignored: it
// would end a process that is ending already.
func onPauseSignal(fn func()) (stop func()) {
	ch, done := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(ch, syscall.SIGUSR1)
	go func() {
		for {
			select {
			case <-ch:
				fn()
			case <-done:
				return
			}
		}
	}()
	return func() { signal.Ignore(syscall.SIGUSR1); close(done) }
}
