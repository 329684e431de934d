// Package parallel runs functions in goroutines and passes a panic of any of them to the
// goroutine that waits, so that one place of the program handles it. It must not know
// what the functions do.
package parallel

import (
	"fmt"
	"runtime/debug"
	"sync"
)

// PanicError is a panic that was caught.
type PanicError struct {
	// Value is what was passed to panic.
	Value any
	// Stack is that of the goroutine that panicked.
	Stack []byte
}

func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// Hint says what can be done about it.
func (*PanicError) Hint() string {
	return "this is a bug; please report it, with what LCM_TUI_DEBUG=1 shows beside it"
}

// Caught returns the error of what recover returned, or nil for nil. One that comes from another
// goroutine stays as it is. Call it in the function that is deferred.
func Caught(recovered any) *PanicError {
	switch r := recovered.(type) {
	case nil:
		return nil
	case *PanicError:
		return r
	}
	return &PanicError{Value: recovered, Stack: debug.Stack()}
}

// Call calls fn and returns its error, or its panic as a *PanicError.
func Call(fn func() error) (err error) {
	defer func() {
		if p := Caught(recover()); p != nil {
			err = p
		}
	}()
	return fn()
}

// Group is a sync.WaitGroup whose Wait panics, with a *PanicError, where one of the
// functions did. Its zero value is ready.
type Group struct {
	work   sync.WaitGroup
	mu     sync.Mutex
	caught *PanicError
}

// Go runs fn in a goroutine of its own.
func (g *Group) Go(fn func()) {
	g.work.Go(func() {
		defer func() {
			if p := Caught(recover()); p != nil {
				g.mu.Lock()
				defer g.mu.Unlock()
				if g.caught == nil {
					g.caught = p
				}
			}
		}()
		fn()
	})
}

// Wait waits for all of them. It panics where one of them did.
func (g *Group) Wait() {
	g.work.Wait()
	if g.caught != nil {
		panic(g.caught)
	}
}
