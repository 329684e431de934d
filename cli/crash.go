package cli

import (
	"context"
	"errors"
	"fmt"

	"lcm-tui/internal/parallel"
)

// debugEnv is the variable that has the stack of a panic printed.
const debugEnv = "LCM_TUI_DEBUG"

// printStack prints the stack of a panic, where that is requested.
func (a *App) printStack(err error) {
	var p *parallel.PanicError
	if errors.As(err, &p) && a.Sys.Env(debugEnv) != "" {
		fmt.Fprintf(a.Sys.Err, "%s", p.Stack)
	}
}

// guarded runs a command. A panic is its error; a panic in a transaction leaves nothing of it.
func (c *Invocation) guarded(ctx context.Context, run runner) (r Result, err error) {
	err = parallel.Call(func() (err error) {
		r, err = run(ctx, c)
		return err
	})
	c.printStack(err)
	return r, err
}
