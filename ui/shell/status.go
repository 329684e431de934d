package shell

import (
	"strings"
	"time"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/internal/hint"
	"lcm-tui/ui"
)

// statusDuration is how long a status that nobody answers stays.
const statusDuration = 10 * time.Second

// status is what happened, on the line above the footer.
type status struct {
	text  string
	kind  ui.Kind
	undo  bool
	stays bool // Until a key, and in full.
	at    time.Time
}

// statusLine is what the line above the footer says: an error, or else what happened.
type statusLine struct {
	styles *ui.Styles
	keys   *shellKeys
	jobs   *ui.Jobs // Has the time.
	note   status

	sentence func(string) string // See Config.

	err error // Stays until a key.
	// errOfRead says that err kept a screen from being read, which can be tried again.
	errOfRead bool
}

// say shows what happened.
func (l *statusLine) say(s status) {
	s.at = l.jobs.Now()
	l.note = s
}

// fail shows an error.
func (l *statusLine) fail(err error, ofRead bool) { l.err, l.errOfRead = err, ofRead }

// dismissError puts the error away, and returns it.
func (l *statusLine) dismissError() error {
	err := l.err
	l.err = nil
	return err
}

// dismiss puts what happened away at a key, unless it still offers undo.
func (l *statusLine) dismiss() {
	if !l.note.undo {
		l.note = status{}
	}
}

// noteVisible reports whether what happened is to be shown.
func (l *statusLine) noteVisible() bool {
	return l.note.text != "" && (l.note.stays || l.jobs.Now().Sub(l.note.at) < statusDuration)
}

// offersUndo reports whether u undoes what happened.
func (l *statusLine) offersUndo() bool { return l.note.undo && l.noteVisible() }

// lines returns what there is to say. reload is the key that reads again.
func (l *statusLine) lines(width, height int, reload key.Help) []string {
	switch {
	case l.err != nil:
		return l.errorLines(width, height, reload)
	case l.noteVisible():
		return l.noteLines(width, height)
	}
	return nil
}

// noteLines returns what happened: in full where it stays, or where the window has the room, else in a
// line.
func (l *statusLine) noteLines(width, height int) (out []string) {
	style, sign := l.styles.Muted, " "
	switch l.note.kind {
	case ui.Done:
		style, sign = l.styles.Good, " ✓ "
	case ui.Warn:
		style, sign = l.styles.Warn, " ~ "
	}
	undo, most := "", 1
	if l.note.undo {
		undo = keyHint(l.styles, l.keys.Undo.Help().Key, "undo")
	}
	if l.note.stays || height >= lowWindow {
		most = maxErrorLines
	}
	for _, text := range wrapAtMost(l.note.text, width-lipgloss.Width(sign)-lipgloss.Width(undo), most) {
		out = append(out, ui.Cut(style.Render(sign+text)+undo, width))
		sign, undo = strings.Repeat(" ", lipgloss.Width(sign)), ""
	}
	return out
}

// keyHint returns a key and what it does, behind a text of the status line.
func keyHint(s *ui.Styles, key, what string) string {
	return s.Faint.Render(" · ") + s.Key.Render(key) + " " + s.Muted.Render(what)
}

// maxErrorLines is how many lines an error takes on the status line, and a hint as many.
const maxErrorLines = 3

// lowWindow is the height below which an error takes one line.
const lowWindow = 20

// errorLines returns the error in as many lines as it takes: a path in front of it must not push
// the reason off the screen. A low window has only one for it.
func (l *statusLine) errorLines(width, height int, reload key.Help) []string {
	most := maxErrorLines
	if height < lowWindow {
		most = 1
	}
	details := keyHint(l.styles, l.keys.Details.Help().Key, "details") + " "
	if l.errOfRead {
		details = keyHint(l.styles, reload.Key, reload.Desc) + details
	}
	var out []string
	sentence := wrapAtMost(l.inWords(ui.ErrorLine(l.err)), width-3-lipgloss.Width(details), most)
	for i, text := range sentence {
		sign, end := " ! ", ""
		if i > 0 {
			sign = "   "
		}
		if i == len(sentence)-1 {
			end = details
		}
		out = append(out, ui.Cut(l.styles.Bad.Render(sign+text)+end, width))
	}
	for _, text := range wrapAtMost(l.inWords(hintOf(l.err)), width-3, most) {
		out = append(out, l.styles.Muted.Render("   "+text))
	}
	return out
}

// inWords returns the text of an error in the words of the screens.
func (l *statusLine) inWords(text string) string {
	if l.sentence == nil {
		return text
	}
	return l.sentence(text)
}

// wrapAtMost returns a text on at most so many lines of width cells; the last one is cut.
func wrapAtMost(text string, width, most int) []string {
	width = max(1, width)
	line := ui.LineN(text, width*most)
	if line == "" {
		return nil
	}
	lines := strings.Split(ansi.Wrap(line, width, ""), "\n")
	if len(lines) > most {
		lines = lines[:most]
		lines[most-1] = ui.Cut(lines[most-1]+" …", width)
	}
	return lines
}

// hintOf returns the hint of the first error in the chain that has one: one for screens before
// one that names commands and flags.
func hintOf(err error) string { return strings.TrimSpace(hint.OnScreen(err)) }
