package search

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/ui"
)

// maxNotes is how many lines say what could not be understood or searched.
const maxNotes = 2

// headLines returns the lines above the hits: the query with the count, how it is searched, and
// what there is to say about it.
func (v *Search) headLines(width, _ int) []string {
	s := v.env.Styles
	if v.saveTo.Typing() {
		return []string{" " + v.saveTo.View(width-1), s.Muted.Render(ui.Cut(" "+v.mode.text(), width))}
	}
	count := v.run.resultText(&v.hits)
	input := v.prompt.View(max(8, width-ansi.StringWidth(count)-3))
	if v.prompt.replaces && v.prompt.Typing() {
		count = "typing begins another query"
		input = v.prompt.View(max(8, width-ansi.StringWidth(count)-3))
	}
	lines := []string{" " + input + " " + s.Muted.Render(count) + " "}
	left, right := " "+v.mode.text(), v.run.stateText()+" "
	if v.run.stateText() == "" && v.origin != 0 && !v.query.IsEmpty() && v.prompt.Typing() && !v.prompt.has(onlyIn(v.origin)) {
		right = "alt+i only " + ui.LineN(v.names.of(v.origin), 28) + " "
	}
	if ansi.StringWidth(left)+ansi.StringWidth(right) >= width {
		left = ui.Cut(left, max(0, width-ansi.StringWidth(right)-1))
	}
	style := s.Muted
	if v.run.stream != nil {
		style = s.Accent
	}
	gap := max(0, width-ansi.StringWidth(left)-ansi.StringWidth(right))
	lines = append(lines, ui.Cut(s.Muted.Render(left)+strings.Repeat(" ", gap)+style.Render(right), width))
	notes := append(v.query.Notes[:len(v.query.Notes):len(v.query.Notes)], v.run.notes...)
	for i, n := range notes {
		if i == maxNotes {
			break
		}
		lines = append(lines, s.Warn.Render(" ~ "+ui.LineN(n, width-3)))
	}
	return lines
}
