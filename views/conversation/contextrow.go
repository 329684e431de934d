package conversation

import (
	"fmt"

	"github.com/charmbracelet/x/ansi"

	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// shareFrom is the width of a row from which an item's share of the budget stands in it;
// below, the text needs the room.
const shareFrom = 96

// render draws one item.
func (v *Context) render(r *contextRow, width int, _ bool) string {
	s := v.Env().Styles
	sign := " "
	switch {
	case r.Missing, r.Unreadable, v.isDamaged(r):
		sign = s.Bad.Render("!")
	case !r.kept:
		sign = s.Bad.Render("×")
	case r.prepared != "":
		sign = pictureStyle(s, r.prepared).Render(pictureStates[pictureState(r.prepared)].sign)
	}
	left := ui.PadLeft(views.Itoa(r.Ordinal), v.sums.ordinals) + " " + sign + " "
	if r.Missing {
		return ui.Cut(left+s.Bad.Render("missing: there is no "+ui.LineN(r.Type, 10)+" "+views.ShortID(r.Ref(), 20)), width)
	}
	kind, id := s.Role(r.Role).Render(ui.LineN(r.Role, 9)), "#"+views.Itoa(r.Seq)
	if r.IsSummary() {
		kind, id = depthLabel(s, r.Depth), views.ShortID(r.Summary, views.IDWidth)
	}
	what := ui.Pad(kind+" "+id, v.sums.names)
	if width >= shareFrom {
		what = ui.Pad(kind, 9) + " " + ui.Pad(id, views.IDWidth)
	}
	size := " " + ui.PadLeft(ui.Tokens(r.Tokens), v.sums.amounts)
	if width >= shareFrom {
		share := float64(r.Tokens) / float64(max(1, v.budget))
		size += " " + s.Muted.Render(ui.PadLeft(fmt.Sprintf("%.1f%%", 100*share), 6)) + " " +
			pieceStyle(v.Env().Styles, r.piece()).Render(ui.Bar(7, float64(r.Tokens)/float64(max(1, v.sums.largest))))
	}
	line := left + what + size + "  "
	text := views.ItemPreview(&r.ContextItem, max(1, width-ansi.StringWidth(line)))
	if m := v.marks[r.Summary]; r.IsSummary() && m != summarize.None {
		text = s.Bad.Render(markerName(m)) + " " + text
	}
	line = ui.Cut(line+text, width)
	if !r.kept {
		return s.Faint.Render(ansi.Strip(line))
	}
	return line
}

// Legend implements ui.Legender.
func (v *Context) Legend() []ui.Sign {
	s := v.Env().Styles
	return append([]ui.Sign{
		{Mark: s.Bad.Render("×"), Meaning: "evicted: it doesn't fit the budget"},
		{Mark: s.Bad.Render("!"), Meaning: "missing, or a summary that no model made"},
		{Mark: "#12", Meaning: "a message, by its number in the conversation"},
		{Mark: s.Good.Render("▓") + " " + s.Accent.Render("░"), Meaning: "the host has prepared a summary of it, or plans one: p shows them"},
		{Mark: s.Accent.Render("──"), Meaning: "where the fresh tail begins, which is never evicted"},
	}, v.Env().DepthSigns()...)
}
