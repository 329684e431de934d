package demo

import (
	"slices"
	"strconv"

	"lcm-tui/internal/fakehost"
)

// condenser folds a conversation's past upwards: four leaves make a node, three such nodes
// make one above, two of those one more; some of each stay as they are.
type condenser struct {
	*demo
	conv   int64
	levels [4][]coveredSummary
}

// coveredSummary is a summary with what it covers.
type coveredSummary struct {
	id   string
	past []session
}

// failedSession is the sitting whose summary failed.
const failedSession = 36

func (g *condenser) leaf(e session, i int) {
	text, o := e.fill(g.rng, e.facts[len(e.facts)-1].text), fakehost.SummaryOptions{}
	if i == failedSession {
		text, o.Model = g.cut(e.ids), "openai/gpt-5-mini"
	}
	id := g.demo.leaf(g.conv, e.ids, text, o)
	g.levels[0] = append(g.levels[0], coveredSummary{id, []session{e}})
	for depth, rule := range [][2]int{{4, 7}, {3, 2}, {2, 0}} {
		if take, keep := rule[0], rule[1]; len(g.levels[depth]) >= take+keep {
			g.up(depth, take)
		}
	}
}

// up condenses the oldest summaries of a depth.
func (g *condenser) up(depth, take int) {
	var ids []string
	var past []session
	for _, s := range g.levels[depth][:take] {
		ids, past = append(ids, s.id), append(past, s.past...)
	}
	g.levels[depth] = slices.Delete(g.levels[depth], 0, take)
	if g.err == nil {
		var id string
		id, g.err = g.Condense(g.conv, ids, condensedText(past, depth+1), fakehost.SummaryOptions{Model: "anthropic/claude-sonnet-4-5"})
		g.levels[depth+1] = append(g.levels[depth+1], coveredSummary{id, past})
	}
}

// cut returns the engine's last resort: the beginning of the source and how long it was.
func (g *condenser) cut(ids []int64) string {
	source := g.source(ids)
	return truncate(source, 1100) + "\n[Truncated from " + strconv.Itoa(fakehost.Estimate(source)) + " tokens]"
}
