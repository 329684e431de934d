package conversation

import (
	"encoding/json"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	mostSources = 300 // Listed in a detail.
	stampFormat = "2006-01-02 15:04"
)

// describe returns everything about the node of b, and its text.
func (v *Summaries) describe(b *branch, p *fullText, width int) string {
	s, zone := v.Env().Styles, v.Env().Now().Location()
	if b.node == nil {
		return v.describeMissing(b)
	}
	n := b.node
	var out strings.Builder
	out.WriteString(s.Title.Render(ui.Line(n.ID)) + "\n")
	out.WriteString(depthLabel(s, n.Depth) + " " + ui.Line(n.Kind) + s.Muted.Render(" · ") + v.contextPlace(n) + "\n")
	for _, l := range []string{timeRange(n, zone), v.sizeText(n), modelText(n, zone), filesText(n), parentsText(n)} {
		if l != "" {
			out.WriteString(s.Muted.Render(l) + "\n")
		}
	}
	if b.cycle {
		out.WriteString(s.Bad.Render("! it is made of itself: its sources lead back to it") + "\n" +
			s.Muted.Render("  the links between these summaries are damaged; nothing is shown below it here") + "\n")
	}
	out.WriteString(v.warning(n))
	out.WriteString("\n")
	switch {
	case p != nil && strings.TrimSpace(p.layOut(width, s.DarkBackground)) == "":
		out.WriteString(s.Warn.Render("~ the text is empty") + "\n")
	case p != nil:
		out.WriteString(v.Hub.Mark(p.layOut(width, s.DarkBackground)) + "\n")
		v.ScrollToMark(b.id, out.String())
	default:
		out.WriteString(ui.Sanitize(n.Content) + s.Faint.Render(" …") + "\n")
	}
	out.WriteString(v.sourceLines(n, p, width))
	return out.String()
}

func (g *summaryGraph) describeMissing(b *branch) string {
	s := g.env.Styles
	above := g.tree.steps[b.above].id
	return s.Title.Render(ui.Line(b.id)) + "\n" + s.Bad.Render("! missing") + "\n\n" +
		ui.Line(above) + " names it as a source, but there is no such summary in this conversation.\n\n" +
		s.Muted.Render("What it covered may still be found through the other sources, or in the messages.") + "\n"
}

// timeRange returns what a summary covers, in the user's zone.
func timeRange(n *lineage.Node, zone *time.Location) string {
	show := func(t data.Time) string {
		switch {
		case t.Valid():
			return t.In(zone).Format(stampFormat)
		case t.Null || t.Raw == "":
			return "no time"
		}
		return "~ " + ui.LineN(t.Raw, 24)
	}
	out := show(n.EarliestAt) + " – " + show(n.LatestAt)
	if n.LatestAt.Valid() {
		out += " " + n.LatestAt.In(zone).Format("MST")
	}
	return out
}

// modelText returns who made a summary and when.
func modelText(n *lineage.Node, zone *time.Location) string {
	var out []string
	if n.Model != "" {
		out = append(out, ui.Line(n.Model))
	}
	if n.CreatedAt.Valid() {
		out = append(out, "made "+n.CreatedAt.In(zone).Format(stampFormat))
	}
	return strings.Join(out, " · ")
}

// filesText returns the large files that a summary names.
func filesText(n *lineage.Node) string {
	raw := strings.TrimSpace(n.FileIDs)
	if raw == "" || raw == "[]" || raw == "null" {
		return ""
	}
	var ids []string
	if json.Unmarshal([]byte(raw), &ids) != nil {
		return "files ~ " + ui.LineN(raw, 60)
	}
	for i, id := range ids {
		ids[i] = ui.Line(id)
	}
	return "files " + strings.Join(ids, ", ")
}

// parentsText returns the summaries under which a node stands, when there is more than
// one.
func parentsText(n *lineage.Node) string {
	if len(n.Derived) < 2 {
		return ""
	}
	ids := make([]string, len(n.Derived))
	for i, id := range n.Derived {
		ids[i] = ui.Line(id)
	}
	return "under " + ui.Num(int64(len(ids))) + " summaries: " + strings.Join(ids, ", ")
}

func markerMeaning(m summarize.Marker) string {
	switch m {
	case summarize.Truncated:
		return "no model answered, so this is its source, cut off"
	case summarize.Fallback:
		return "the model's answer could not be used, so this is the start of its source"
	case summarize.Old:
		return "a mark of an old build: this is the start of its source"
	}
	return "made in an emergency, without a model having read all of its source"
}

func advice(n *lineage.Node) string {
	switch {
	case n.Condensed() && n.InContext():
		return "d puts what it was made of back into the context; m shows the messages"
	case !n.Condensed():
		return "its messages are whole: m shows them"
	}
	return "m shows its messages; what it was made of is below it in the tree"
}

// sourceLines returns what a summary was made of, a line each.
func (g *summaryGraph) sourceLines(n *lineage.Node, p *fullText, width int) string {
	s := g.env.Styles
	var lines []string
	for _, id := range n.Sources {
		src, ok := g.tree.graph.Node(id)
		if !ok {
			lines = append(lines, s.Bad.Render("! missing ")+ui.Line(id))
			continue
		}
		lines = append(lines, depthLabel(s, src.Depth)+" "+views.ShortID(id, views.IDWidth)+" "+ui.PadLeft(ui.Tokens(src.Tokens), 7)+"  "+views.Opening(src.Content, width))
	}
	if p != nil {
		for _, m := range p.sources {
			lines = append(lines, messageLine(s, m, width))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	more := ""
	if k := len(lines) - mostSources; k > 0 {
		lines, more = lines[:mostSources], s.Muted.Render("and "+ui.Num(int64(k))+" more")+"\n"
	}
	for i := range lines {
		lines[i] = ui.Cut(lines[i], width)
	}
	return "\n" + s.Title.Render("Made of") + "\n" + strings.Join(lines, "\n") + "\n" + more
}

// messageLine returns a message in one line.
func messageLine(s *ui.Styles, m lcm.Message, width int) string {
	text := ui.LineN(m.Content, width)
	if text == "" {
		text = s.Faint.Render("no text, tools only")
	}
	role := ui.LineN(m.Role, 9)
	return s.Role(m.Role).Render(ui.Pad(role, 9)) + " " + ui.PadLeft("#"+views.Itoa(m.Seq), 6) + " " + ui.PadLeft(ui.Tokens(m.Tokens), 7) + "  " + text
}
