package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"lcm-tui/engine/regenerate"
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
	fmt.Fprintln(w, Program+": "+kind+ui.Line(Problems(err)))
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

// Problems returns the text of an error. The errors that were joined in it are apart, and each is there once.
func Problems(err error) string {
	var each []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = strings.TrimSpace(line); line != "" && !slices.Contains(each, line) {
			each = append(each, line)
		}
	}
	return strings.ReplaceAll(strings.Join(each, "; "), ":; ", ": ")
}

// debugEnv is the variable that has the stack of a panic printed.
const debugEnv = "LCM_TUI_DEBUG"

// printStack prints the stack of a panic, where that is requested.
func printStack(a *App, err error) {
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
	printStack(c.App, err)
	return r, err
}

// end prints what a command has to say. Where it failed after some of it was made or
// written, that is its result; where nothing was, there is only the error.
func (c *Invocation) end(r Result, err error) error {
	if err == nil {
		return c.print(r)
	}
	if len(c.Outcome.Records()) == 0 && !c.Partial || r == nil {
		c.printWarnings()
	} else if unprinted := c.print(r); unprinted != nil {
		err = errors.Join(err, unprinted)
	}
	after, passes := retryLater(err)
	err = c.withOutcome(err)
	if passes && !c.Outcome.Changed() && !c.Partial {
		return &busyError{err, after}
	}
	return err
}

// withOutcome adds to an error what was changed before it, where the error doesn't say it itself.
func (c *Invocation) withOutcome(err error) error {
	if outcome.Says(err) {
		return err
	}
	var e *outcome.Error
	if err = c.Outcome.Explain(err); !errors.As(err, &e) {
		return err
	}
	e.Next = undoHint(c.Outcome.Records())
	var stopped *regenerate.StoppedError
	if errors.Is(err, context.Canceled) && errors.As(err, &stopped) {
		e.Reached += "; " + stopped.Outcome()
	}
	return e
}

func undoHint(ids []int64) string {
	switch len(ids) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf("%s undo %d undoes it", Program, ids[0])
	}
	return Program + " undo undoes the last one"
}

// StopReason returns what a result says of a command that ended early.
func StopReason(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.Is(err, context.Canceled):
		return "cancelled"
	}
	return err.Error()
}
