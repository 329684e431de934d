package shell

import (
	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

const sheetMax = 110

// sheet is an overlay of text that scrolls when it does not fit.
type sheet struct {
	styles *ui.Styles
	title  string
	text   func(width int) string
	pager  *ui.Pager
	quit   []string // The keys that close it, beside esc.
}

func newSheet(s *ui.Styles, title string, text func(width int) string, quit ...string) *sheet {
	return &sheet{styles: s, title: title, text: text, pager: ui.NewPager(s), quit: quit}
}

func (s *sheet) update(msg tea.Msg) (bool, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok && !s.pager.Typing() {
		for _, q := range s.quit {
			if k.String() == q {
				return true, nil
			}
		}
	}
	return false, s.pager.Update(msg)
}

func (s *sheet) view(width, height int) string {
	inner := max(1, min(width-6, sheetMax))
	rows := max(1, height-6)
	s.pager.SetText(s.text(inner))
	body := s.pager.View(inner, rows)
	foot := s.styles.Key.Render("esc") + s.styles.Muted.Render(" close")
	if n := s.pager.Len(); n > rows {
		foot = ui.Justify(foot+"  "+s.styles.Key.Render("↑↓")+s.styles.Muted.Render(" scroll"), s.styles.Muted.Render(s.pager.Position()), inner, inner/2)
	} else {
		rows = max(1, n)
		body = s.pager.View(inner, rows)
	}
	text := lipgloss.JoinVertical(lipgloss.Left, s.styles.Title.Render(ui.Cut(s.title, inner)), body, ui.Cut(foot, inner))
	return ui.Frame(s.styles, ui.Indent(text), inner+2, rows+2)
}
