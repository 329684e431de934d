package views

import (
	"strings"

	"charm.land/lipgloss/v2"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
)

// HitStyle returns how a match is marked: also where there is no colour.
func HitStyle(s *ui.Styles) lipgloss.Style { return s.Warn.Bold(true).Underline(true) }

// MarkSpans returns a text with some spans in a style. Every piece goes through clean, because the
// text is that of others.
func MarkSpans(text string, spans []search.Span, style lipgloss.Style, clean func(string) string) string {
	var b strings.Builder
	at := 0
	for _, sp := range spans {
		if sp.From < at || sp.To > len(text) || sp.To <= sp.From {
			continue
		}
		b.WriteString(clean(text[at:sp.From]))
		b.WriteString(renderLines(style, clean(text[sp.From:sp.To])))
		at = sp.To
	}
	b.WriteString(clean(text[at:]))
	return b.String()
}

// UnderlineMarks underlines what marks finds in a styled text, line by line.
func UnderlineMarks(styled string, marks func(string) []search.Span) string {
	find := func(text string) (out [][2]int) {
		for _, sp := range marks(text) {
			out = append(out, [2]int{sp.From, sp.To})
		}
		return out
	}
	lines := strings.Split(styled, "\n")
	for i, l := range lines {
		lines[i] = ui.UnderlineFound(l, find)
	}
	return strings.Join(lines, "\n")
}

// renderLines renders every line of a text in a style. Lipgloss would fill the lines of a text
// to one width.
func renderLines(style lipgloss.Style, text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if l != "" {
			lines[i] = style.Render(l)
		}
	}
	return strings.Join(lines, "\n")
}

// JoinLines makes one text of lines.
func JoinLines(lines []string) string { return strings.Join(lines, "\n") }
