package conversation

import (
	"strings"

	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
)

// summaryGraph is what is known of the summaries of a conversation, and says it in words.
type summaryGraph struct {
	env           *views.Env
	tree          *tree
	coverage      *coverage // Nil until it's loaded.
	marks         map[string]summarize.Marker
	messageCounts map[string]int64 // How many messages are below a node, by its id.
}

// extent returns what a summary covers, as soon as that is loaded.
func (g *summaryGraph) extent(id string) (lineage.Extent, bool) {
	if g.coverage == nil {
		return lineage.Extent{}, false
	}
	return g.coverage.Extent(id)
}

// firstSeq returns the first message below b, or 0.
func (g *summaryGraph) firstSeq(b *branch) int64 {
	e, _ := g.extent(b.id)
	return e.First
}

// isDamaged reports whether a row stands for damage.
func (g *summaryGraph) isDamaged(b *branch) bool {
	return b.node == nil || b.cycle || g.marks[b.id] != summarize.None
}

// hasDamage reports whether any damage is known without reading more.
func (g *summaryGraph) hasDamage() bool { return len(g.marks) > 0 || g.tree.damaged }

// messagesBelow counts the messages under a node, those of a leaf that is under
// it twice once.
func (g *summaryGraph) messagesBelow(n *lineage.Node) (int64, bool) {
	if g.coverage == nil {
		return 0, false
	}
	if k, ok := g.messageCounts[n.ID]; ok {
		return k, true
	}
	total, seen := int64(0), map[string]bool{n.ID: true}
	for stack := []string{n.ID}; len(stack) > 0; {
		id := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		node, ok := g.tree.graph.Node(id)
		if !ok {
			continue
		}
		e, _ := g.extent(id)
		total += e.Messages
		for _, s := range node.Sources {
			if !seen[s] {
				seen[s] = true
				stack = append(stack, s)
			}
		}
	}
	g.messageCounts[n.ID] = total
	return total, true
}

// contextPlace returns where a node stands as seen from the context.
func (g *summaryGraph) contextPlace(n *lineage.Node) string {
	s := g.env.Styles
	if n.InContext() {
		return s.Good.Render("● in context at " + views.Itoa(n.Ordinal))
	}
	if above, ok := g.tree.graph.ContextAncestor(n); ok {
		return "○ folded into " + ui.Line(above.ID)
	}
	return s.Warn.Render("○ not in the context, and in nothing that is")
}

// sizeText returns the size of a summary and of what it stands for.
func (g *summaryGraph) sizeText(n *lineage.Node) string {
	out := ui.Tokens(n.Tokens)
	if n.SourceTokens > 0 {
		out += " for " + ui.Tokens(n.SourceTokens) + " of messages"
	}
	var from []string
	if len(n.Sources) > 0 {
		from = append(from, plural.Count(len(n.Sources), "summary", "summaries"))
	}
	if k, ok := g.messagesBelow(n); ok {
		from = append(from, plural.Count(k, "message", "messages"))
	}
	if len(from) > 0 {
		out += " · from " + strings.Join(from, ", ")
	}
	return out
}

// sourceCount returns how many sources a summary has, as far as it's known.
func (g *summaryGraph) sourceCount(n *lineage.Node) string {
	if n.Condensed() || len(n.Sources) > 0 {
		return ui.Num(int64(len(n.Sources))) + " ↓"
	}
	span, ok := g.extent(n.ID)
	switch {
	case !ok:
		return "·"
	case span.Missing > 0:
		return "!" + ui.Num(span.Messages) + "/" + ui.Num(span.Messages+span.Missing) + " msgs"
	case span.Messages == 1:
		return "1 msg"
	}
	return ui.Num(span.Messages) + " msgs"
}

// warning says what is wrong with a summary and what one can do about it.
func (g *summaryGraph) warning(n *lineage.Node) string {
	s := g.env.Styles
	var out strings.Builder
	if m := g.marks[n.ID]; m != summarize.None {
		out.WriteString(s.Bad.Render("! "+markerName(m)+": "+markerMeaning(m)) + "\n" + s.Muted.Render("  "+advice(n)) + "\n")
	}
	if span, _ := g.extent(n.ID); span.Missing > 0 {
		out.WriteString(s.Bad.Render("! "+plural.Count(span.Missing, "message", "messages")+" that it was made of can't be found") + "\n")
	}
	for _, id := range n.Sources {
		if _, ok := g.tree.graph.Node(id); !ok {
			out.WriteString(s.Bad.Render("! its source "+ui.Line(id)+" is missing") + "\n")
		}
	}
	return out.String()
}

// dissolveReason says why b can't be dissolved, or is empty.
func (g *summaryGraph) dissolveReason(b *branch) string {
	switch {
	case b.node == nil:
		return "there is no summary"
	case g.env.ReadOnly() != "":
		return g.env.ReadOnly()
	case !b.node.Condensed():
		return "it was made of messages; only a summary of summaries can be dissolved"
	case len(b.node.Sources) == 0:
		return "nothing that it was made of is left"
	case !b.node.InContext():
		if above, ok := g.tree.graph.ContextAncestor(b.node); ok {
			return "it isn't in the context: " + views.ShortID(above.ID, views.IDWidth) + " stands there for it"
		}
		return "it isn't in the context"
	}
	return ""
}
