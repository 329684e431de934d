package shell

import (
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// question is an overlay that does something after a yes. Only y says yes: enter and the
// key that opened it may still be held down.
type question struct {
	styles       *ui.Styles
	title, text  string
	verb         string // What y does.
	do           func() tea.Cmd
	maxTextWidth int
}

func newQuestion(s *ui.Styles, title, text, verb string, do func() tea.Cmd) *question {
	return &question{styles: s, title: title, text: text, verb: verb, do: do, maxTextWidth: 64}
}

func (q *question) update(msg tea.Msg) (bool, tea.Cmd) {
	k, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false, nil
	}
	if saysYes(k) {
		return true, q.do()
	}
	return k.String() == "n" || k.String() == "N", nil
}

// saysYes reports whether a key answers a question with yes.
func saysYes(k tea.KeyPressMsg) bool { return k.String() == "y" || k.String() == "Y" }

func (q *question) view(width, height int) string {
	inner := max(1, min(width-4, q.maxTextWidth))
	lines := append([]string{q.styles.Title.Render(ui.Cut(q.title, inner)), ""},
		strings.Split(ansi.Wrap(ui.Sanitize(q.text), inner, ""), "\n")...)
	if most := max(1, height-4); len(lines) > most {
		lines = lines[:most]
	}
	keys := q.styles.Key.Render("y") + q.styles.Muted.Render(" "+q.verb+"   ") +
		q.styles.Key.Render("esc") + q.styles.Muted.Render(" back")
	lines = append(lines, "", ui.Cut(keys, inner))
	wide := 0
	for _, l := range lines {
		wide = max(wide, lipgloss.Width(l))
	}
	return ui.Frame(q.styles, ui.Indent(strings.Join(lines, "\n")), wide+2, len(lines))
}
