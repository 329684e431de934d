package shell

import (
	"slices"

	"charm.land/bubbles/v2/key"
	"charm.land/lipgloss/v2"

	"lcm-tui/ui"
)

const footGap = "  "

// footLine returns the keys that work now, cut at whole entries, the last ones always, and the
// place in what the screen shows. While text is taken only the keys for that are of use.
func footLine(s *ui.Styles, screen ui.Screen, actions []ui.Action, last []key.Binding, width int) string {
	isTyping, end := typing(screen), ""
	for _, k := range last {
		if !isTyping {
			end += footGap + footEntry(s, ui.Action{Key: k})
		}
	}
	place := positionLine(s, screen, width)
	room := width - lipgloss.Width(place) - 1
	keys, left := "", room-lipgloss.Width(end)
	for _, act := range actions {
		if !act.Footer || !act.Key.Enabled() || (act.Group == ui.Typing) != isTyping || slices.ContainsFunc(last, func(k key.Binding) bool { return k.Help() == act.Key.Help() }) {
			continue
		}
		e := " " + footEntry(s, act)
		if keys != "" {
			e = footGap + footEntry(s, act)
		}
		if lipgloss.Width(keys)+lipgloss.Width(e) > left {
			break
		}
		keys += e
	}
	keys = ui.Cut(keys+end, max(0, room))
	return ui.Cut(ui.Justify(keys, place, width, lipgloss.Width(keys)), width)
}

// positionLine returns the place in what a screen shows, if there is room for it.
func positionLine(s *ui.Styles, screen ui.Screen, width int) string {
	p, ok := screen.(ui.Positioner)
	if !ok || width < 40 || p.Position() == "" {
		return ""
	}
	return s.Muted.Render(p.Position()) + " "
}

func footEntry(s *ui.Styles, act ui.Action) string {
	return s.Key.Render(label(act)) + " " + s.Muted.Render(act.Key.Help().Desc)
}

// label returns how the keys of an action are printed.
func label(act ui.Action) string {
	if l := act.Key.Help().Key; l != "" || len(act.Key.Keys()) == 0 {
		return l
	}
	return act.Key.Keys()[0]
}
