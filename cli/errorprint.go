package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/outcome"
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
