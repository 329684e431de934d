package ui

import (
	"strings"
	"time"

	"lcm-tui/internal/hint"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// statusDuration is how long a status that nobody answers stays.
const statusDuration = 10 * time.Second

// status is what happened, on the line above the footer.
type status struct {
	text string
	kind Kind
	undo bool
	at   time.Time
}

// dismiss puts the status away at a key, unless it still offers undo.
func (s *status) dismiss() {
	if !s.undo {
		*s = status{}
	}
}

func (a *App) setStatus(s status) {
	s.at = a.jobs.now()
	a.status = s
}

// statusVisible reports whether the status is to be shown.
func (a *App) statusVisible() bool {
	return a.status.text != "" && a.jobs.now().Sub(a.status.at) < statusDuration
}

func (a *App) undoOffered() bool { return a.cfg.Undo != nil && a.status.undo && a.statusVisible() }

// statusLines returns what there is to say: a job, then an error or what happened.
func (a *App) statusLines() []string {
	if a.quitting {
		return []string{a.styles.Muted.Render(Cut(" stopping…", a.width))}
	}
	var out []string
	if r := a.jobs.visible(a.top()); r != nil {
		out = append(out, a.jobLine(r))
	}
	switch {
	case a.err != nil:
		out = append(out, a.errorLines()...)
	case a.statusVisible():
		out = append(out, a.noteLine())
	}
	return out
}

func (a *App) noteLine() string {
	style, sign := a.styles.Muted, " "
	switch a.status.kind {
	case Done:
		style, sign = a.styles.Good, " ✓ "
	case Warn:
		style, sign = a.styles.Warn, " ~ "
	}
	hint := ""
	if a.status.undo {
		hint = a.hint("u", "undo")
	}
	text := LineN(a.status.text, max(0, a.width-lipgloss.Width(sign)-lipgloss.Width(hint)))
	return Cut(style.Render(sign+text)+hint, a.width)
}

// hint returns a key and what it does, behind a text of the status line.
func (a *App) hint(key, what string) string {
	return a.styles.Faint.Render(" · ") + a.styles.Key.Render(key) + " " + a.styles.Muted.Render(what)
}

// maxErrorLines is how many lines an error takes on the status line, and a hint as many.
const maxErrorLines = 3

// errorLines returns the error in as many lines as it takes: a path in front of it must not push
// the reason off the screen. A low window has only one for it.
func (a *App) errorLines() []string {
	most := maxErrorLines
	if a.height < 20 {
		most = 1
	}
	details := a.hint("D", "details") + " "
	if a.errOfRead {
		details = a.hint(a.keys.Reload.Help().Key, a.keys.Reload.Help().Desc) + details
	}
	var out []string
	for i, l := range wrapAtMost(a.err.Error(), a.width-3-lipgloss.Width(details), most) {
		sign, end := "   ", ""
		if i == 0 {
			sign, end = " ! ", details
		}
		out = append(out, Cut(a.styles.Bad.Render(sign+l)+end, a.width))
	}
	for _, l := range wrapAtMost(hintOf(a.err), a.width-3, most) {
		out = append(out, a.styles.Muted.Render("   "+l))
	}
	return out
}

// wrapAtMost returns a text on at most so many lines of width cells; the last one is cut.
func wrapAtMost(text string, width, most int) []string {
	width = max(1, width)
	line := LineN(text, width*most)
	if line == "" {
		return nil
	}
	lines := strings.Split(ansi.Wrap(line, width, ""), "\n")
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = Cut(lines[most-1]+" …", width)
	}
	return lines
}

// hintOf returns the hint of an error, without white space around it.
func hintOf(err error) string { return strings.TrimSpace(hint.OnScreen(err)) }
