package views

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
)

// render draws one item.
func (v *Context) render(r *contextRow, width int, _ bool) string {
	s := v.env().Styles
	sign := " "
	switch {
	case r.Missing, r.Unreadable, v.broken(r):
		sign = s.Bad.Render("!")
	case !r.kept:
		sign = s.Bad.Render("×")
	}
	left := ui.PadLeft(itoa(r.Ordinal), v.sums.ordinals) + " " + sign + " "
	if r.Missing {
		return ui.Cut(left+s.Bad.Render("missing: there is no "+ui.LineN(r.Type, 10)+" "+shortID(r.Ref(), 20)), width)
	}
	what := s.Role(r.Role).Render(ui.Pad(ui.LineN(r.Role, 9), 9)) + " " + ui.Pad("#"+itoa(r.Seq), idInList)
	if r.IsSummary() {
		what = ui.Pad(depthLabel(s, r.Depth), 9) + " " + ui.Pad(shortID(r.Summary, idInList), idInList)
	}
	share := float64(r.Tokens) / float64(max(1, v.budget))
	size := " " + ui.PadLeft(ui.Tokens(r.Tokens), 7) + " " + s.Muted.Render(ui.PadLeft(fmt.Sprintf("%.1f%%", 100*share), 6))
	if width >= 72 {
		size += " " + v.pieceStyle(r.piece()).Render(ui.Bar(7, float64(r.Tokens)/float64(max(1, v.sums.largest))))
	}
	line := left + what + size + "  "
	text := opening(r.Preview, max(1, width-ansi.StringWidth(line)))
	if m := v.marks[r.Summary]; r.IsSummary() && m != summarize.None {
		text = s.Bad.Render(markerName(m)) + " " + text
	}
	line = ui.Cut(line+text, width)
	if !r.kept {
		return s.Faint.Render(ansi.Strip(line))
	}
	return line
}
