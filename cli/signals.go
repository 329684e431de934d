package cli

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Signals are those that end the process, or tell a command something. A nil one gets none.
type Signals struct {
	mu     sync.Mutex
	last   os.Signal
	hangUp func()
}

// Until returns a context that is cancelled by the first of some signals. The second ends the program at once. SIGHUP
// goes to the command that takes it, if there is one.
func (s *Signals) Until(ctx context.Context, ends ...os.Signal) (until context.Context, stop func()) {
	until, cancel := context.WithCancel(ctx)
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, ends...)
	go func() {
		for {
			select {
			case got := <-ch:
				if s.take(got) {
					continue
				}
				signal.Stop(ch)
				cancel()
			case <-until.Done():
				signal.Stop(ch)
			}
			return
		}
	}()
	return until, cancel
}

// take notes a signal, and reports whether the command has taken it.
func (s *Signals) take(got os.Signal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if got == syscall.SIGHUP && s.hangUp != nil {
		s.hangUp()
		return true
	}
	s.last = got
	return false
}

// TakeHangUp lets SIGHUP call a function, and not end the program, until restore is called.
func (s *Signals) TakeHangUp(fn func()) (restore func()) {
	if s == nil {
		return func() {}
	}
	set := func(fn func()) {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.hangUp = fn
	}
	set(fn)
	return func() { set(nil) }
}

// EndedBy returns the signal that ended the program, or nil. A nil Signals says that a user did.
func (s *Signals) EndedBy() os.Signal {
	if s == nil {
		return os.Interrupt
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.last
}
