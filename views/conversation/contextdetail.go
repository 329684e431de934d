package conversation

import (
	"fmt"
	"strings"

	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// describe returns everything about an item, and its text.
func (v *Context) describe(r *contextRow, p *fullText, width int) string {
	s := v.Env().Styles
	var out strings.Builder
	out.WriteString(itemName(v.Env().Styles, r) + "\n")
	if r.Missing {
		return out.String() + s.Bad.Render("! missing") + "\n\n" +
			"The context names this " + ui.LineN(r.Type, 20) + " at " + views.Itoa(r.Ordinal) + ", but its row is gone. The host skips it.\n"
	}
	out.WriteString(s.Muted.Render(v.figures(r)) + "\n")
	if m := v.marks[r.Summary]; r.IsSummary() && m != summarize.None {
		out.WriteString(s.Bad.Render("! "+markerName(m)+": "+markerMeaning(m)) + "\n")
	}
	if !r.kept {
		out.WriteString(s.Bad.Render("× falls out under a budget of "+ui.Num(v.budget)) + "\n")
	}
	out.WriteString(v.preparedText(r) + "\n")
	switch {
	case p == nil:
		out.WriteString(ui.Sanitize(r.Preview) + s.Faint.Render(" …"))
	case strings.TrimSpace(p.layOut(width, s.DarkBackground)) == "":
		out.WriteString(s.Muted.Render("there is no text in it"))
	default:
		out.WriteString(p.layOut(width, s.DarkBackground))
	}
	return out.String() + "\n"
}

// itemName returns what an item is, in full.
func itemName(s *ui.Styles, r *contextRow) string {
	if r.IsSummary() {
		if r.Missing {
			return s.Title.Render(ui.Line(r.Summary))
		}
		return s.Title.Render(ui.Line(r.Summary)) + "\n" + depthLabel(s, r.Depth) + " " + ui.LineN(r.Kind, 20) + s.Muted.Render(" · at "+views.Itoa(r.Ordinal))
	}
	if r.Missing {
		return s.Title.Render("message " + views.Itoa(r.Message))
	}
	return s.Title.Render("#"+views.Itoa(r.Seq)) + " " + s.Role(r.Role).Render(ui.LineN(r.Role, 20)) +
		s.Muted.Render(" · message "+views.Itoa(r.Message)+" · at "+views.Itoa(r.Ordinal))
}

// figures returns when an item is from, and its size.
func (v *Context) figures(r *contextRow) string {
	share := fmt.Sprintf("%.1f%% of the budget", 100*float64(r.Tokens)/float64(max(1, v.budget)))
	out := ui.Tokens(r.Tokens) + ", " + share
	if r.At.Valid() {
		t := r.At.In(v.Env().Now().Location())
		until := ""
		if r.IsSummary() {
			until = "until "
		}
		out = until + t.Format(stampFormat+" MST") + " · " + out
	}
	if r.tail {
		out += " · fresh tail"
	}
	return out
}
