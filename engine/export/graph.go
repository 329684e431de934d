package export

import (
	"slices"
	"strconv"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
)

// graphFormat writes the graph of the summaries for Graphviz or Mermaid: a row for each depth,
// arrows from sources to what was made of them, messages as ranges.
type graphFormat struct {
	plainFormat
	nodes []graphNode
	edges [][2]int
	index map[string]int
}

// graphNode is a box of the graph.
type graphNode struct {
	lines []string
	class nodeClass
	depth int64
}

// nodeClass says how a box is drawn.
type nodeClass int

// The classes.
const (
	plainNode   nodeClass = iota
	contextNode           // It stands in the context.
	missingNode           // A link names it, and it doesn't exist.
)

// messageDepth is the row of the ranges of messages.
const messageDepth = -1

func (f *graphFormat) open(c *conversation) error {
	f.nodes, f.edges, f.index = nil, nil, map[string]int{}
	kept := map[string]bool{}
	for _, n := range c.graph.Nodes() {
		if !f.holdsSummary(n) {
			continue
		}
		kept[n.ID] = true
		f.index[n.ID] = len(f.nodes)
		f.nodes = append(f.nodes, f.node(n))
		f.result.Summaries++
	}
	for _, n := range c.graph.Nodes() {
		if !kept[n.ID] {
			continue
		}
		f.link(c, n)
	}
	if err := f.freshMessages(c); err != nil {
		return err
	}
	if f.o.Format == Mermaid {
		return f.mermaid()
	}
	return f.dot(c)
}

// node returns the box of a summary.
func (f *graphFormat) node(n *lineage.Node) graphNode {
	out := graphNode{depth: n.Depth, lines: []string{visible(n.ID), "depth " + strconv.FormatInt(n.Depth, 10) + ", " + grouped(n.Tokens) + " tokens"}}
	if n.EarliestAt.Valid() && n.LatestAt.Valid() {
		out.lines = append(out.lines, timeSpan(n))
	}
	if n.InContext() {
		out.class = contextNode
		out.lines = append(out.lines, "in the context")
	}
	return out
}

// timeSpan returns the time that a summary covers, the day once where it is one day.
func timeSpan(n *lineage.Node) string {
	from, to := n.EarliestAt.UTC(), n.LatestAt.UTC()
	if from.Format("2006-01-02") == to.Format("2006-01-02") {
		return from.Format("2006-01-02 15:04") + " – " + to.Format("15:04")
	}
	return from.Format("2006-01-02 15:04") + " – " + to.Format("2006-01-02 15:04")
}

// link draws what a summary was made of.
func (f *graphFormat) link(c *conversation, n *lineage.Node) {
	to := f.index[n.ID]
	for _, id := range n.Sources {
		from, ok := f.index[id]
		if _, exists := c.graph.Node(id); !ok && exists {
			continue // Outside of the range.
		}
		if !ok {
			from = len(f.nodes)
			f.index[id] = from
			f.nodes = append(f.nodes, graphNode{lines: []string{visible(id), "doesn't exist"}, class: missingNode, depth: max(0, n.Depth-1)})
		}
		f.edges = append(f.edges, [2]int{from, to})
	}
	x, _ := c.coverage.Extent(n.ID)
	if x.Messages > 0 {
		f.edges = append(f.edges, [2]int{len(f.nodes), to})
		f.nodes = append(f.nodes, rangeNode(x.First, x.Last, x.Messages))
	}
	if x.Missing > 0 {
		f.edges = append(f.edges, [2]int{len(f.nodes), to})
		f.nodes = append(f.nodes, graphNode{lines: []string{grouped(x.Missing) + " messages", "don't exist"}, class: missingNode, depth: messageDepth})
	}
}

// rangeNode returns the box of a range of messages.
func rangeNode(first, last, count int64) graphNode {
	noun := " messages"
	if count == 1 {
		noun = " message"
	}
	line := "seq " + strconv.FormatInt(first, 10)
	if last != first {
		line += "–" + strconv.FormatInt(last, 10)
	}
	return graphNode{lines: []string{line, grouped(count) + noun}, depth: messageDepth}
}

