package demo

import (
	"slices"
	"strconv"

	"lcm-tui/internal/fakehost"
)

// growth folds a conversation's past upwards: four leaves make a node, three such nodes
// make one above, two of those one more; some of each stay as they are.
type growth struct {
	*demo
	conv   int64
	levels [4][]grown
}

// grown is a summary with what it covers.
type grown struct {
	id   string
	past []episode
}

// broken is the sitting whose summary failed.
const broken = 36

func (g *growth) leaf(e episode, i int) {
	text, o := e.fill(g.rng, e.facts[len(e.facts)-1].text), fakehost.SummaryOptions{}
	if i == broken {
		text, o.Model = g.cut(e.ids), "openai/gpt-5-mini"
	}
	id := g.fold(g.conv, e.ids, text, o)
	g.levels[0] = append(g.levels[0], grown{id, []episode{e}})
	for depth, rule := range [][2]int{{4, 7}, {3, 2}, {2, 0}} {
		if take, keep := rule[0], rule[1]; len(g.levels[depth]) >= take+keep {
			g.up(depth, take)
		}
	}
}

// up condenses the oldest summaries of a depth.
func (g *growth) up(depth, take int) {
	var ids []string
	var past []episode
	for _, s := range g.levels[depth][:take] {
		ids, past = append(ids, s.id), append(past, s.past...)
	}
	g.levels[depth] = slices.Delete(g.levels[depth], 0, take)
	if g.err == nil {
		var id string
		id, g.err = g.Condense(g.conv, ids, retell(past, depth+1), fakehost.SummaryOptions{Model: "anthropic/claude-sonnet-4-5"})
		g.levels[depth+1] = append(g.levels[depth+1], grown{id, past})
	}
}

// cut is the engine's last resort: the beginning of the source and how long it was.
func (g *growth) cut(ids []int64) string {
	source := g.source(ids)
	return clip(source, 1100) + "\n[Truncated from " + strconv.Itoa(fakehost.Estimate(source)) + " tokens]"
}
