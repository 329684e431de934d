package cli

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/internal/parallel"
)

// debugEnv is the variable that has the stack of a panic printed.
const debugEnv = "LCM_TUI_DEBUG"

// crashError is a panic, and what of the command was written before it.
type crashError struct {
	*parallel.PanicError
	wrote string
}

func (e *crashError) Error() string { return e.PanicError.Error() + "; " + e.wrote }

// Unwrap gives the panic.
func (e *crashError) Unwrap() error { return e.PanicError }

// crash makes the error of a panic one for the user, and prints its stack where that is
// requested. Other errors stay as they are. A panic in a transaction leaves nothing of it.
func (a *App) crash(err error, records ...int64) error {
	var p *parallel.PanicError
	var printed *crashError
	if errors.As(err, &printed) || !errors.As(err, &p) {
		return err
	}
	if a.Sys.Env(debugEnv) != "" {
		fmt.Fprintf(a.Sys.Err, "%s", p.Stack)
	}
	if saysReached(err) {
		return err
	}
	if len(records) > 0 {
		return p // What was written is printed beside it.
	}
	return &crashError{p, "nothing was written"}
}

// guarded runs a command. A panic is its error.
func (c *Invocation) guarded(ctx context.Context, run runner) (r Result, err error) {
	err = parallel.Call(func() (err error) {
		r, err = run(ctx, c)
		return err
	})
	return r, c.crash(err, c.Records...)
}
