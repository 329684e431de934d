package summarize

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
)

// maxPrevious is how many previous summaries a model is shown.
const maxPrevious = 2

// MaxPreviousDepth is the greatest depth of a summary for which the model is shown previous
// summaries.
const MaxPreviousDepth = 1

// Previous returns the previous context that a model is shown, of texts that Form.Summary gave: the
// last two that aren't empty, in their order. For a leaf they are the summaries before it in
// the context; for a summary of depth 1 the leaves among them.
func Previous(texts ...string) string {
	texts = slices.DeleteFunc(texts, func(t string) bool { return t == "" })
	return strings.Join(texts[max(0, len(texts)-maxPrevious):], "\n\n")
}

// PreviousOf returns the previous context for a summary that exists, when it is regenerated.
// Fallback summaries and broken ones are skipped.
func (f Form) PreviousOf(ctx context.Context, db *data.DB, g *lineage.Graph, id string, broken map[string]bool) (string, error) {
	var texts []string
	for _, earlier := range slices.Backward(EarlierSummaries(g, id)) {
		if len(texts) == maxPrevious {
			break
		}
		if broken[earlier] {
			continue
		}
		s, err := lcm.ReadSummary(ctx, db, earlier)
		if err != nil {
			return "", err
		}
		if text := f.Summary(s.Content); Detect(s.Content, s.Model) == None && text != "" {
			texts = append(texts, text)
		}
	}
	slices.Reverse(texts)
	return Previous(texts...), nil
}

// EarlierSummaries returns the ids of the summaries that came before one, oldest first: before
// it in the context if it stands there, else before it among the sources of what
// was made of it and so on upwards. Of summaries above depth 0 they are those of
// its depth. There are none for depth 2 and more.
func EarlierSummaries(g *lineage.Graph, id string) []string {
	n, ok := g.Node(id)
	if !ok || n.Depth > MaxPreviousDepth {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for at := n; at != nil && !seen[at.ID]; {
		seen[at.ID] = true
		row, above := siblingsBefore(g, at)
		out = append(ofSameDepth(g, n, row), out...)
		at = above
	}
	return out
}

// siblingsBefore returns the ids before a node, in the context or among the sources of the
// first node that was made of it, which is then above.
func siblingsBefore(g *lineage.Graph, n *lineage.Node) (ids []string, above *lineage.Node) {
	if n.InContext() {
		return contextBefore(g, n), nil
	}
	for _, d := range n.Derived {
		if above, ok := g.Node(d); ok {
			return above.Sources[:max(0, slices.Index(above.Sources, n.ID))], above
		}
	}
	return nil, nil
}

// contextBefore returns the ids of the summaries before a node in the context.
func contextBefore(g *lineage.Graph, n *lineage.Node) (ids []string) {
	var nodes []*lineage.Node
	for _, o := range g.Nodes() {
		if o.InContext() && o.Ordinal < n.Ordinal {
			nodes = append(nodes, o)
		}
	}
	slices.SortStableFunc(nodes, func(a, b *lineage.Node) int { return int(a.Ordinal - b.Ordinal) })
	for _, o := range nodes {
		ids = append(ids, o.ID)
	}
	return ids
}

// ofSameDepth returns those of ids that say what came before n.
func ofSameDepth(g *lineage.Graph, n *lineage.Node, ids []string) (out []string) {
	for _, id := range ids {
		if o, ok := g.Node(id); ok && (n.Depth == 0 || o.Depth == n.Depth) {
			out = append(out, id)
		}
	}
	return out
}
