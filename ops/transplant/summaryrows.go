package transplant

import (
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/token"
)

// summaryCopier copies the rows of summaries, with the links between them.
type summaryCopier struct {
	*rowWriter
	conversation int64 // The target's id.
	graph        *lineage.Graph
	selection    *selection
	present      *duplicates
	originals    *originals
	files        *fileCopies
	numbers      *numbering
	estimator    token.Estimator
}

// copyAll adds the summaries and the links between them.
func (c *summaryCopier) copyAll() {
	var links []data.Row
	counters, unlinked := c.counters(), c.unlinkedTokens()
	for _, n := range c.selection.nodes {
		r := c.summary(n, counters[n.ID])
		const column = "source_message_token_count"
		if counted := c.originals.summaries[n.ID][column]; unlinked[n.ID] > 0 && counted != nil && r[column] != nil {
			r[column] = max(0, data.CellInteger(counted)-unlinked[n.ID])
		}
		c.insert("summaries", r)
		for i, id := range c.sources(n) {
			links = append(links, data.Row{"summary_id": c.numbers.summaries[n.ID], "parent_summary_id": c.numbers.summaries[id], "ordinal": int64(i)})
		}
	}
	for _, l := range links {
		c.insert("summary_parents", l)
	}
}

// sources returns the ids of a node's sources that are copied, each once.
func (c *summaryCopier) sources(n *lineage.Node) (out []string) {
	for _, id := range n.Sources {
		if _, ok := c.numbers.summaries[id]; ok && !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// summary returns the row of a copied summary.
func (c *summaryCopier) summary(n *lineage.Node, counted lineage.Counters) data.Row {
	const table = "summaries"
	r := c.fit(table, c.originals.summaries[n.ID])
	r["summary_id"], r["conversation_id"] = c.numbers.summaries[n.ID], c.conversation
	kind := lcm.KindLeaf
	if len(n.Sources) > 0 {
		kind = lcm.KindCondensed
	}
	r["kind"] = oneOf(r["kind"], kind, lcm.KindLeaf, lcm.KindCondensed)
	text := c.files.rename(data.CellText(r["content"]))
	if text != r["content"] {
		r["content"] = text
	}
	c.fill(table, r, "token_count", c.estimator.Count(text))
	c.fill(table, r, "depth", n.Depth)
	c.fill(table, r, "created_at", c.db.FormatNow())
	c.fill(table, r, "file_ids", "[]")
	c.fill(table, r, "model", "unknown")
	r["file_ids"] = c.files.rename(data.CellText(r["file_ids"]))
	c.fill(table, r, "descendant_count", counted.Descendants)
	c.fill(table, r, "descendant_token_count", counted.DescendantTokens)
	c.fill(table, r, "source_message_token_count", counted.SourceTokens)
	return r
}

// counters returns the counters of the copied summaries, for a source whose rows have none:
// hosts fill them in only once, when they first open a file.
func (c *summaryCopier) counters() map[string]lineage.Counters {
	tokens := map[int64]int64{}
	for _, r := range c.originals.messages {
		tokens[data.CellInteger(r["message_id"])] = data.CellInteger(r["token_count"])
	}
	for original, id := range c.selection.present {
		if !c.present.referenced[id] {
			tokens[original] = c.present.tokens[original]
		}
	}
	out := make(map[string]lineage.Counters, len(c.selection.nodes))
	for _, n := range c.selection.nodes { // Sources first.
		leaf := *n
		leaf.SourceTokens = 0
		for _, l := range c.selection.links[n.ID] {
			leaf.SourceTokens += tokens[l.Message]
		}
		out[n.ID] = c.graph.Counters(&leaf, func(s *lineage.Node) int64 { return s.Tokens },
			func(s *lineage.Node) lineage.Counters { return out[s.ID] })
	}
	return out
}

// unlinkedTokens sums the tokens of the messages below each summary that it isn't linked to
// any more, because the target already covers them.
func (c *summaryCopier) unlinkedTokens() map[string]int64 {
	out := map[string]int64{}
	for _, n := range c.selection.nodes { // Sources first.
		out[n.ID] = c.present.unlinkedTokens(c.selection.links[n.ID])
		for _, id := range c.sources(n) {
			out[n.ID] += out[id]
		}
	}
	return out
}
