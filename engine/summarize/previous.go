package summarize

import (
	"context"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/engine/lineage"
)

// maxPrevious is how many summaries a model is told of what came before.
const maxPrevious = 2

// MaxPreviousDepth is the greatest depth of a summary whose model is told what
// came before. What is condensed from deeper stands for itself.
const MaxPreviousDepth = 1

// Previous is what a model is told of what came before: the last two of the texts
// that aren't blank, in their order. For a leaf they are those of the summaries
// before it in the context; for one of depth 1 those of the leaves among them.
func (f Form) Previous(texts ...string) string {
	var out []string
	for _, t := range slices.Backward(texts) {
		if t = f.Summary(t); t != "" && len(out) < maxPrevious {
			out = append(out, t)
		}
	}
	slices.Reverse(out)
	return strings.Join(out, "\n\n")
}

// Before is what a model is told of what came before a summary that exists, when
// it is made again. Summaries that no model made, and those that are broken, are
// passed over.
func (f Form) Before(ctx context.Context, db *data.DB, g *lineage.Graph, id string, broken map[string]bool) (string, error) {
	var texts []string
	for _, earlier := range slices.Backward(Earlier(g, id)) {
		if len(texts) == maxPrevious {
			break
		}
		if broken[earlier] {
			continue
		}
		s, err := db.Summary(ctx, earlier)
		if err != nil {
			return "", err
		}
		if Detect(s.Content, s.Model) == None && f.Summary(s.Content) != "" {
			texts = append(texts, s.Content)
		}
	}
	slices.Reverse(texts)
	return f.Previous(texts...), nil
}

// Earlier are the ids of the summaries that came before one, oldest first: before
// it in the context if it stands there, else before it among the sources of what
// was made of it and so on upwards. Of summaries above depth 0 they are those of
// its depth. There are none for depth 2 and more.
func Earlier(g *lineage.Graph, id string) []string {
	n, ok := g.Node(id)
	if !ok || n.Depth > MaxPreviousDepth {
		return nil
	}
	var out []string
	seen := map[string]bool{}
	for at := n; at != nil && !seen[at.ID]; {
		seen[at.ID] = true
		row, above := beside(g, at)
		out = append(fitting(g, n, row), out...)
		at = above
	}
	return out
}

// beside are the ids before a node, in the context or among the sources of the
// first node that was made of it, which is then above.
func beside(g *lineage.Graph, n *lineage.Node) (ids []string, above *lineage.Node) {
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

func contextBefore(g *lineage.Graph, n *lineage.Node) (ids []string) {
	var nodes []*lineage.Node
	for _, o := range g.Nodes() {
		if o.InContext() && o.Ordinal < n.Ordinal {
			nodes = append(nodes, o)
		}
	}
	slices.SortFunc(nodes, func(a, b *lineage.Node) int { return int(a.Ordinal - b.Ordinal) })
	for _, o := range nodes {
		ids = append(ids, o.ID)
	}
	return ids
}

// fitting are those of ids that say what came before n.
func fitting(g *lineage.Graph, n *lineage.Node, ids []string) (out []string) {
	for _, id := range ids {
		if o, ok := g.Node(id); ok && (n.Depth == 0 || o.Depth == n.Depth) {
			out = append(out, id)
		}
	}
	return out
}
