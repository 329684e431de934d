package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/parallel"
	"lcm-tui/ui"
)

// Program is how the tool calls itself.
const Program = "lcm-tui"

// printError prints an error, and its hint below it.
func printError(w io.Writer, kind string, err error) {
	printErrorWithNewHint(w, kind, err, map[string]bool{})
}

// printErrorWithNewHint works as printError, but for a hint that was printed before: many reads of
// a damaged file fail for one reason. It adds the hint to printed.
func printErrorWithNewHint(w io.Writer, kind string, err error, printed map[string]bool) {
	if errors.Is(err, context.Canceled) && !outcome.Says(err) { // Before a command had begun.
		fmt.Fprintln(w, Program+": cancelled; nothing was written")
		return
	}
	fmt.Fprintln(w, Program+": "+kind+ui.Line(err.Error()))
	next := hint.Of(err)
	if next == "" || printed[next] {
		return
	}
	printed[next] = true
	lead := "  hint: "
	for line := range strings.Lines(next) {
		fmt.Fprintln(w, lead+ui.Line(line))
		lead = strings.Repeat(" ", len(lead))
	}
}

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
