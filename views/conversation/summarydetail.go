package conversation

import (
	"encoding/json"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

const (
	mostSources = 300 // Listed in a detail.
	stampFormat = "2006-01-02 15:04"
)

// describe returns everything about the node of b, and its text.
func (v *Summaries) describe(b *branch, p *fullText, width int) string {
	s := v.Env().Styles
	if b.node == nil {
		return v.describeMissing(b)
	}
	n := b.node
	var out strings.Builder
	out.WriteString(s.Title.Render(ui.Line(n.ID)) + "\n")
	out.WriteString(depthLabel(s, n.Depth) + " " + ui.Line(n.Kind) + s.Muted.Render(" · ") + v.contextPlace(n) + "\n")
	for _, l := range []string{v.timeRange(n), v.sizeText(n), v.modelText(n), v.filesText(n), v.parentsText(n)} {
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

func (v *Summaries) describeMissing(b *branch) string {
	s := v.Env().Styles
	above := v.tree.steps[b.above].id
	return s.Title.Render(ui.Line(b.id)) + "\n" + s.Bad.Render("! missing") + "\n\n" +
		ui.Line(above) + " names it as a source, but there is no such summary in this conversation.\n\n" +
		s.Muted.Render("What it covered may still be found through the other sources, or in the messages.") + "\n"
}

// contextPlace returns where a node stands as seen from the context.
func (v *Summaries) contextPlace(n *lineage.Node) string {
	s := v.Env().Styles
	if n.InContext() {
		return s.Good.Render("● in context at " + views.Itoa(n.Ordinal))
	}
	if above, ok := v.tree.graph.ContextAncestor(n); ok {
		return "○ folded into " + ui.Line(above.ID)
	}
	return s.Warn.Render("○ not in the context, and in nothing that is")
}

// timeRange returns what a summary covers, in the user's zone.
func (v *Summaries) timeRange(n *lineage.Node) string {
	zone := v.Env().Now().Location()
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

// sizeText returns the size of a summary and of what it stands for.
func (v *Summaries) sizeText(n *lineage.Node) string {
	out := ui.Tokens(n.Tokens)
	if n.SourceTokens > 0 {
		out += " for " + ui.Tokens(n.SourceTokens) + " of messages"
	}
	var from []string
	if len(n.Sources) > 0 {
		from = append(from, plural.Count(len(n.Sources), "summary", "summaries"))
	}
	if k, ok := v.messagesBelow(n); ok {
		from = append(from, plural.Count(k, "message", "messages"))
	}
	if len(from) > 0 {
		out += " · from " + strings.Join(from, ", ")
	}
	return out
}

// messagesBelow counts the messages under a node, those of a leaf that is under
// it twice once.
func (v *Summaries) messagesBelow(n *lineage.Node) (int64, bool) {
	if v.coverage == nil {
		return 0, false
	}
	if k, ok := v.messageCounts[n.ID]; ok {
		return k, true
	}
	total, seen := int64(0), map[string]bool{n.ID: true}
	for stack := []string{n.ID}; len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		node, ok := v.tree.graph.Node(id)
		if !ok {
			continue
		}
		e, _ := v.extent(id)
		total += e.Messages
		for _, s := range node.Sources {
			if !seen[s] {
				seen[s] = true
				stack = append(stack, s)
			}
		}
	}
	v.messageCounts[n.ID] = total
	return total, true
}

// modelText returns who made a summary and when.
func (v *Summaries) modelText(n *lineage.Node) string {
	var out []string
	if n.Model != "" {
		out = append(out, ui.Line(n.Model))
	}
	if n.CreatedAt.Valid() {
		out = append(out, "made "+n.CreatedAt.In(v.Env().Now().Location()).Format(stampFormat))
	}
	return strings.Join(out, " · ")
}

// filesText returns the large files that a summary names.
func (v *Summaries) filesText(n *lineage.Node) string {
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
func (v *Summaries) parentsText(n *lineage.Node) string {
	if len(n.Derived) < 2 {
		return ""
	}
	ids := make([]string, len(n.Derived))
	for i, id := range n.Derived {
		ids[i] = ui.Line(id)
	}
	return "under " + ui.Num(int64(len(ids))) + " summaries: " + strings.Join(ids, ", ")
}

// warning says what is wrong with a summary and what one can do about it.
func (v *Summaries) warning(n *lineage.Node) string {
	s := v.Env().Styles
	var out strings.Builder
	if m := v.marks[n.ID]; m != summarize.None {
		out.WriteString(s.Bad.Render("! "+markerName(m)+": "+markerMeaning(m)) + "\n" + s.Muted.Render("  "+v.advice(n)) + "\n")
	}
	if span, _ := v.extent(n.ID); span.Missing > 0 {
		out.WriteString(s.Bad.Render("! "+plural.Count(span.Missing, "message", "messages")+" that it was made of can't be found") + "\n")
	}
	for _, id := range n.Sources {
		if _, ok := v.tree.graph.Node(id); !ok {
			out.WriteString(s.Bad.Render("! its source "+ui.Line(id)+" is missing") + "\n")
		}
	}
	return out.String()
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

func (v *Summaries) advice(n *lineage.Node) string {
	switch {
	case n.Condensed() && n.InContext():
		return "d puts what it was made of back into the context; m shows the messages"
	case !n.Condensed():
		return "its messages are whole: m shows them"
	}
	return "m shows its messages; what it was made of is below it in the tree"
}

// sourceLines returns what a summary was made of, a line each.
func (v *Summaries) sourceLines(n *lineage.Node, p *fullText, width int) string {
	s := v.Env().Styles
	var lines []string
	for _, id := range n.Sources {
		src, ok := v.tree.graph.Node(id)
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
