package shell

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

// menu is an overlay of the actions of a screen that are rarely of use. Their keys work while it is there,
// and those that the user gave to them work without it as well.
type menu struct {
	styles *ui.Styles
	keymap keymap
	top    ui.Screen
	list   *ui.List[ui.Action] // With the screen's own keys.
	run    func(tea.KeyPressMsg) tea.Cmd
}

const menuTop = 1 // Lines above the list.

// inMenu returns the actions of a screen that its menu holds.
func inMenu(s ui.Screen) []ui.Action {
	return slices.DeleteFunc(slices.Clone(s.Actions()), func(act ui.Action) bool { return !act.Menu })
}

// hasMenu reports whether the menu of a screen holds anything.
func hasMenu(s ui.Screen) bool {
	return slices.ContainsFunc(s.Actions(), func(act ui.Action) bool { return act.Menu })
}

// newMenu opens the menu of a screen. run is given the screen's own key for what is chosen.
func newMenu(s *ui.Styles, k keymap, top ui.Screen, run func(tea.KeyPressMsg) tea.Cmd) *menu {
	m := &menu{styles: s, keymap: k, top: top, run: run}
	m.list = ui.NewList(s, ui.Action.ID, m.row, nil)
	m.refresh()
	return m
}

// refresh implements refresher.
func (m *menu) refresh() { m.list.SetItems(inMenu(m.top)) }

// needsMenu returns the action of the menu that a key names, if it works in the menu only and no other action has the key.
func (k keymap) needsMenu(s ui.Screen, m tea.KeyPressMsg) (ui.Action, bool) {
	for _, act := range inMenu(s) {
		if slices.Contains(act.Key.Keys(), m.String()) && !k.all.Moves(act) && !bound(s, m) {
			return act, true
		}
	}
	return ui.Action{}, false
}

// update implements overlay.
func (m *menu) update(msg tea.Msg) (bool, tea.Cmd) {
	if mouse, ok := msg.(tea.MouseMsg); ok && opens(m.list, mouse, menuTop) {
		act, _ := m.list.Selected()
		return true, m.choose(act)
	}
	pressed, ok := msg.(tea.KeyPressMsg)
	if !ok {
		return false, nil
	}
	for _, act := range m.list.Items() {
		if slices.Contains(m.keymap.show(act).Key.Keys(), pressed.String()) {
			return true, m.choose(act)
		}
	}
	switch pressed.String() {
	case "enter":
		act, _ := m.list.Selected()
		return true, m.choose(act)
	case "up", "down", "pgup", "pgdown":
		return false, m.list.Update(pressed)
	}
	return false, nil
}

func (m *menu) choose(act ui.Action) tea.Cmd { return m.run(ui.Press(act.Key.Keys()[0])) }

func (m *menu) row(act ui.Action, width int, _ bool) string {
	act = m.keymap.show(act)
	name, what := m.styles.Key, act.Key.Help().Desc
	if !act.Key.Enabled() {
		name, what = m.styles.Faint, m.styles.Faint.Render(what+" – "+reason(act))
	}
	return ui.Cut(name.Render(ui.PadLeft(label(act), 2))+"  "+what, width)
}

// view implements overlay.
func (m *menu) view(width, height int) string {
	foot := " " + m.styles.Key.Render("⏎") + m.styles.Muted.Render(" or the key  ") + m.styles.Key.Render("esc") + m.styles.Muted.Render(" close")
	inner := lipgloss.Width(foot) + 1
	for _, act := range m.list.Items() {
		inner = max(inner, lipgloss.Width(m.row(act, paletteWidth, false))+2)
	}
	inner = max(1, min(width-6, inner))
	rows := max(1, min(height-6, m.list.Len()))
	text := lipgloss.JoinVertical(lipgloss.Left, m.styles.Title.Render(" More"), m.list.View(inner, rows), ui.Cut(foot, inner))
	return ui.Frame(m.styles, text, inner, rows+2)
}
