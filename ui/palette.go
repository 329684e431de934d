package ui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"
)

// palette is every action by name; what isn't possible now comes last with
// the reason.
type palette struct {
	styles  *Styles
	actions []Action
	pick    func(Action) tea.Cmd
	input   *Input
	found   []Action
	list    *List[Action]
}

const paletteWidth = 72

func newPalette(s *Styles, actions []Action, pick func(Action) tea.Cmd) overlay {
	p := &palette{styles: s, pick: pick, input: NewInput(s, ":")}
	for _, a := range actions {
		if a.Group != Typing && a.Key.Help().Desc != "" {
			p.actions = append(p.actions, a)
		}
	}
	p.list = NewList(s, func(a Action) string { return label(a) + a.Key.Help().Desc }, p.row, nil)
	p.list.Empty = "no command is called that"
	p.input.Open("")
	p.search()
	return p
}

func (p *palette) update(msg tea.Msg) (bool, tea.Cmd) {
	if k, ok := msg.(tea.KeyPressMsg); ok {
		switch k.String() {
		case "enter":
			if a, ok := p.list.Selected(); ok {
				return true, p.pick(a)
			}
			return false, nil
		case "up", "down", "pgup", "pgdown":
			return false, p.list.Update(k)
		case "ctrl+p":
			p.list.Move(-1)
			return false, nil
		case "ctrl+n":
			p.list.Move(1)
			return false, nil
		}
	}
	if _, ok := msg.(tea.MouseWheelMsg); ok {
		return false, p.list.Update(msg)
	}
	before := p.input.Value()
	p.input.Update(msg)
	if p.input.Value() != before {
		p.search()
	}
	return false, nil
}

// search ranks the actions: possible ones first, then by how well they match,
// then as they come.
func (p *palette) search() {
	type hit struct {
		act   Action
		score int
	}
	var hits []hit
	for _, a := range p.actions {
		if n, ok := fuzzy(strings.TrimSpace(p.input.Value()), a.Key.Help().Desc+" "+a.Group); ok {
			hits = append(hits, hit{a, n})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		if x, y := a.act.Key.Enabled(), b.act.Key.Enabled(); x != y {
			return map[bool]int{true: -1, false: 1}[x]
		}
		if p.input.Value() == "" {
			return 0
		}
		return b.score - a.score
	})
	p.found = p.found[:0:0]
	for _, h := range hits {
		p.found = append(p.found, h.act)
	}
	p.list.SetItems(p.found)
	p.list.goTo(0)
}

func (p *palette) row(a Action, width int, _ bool) string {
	k, desc := label(a), a.Key.Help().Desc
	if !a.Key.Enabled() {
		text := p.styles.Faint.Render(desc + " – " + reason(a))
		return ends(text, p.styles.Faint.Render(k)+" ", width, width/2)
	}
	group := ""
	if a.Group != "" {
		group = p.styles.Faint.Render("  " + a.Group)
	}
	return ends(desc+group, p.styles.Key.Render(k)+" ", width, width/2)
}

func (p *palette) view(width, height int) string {
	inner := max(1, min(width-6, paletteWidth))
	rows := max(1, min(height-7, max(1, p.list.Len())))
	foot := p.styles.Key.Render("⏎") + p.styles.Muted.Render(" do it  ") +
		p.styles.Key.Render("↑↓") + p.styles.Muted.Render(" choose  ") +
		p.styles.Key.Render("esc") + p.styles.Muted.Render(" close")
	text := lipgloss.JoinVertical(lipgloss.Left,
		" "+p.input.View(inner-1), "", p.list.View(inner, rows), Cut(" "+foot, inner))
	return Frame(p.styles, text, inner, rows+3, true)
}

// reason is why an action is not possible now.
func reason(a Action) string {
	if a.Why != "" {
		return a.Why
	}
	return "not possible now"
}
