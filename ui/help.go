package ui

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

const helpGap = 3

// newHelp is every key that works now, in columns by group, under a sentence
// on what the screen is for.
func newHelp(s *Styles, top Screen, actions []Action) overlay {
	title, purpose := Line(top.Title()), Line(top.Purpose())
	return newSheet(s, title, func(width int) string {
		text := columns(helpBlocks(s, actions), width)
		if purpose == "" {
			return "\n" + text
		}
		return s.Muted.Render(ansi.Wrap(purpose, width, "")) + "\n\n" + text
	}, "?", "q")
}

// helpBlocks is one block of lines a group, in the order of their first action.
func helpBlocks(s *Styles, actions []Action) []string {
	var names []string
	lines := map[string][][2]string{}
	for _, a := range actions {
		if !a.Key.Enabled() || a.Key.Help().Desc == "" {
			continue
		}
		if lines[a.Group] == nil {
			names = append(names, a.Group)
		}
		lines[a.Group] = append(lines[a.Group], [2]string{label(a), a.Key.Help().Desc})
	}
	var out []string
	for _, n := range names {
		out = append(out, helpBlock(s, n, lines[n]))
	}
	return out
}

func helpBlock(s *Styles, name string, entries [][2]string) string {
	wide := 0
	for _, e := range entries {
		wide = max(wide, lipgloss.Width(e[0]))
	}
	out := []string{s.Accent.Render(name)}
	for _, e := range entries {
		out = append(out, s.Key.Render(PadLeft(e[0], wide))+"  "+e[1])
	}
	return strings.Join(out, "\n")
}

// columns sets blocks side by side, each under the shortest column so far.
func columns(blocks []string, width int) string {
	wide := 1
	for _, b := range blocks {
		wide = max(wide, lipgloss.Width(b))
	}
	n := max(1, min((width+helpGap)/(wide+helpGap), len(blocks)))
	cols := make([]string, n)
	for _, b := range blocks {
		best := 0
		for i := range cols {
			if lines(cols[i]) < lines(cols[best]) {
				best = i
			}
		}
		if cols[best] != "" {
			cols[best] += "\n\n"
		}
		cols[best] += b
	}
	for i := range cols[:n-1] {
		cols[i] = lipgloss.NewStyle().Width(wide + helpGap).Render(cols[i])
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, cols...)
}

func lines(s string) int {
	if s == "" {
		return 0
	}
	return lipgloss.Height(s)
}
