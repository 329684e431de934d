package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"lcm-tui/data/change"
	"lcm-tui/engine/regenerate"
	"lcm-tui/internal/hint"
	"lcm-tui/ops"
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
	if errors.Is(err, context.Canceled) && !saysReached(err) {
		fmt.Fprintln(w, Program+": cancelled; "+cancelledOutcome(err))
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

// saysReached reports whether an error says itself how far the command came.
func saysReached(err error) bool {
	var kept *PartialError
	return errors.As(err, &kept) || change.SaysReached(err)
}

// cancelledOutcome says what a command that was cancelled before its change has written.
func cancelledOutcome(err error) string {
	var unwritten *ops.UnwrittenError
	if errors.As(err, &unwritten) {
		return "nothing was changed, and the backup that was made before stays: " + ui.Line(unwritten.Backup)
	}
	var stopped *regenerate.StoppedError
	if errors.As(err, &stopped) {
		return "nothing was written; " + stopped.Outcome()
	}
	return "nothing was written"
}