// freshMessages adds the messages that stand in the context themselves, neighbours as one range.
func (f *graphFormat) freshMessages(c *conversation) error {
	shown, err := lcm.ContextSeqs(f.ctx, f.db, c.ID)
	if err != nil {
		return err
	}
	slices.Sort(shown)
	shown = slices.Compact(shown)
	for i := 0; i < len(shown); {
		j := i + 1
		for j < len(shown) && shown[j] == shown[j-1]+1 {
			j++
		}
		if first, last := max(shown[i], f.seqs.First), min(shown[j-1], f.seqs.Last); first <= last {
			n := rangeNode(first, last, last-first+1)
			n.class = contextNode
			n.lines = append(n.lines, "in the context")
			f.nodes = append(f.nodes, n)
		}
		i = j
	}
	return nil
}

// depths returns the rows of the graph, the highest first.
func (f *graphFormat) depths() []int64 {
	var out []int64
	for _, n := range f.nodes {
		if !slices.Contains(out, n.depth) {
			out = append(out, n.depth)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// dot writes Graphviz.
func (f *graphFormat) dot(c *conversation) error {
	err := f.write("digraph conversation_", strconv.FormatInt(c.ID, 10), " {\n",
		"  label=", dotText(c.Name()), "; labelloc=t; rankdir=BT;\n",
		"  node [shape=box, style=\"rounded,filled\", fillcolor=\"#f3f0ea\", color=\"#b9b2a6\", fontname=\"sans-serif\", fontsize=10];\n",
		"  edge [color=\"#7b756d\"];\n")
	if err != nil {
		return err
	}
	for _, d := range f.depths() {
		if err := f.write("  { rank=same;\n"); err != nil {
			return err
		}
		for i, n := range f.nodes {
			if n.depth != d {
				continue
			}
			look := ""
			switch n.class {
			case contextNode:
				look = `, fillcolor="#cfe8dd", color="#3d8b6e", penwidth=2`
			case missingNode:
				look = `, style="rounded,dashed", color="#d2483f"`
			}
			if d == messageDepth {
				look += ", shape=note"
			}
			if err := f.write("    n", strconv.Itoa(i), " [label=", dotText(strings.Join(n.lines, "\n")), look, "];\n"); err != nil {
				return err
			}
		}
		if err := f.write("  }\n"); err != nil {
			return err
		}
	}
	for _, e := range f.edges {
		if err := f.write("  n", strconv.Itoa(e[0]), " -> n", strconv.Itoa(e[1]), ";\n"); err != nil {
			return err
		}
	}
	return f.write("}\n")
}

// dotText returns a text as a string of Graphviz.
func dotText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`).Replace(visible(s)) + `"`
}

// mermaid writes Mermaid. The first line raises the limits of its renderers.
func (f *graphFormat) mermaid() error {
	err := f.write(`%%{init: {"maxTextSize": 9000000, "maxEdges": 100000}}%%`, "\nflowchart BT\n")
	if err != nil {
		return err
	}
	for _, d := range f.depths() {
		row, title := "depth"+strconv.FormatInt(d, 10), "depth "+strconv.FormatInt(d, 10)
		if d == messageDepth {
			row, title = "messages", "messages"
		}
		if err := f.write("  subgraph ", row, `["`, title, "\"]\n"); err != nil {
			return err
		}
		for i, n := range f.nodes {
			if n.depth != d {
				continue
			}
			class := [...]string{"", ":::context", ":::missing"}[n.class]
			if err := f.write("    n", strconv.Itoa(i), `["`, mermaidText(strings.Join(n.lines, "\n")), `"]`, class, "\n"); err != nil {
				return err
			}
		}
		if err := f.write("  end\n"); err != nil {
			return err
		}
	}
	for _, e := range f.edges {
		if err := f.write("  n", strconv.Itoa(e[0]), " --> n", strconv.Itoa(e[1]), "\n"); err != nil {
			return err
		}
	}
	return f.write("  classDef context fill:#cfe8dd,stroke:#3d8b6e,stroke-width:2px\n  classDef missing stroke:#d2483f,stroke-dasharray:4\n")
}

// mermaidText returns a text as a label of Mermaid, in which entities are written with #.
func mermaidText(s string) string {
	return strings.NewReplacer("#", "#35;", `"`, "#quot;", "<", "#lt;", ">", "#gt;", "&", "#amp;", "\n", "<br/>", "`", "#96;").Replace(visible(s))
}
