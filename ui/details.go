package ui

import (
	"errors"
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// newDetails is an error in full: what failed, the hint, and what each layer
// of the program said about it.
func newDetails(s *Styles, err error) overlay {
	return newSheet(s, "What failed", func(width int) string {
		var b strings.Builder
		b.WriteString(s.Bad.Render(wrapClean(err.Error(), width)) + "\n")
		if h := hintOf(err); h != "" {
			b.WriteString("\n" + wrapClean(h, width) + "\n")
		}
		b.WriteString("\n" + s.Muted.Render(wrapClean(chain(err, ""), width)))
		var p *PanicError
		if errors.As(err, &p) {
			b.WriteString("\n" + s.Faint.Render(wrapClean(p.Stack, width)))
		}
		return b.String()
	}, "q", "D")
}

func wrapClean(s string, width int) string { return ansi.Wrap(Sanitize(s), max(1, width), "") }

// chain is err and what it wraps, one a line, deeper ones indented.
func chain(err error, pad string) string {
	out := fmt.Sprintf("%s%v  (%T)\n", pad, err, err)
	switch e := any(err).(type) {
	case interface{ Unwrap() error }:
		if in := e.Unwrap(); in != nil {
			out += chain(in, pad+"  ")
		}
	case interface{ Unwrap() []error }:
		for _, in := range e.Unwrap() {
			out += chain(in, pad+"  ")
		}
	}
	return out
}
