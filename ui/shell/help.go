package shell

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

const (
	helpGap         = 3
	helpColumnWidth = 34 // Of the narrowest column.
)

// newHelp returns an overlay of every key of the screen, in columns by group, under a sentence on
// what the screen is for. A key that is off now is grey, with the reason. The marks of the
// screen come last. The help of bubbles lists only keys that work, and cuts the others off. Esc and the keys of quit close it.
func newHelp(s *ui.Styles, top ui.Screen, actions func() []ui.Action, quit ...string) overlay {
	return newSheet(s, ui.Line(top.Title()), func(width int) string {
		purpose := ui.Line(top.Purpose())
		var signs []ui.Sign
		if l, ok := top.(ui.Legender); ok {
			signs = l.Legend()
		}
		n := max(1, (width+helpGap)/(helpColumnWidth+helpGap))
		column := max(1, (width-(n-1)*helpGap)/n)
		text := columns(append(helpBlocks(s, actions(), column), legendBlock(s, signs, column)...), n, column)
		if purpose == "" {
			return "\n" + text
		}
		return s.Muted.Render(ansi.Wrap(purpose, width, "")) + "\n\n" + text
	}, quit...)
}

// helpBlocks returns one block of lines a group, in the order of their first action. Two actions
// of one key and one description are one entry.
func helpBlocks(s *ui.Styles, actions []ui.Action, width int) []string {
	var names []string
	groups, seen := map[string][]ui.Action{}, map[[2]string]int{}
	for _, a := range actions {
		if a.Key.Help().Desc == "" {
			continue
		}
		id := [2]string{label(a), a.Key.Help().Desc}
		if at, double := seen[id]; double {
			if g := groups[a.Group]; at < len(g) && !g[at].Key.Enabled() && a.Key.Enabled() {
				g[at] = a
			}
			continue
		}
		if groups[a.Group] == nil {
			names = append(names, a.Group)
		}
		seen[id] = len(groups[a.Group])
		groups[a.Group] = append(groups[a.Group], a)
	}
	var out []string
	for _, n := range names {
		if len(groups[n]) > 0 {
			out = append(out, helpBlock(s, n, groups[n], width))
		}
	}
	return out
}

func helpBlock(s *ui.Styles, name string, actions []ui.Action, width int) string {
	wide := 0
	for _, a := range actions {
		wide = max(wide, lipgloss.Width(label(a)))
	}
	out := []string{s.Accent.Render(name)}
	for _, a := range actions {
		key, what := s.Key, a.Key.Help().Desc
		if !a.Key.Enabled() {
			key, what = s.Faint, what+" – "+reason(a)
		}
		out = append(out, helpEntry(key.Render(ui.PadLeft(label(a), wide)), what, wide, width, a.Key.Enabled(), s))
	}
	return strings.Join(out, "\n")
}

// helpEntry returns a head of wide cells and a text beside it, wrapped, in width cells.
func helpEntry(head, text string, wide, width int, on bool, s *ui.Styles) string {
	style := lipgloss.NewStyle()
	if !on {
		style = s.Faint
	}
	lines := strings.Split(ansi.Wrap(ui.Line(text), max(4, width-wide-2), ""), "\n")
	for i, l := range lines {
		lines[i] = style.Render(l)
	}
	return head + "  " + strings.Join(lines, "\n"+strings.Repeat(" ", wide+2))
}

// legendBlock returns the marks of the screen, as one block.
func legendBlock(s *ui.Styles, signs []ui.Sign, width int) []string {
	if len(signs) == 0 {
		return nil
	}
	wide := 0
	for _, g := range signs {
		wide = max(wide, lipgloss.Width(g.Mark))
	}
	out := []string{s.Accent.Render("Marks")}
	for _, g := range signs {
		out = append(out, helpEntry(ui.Pad(g.Mark, wide), g.Meaning, wide, width, true, s))
	}
	return []string{strings.Join(out, "\n")}
}

// columns sets blocks in n columns of width cells side by side, each block under the
// shortest column so far.
func columns(blocks []string, n, width int) string {
	n = max(1, min(n, len(blocks)))
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
		cols[i] = lipgloss.NewStyle().Width(width + helpGap).Render(cols[i])
	}
	return lipgloss.JoinHorizontal(lipgloss.Top, cols...)
}

func lines(s string) int {
	if s == "" {
		return 0
	}
	return lipgloss.Height(s)
}
