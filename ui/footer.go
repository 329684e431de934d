package ui

import "charm.land/lipgloss/v2"

const footGap = "  "

// footLine returns the keys that work now, cut at whole entries, help always last, and the
// place in what the screen shows.
func (a *App) footLine() string {
	actions, last := a.footActions()
	end := ""
	if last != nil {
		end = footGap + a.entry(*last)
	}
	position := a.position()
	keys := a.footKeys(actions, end, a.width-lipgloss.Width(position)-1)
	return Cut(justify(keys, position, a.width, lipgloss.Width(keys)), a.width)
}

// position returns the place in what the top screen shows, if there is room for it.
func (a *App) position() string {
	p, ok := a.top().(Positioner)
	if !ok || a.width < 40 || p.Position() == "" {
		return ""
	}
	return a.styles.Muted.Render(p.Position()) + " "
}

// footKeys returns as many of the actions as fit width, and end.
func (a *App) footKeys(actions []Action, end string, width int) string {
	out, room := "", width-lipgloss.Width(end)
	for _, act := range actions {
		e := " " + a.entry(act)
		if out != "" {
			e = footGap + a.entry(act)
		}
		if lipgloss.Width(out)+lipgloss.Width(e) > room {
			break
		}
		out += e
	}
	return Cut(out+end, max(0, width))
}

// footActions returns what the footer is made of, and what ends it. While text is
// taken only the keys for that are of use.
func (a *App) footActions() (out []Action, last *Action) {
	typing := a.typing()
	for _, act := range a.Actions() {
		if act.Footer && act.Key.Enabled() && (act.Group == Typing) == typing && act.Key.Help().Key != "?" {
			out = append(out, act)
		}
	}
	if typing {
		return out, nil
	}
	return out, &Action{Key: a.keys.Help}
}

func (a *App) entry(act Action) string {
	return a.styles.Key.Render(label(act)) + " " + a.styles.Muted.Render(act.Key.Help().Desc)
}

// label returns how the keys of an action are printed.
func label(act Action) string {
	if l := act.Key.Help().Key; l != "" || len(act.Key.Keys()) == 0 {
		return l
	}
	return act.Key.Keys()[0]
}
