package shell

import (
	"errors"
	"runtime"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// newDetails returns an error in full: what failed, why, what to do next, and what a report of a
// bug needs.
func newDetails(s *ui.Styles, err error, inWords func(string) string, version string, quit ...string) overlay {
	return newSheet(s, "What failed", func(width int) string {
		var b strings.Builder
		b.WriteString(s.Bad.Render(wrapClean(inWords(err.Error()), width)) + "\n")
		if causes := causes(err); len(causes) > 0 {
			b.WriteString("\n" + s.Title.Render("Because") + "\n")
			for _, c := range causes {
				b.WriteString(wrapClean(c, width) + "\n")
			}
		}
		var p *ui.PanicError
		hint := inWords(hintOf(err))
		switch {
		case errors.As(err, &p):
			hint = "this is a bug: report it with the lines below; everything else still works"
		case hint == "":
			hint = "try again; if it fails again, report it with the lines below"
		}
		b.WriteString("\n" + s.Title.Render("What to do next") + "\n" + wrapClean(hint, width) + "\n")
		report := "lcm-tui " + strings.TrimSpace(version+" on "+runtime.GOOS+"/"+runtime.GOARCH) + "\n" + err.Error()
		b.WriteString("\n" + s.Title.Render("For a report of a bug") + "\n" + s.Muted.Render(wrapClean(report, width)))
		if p != nil {
			b.WriteString("\n" + s.Faint.Render(wrapClean(p.Stack, width)))
		}
		return b.String()
	}, quit...)
}

func wrapClean(s string, width int) string { return ansi.Wrap(ui.Sanitize(s), max(1, width), "") }

// causes returns the texts of what err wraps, outermost first, but those that stand in a text
// before them.
func causes(err error) []string {
	var out []string
	shown := err.Error()
	var visit func(error)
	visit = func(err error) {
		if err == nil {
			return
		}
		if text := strings.TrimSpace(err.Error()); !strings.Contains(shown, text) {
			shown += "\n" + text
			out = append(out, text)
		}
		switch e := err.(type) { //nolint:errorlint // It goes through the wrapped errors itself.
		case interface{ Unwrap() error }:
			visit(e.Unwrap())
		case interface{ Unwrap() []error }:
			for _, in := range e.Unwrap() {
				visit(in)
			}
		}
	}
	visit(err)
	return out
}
