package draft

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lcm-tui/data/lcm"
)

// TestNearestLeaf is the one whose messages are nearest, whichever way leaves overlap.
func TestNearestLeaf(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // The same every time.
	for round := range 200 {
		g := newGraph(NewMessages(), nil)
		g.add(&Summary{Summary: lcm.Summary{ID: "top"}})
		spans := map[string]span{}
		for i := range r.IntN(9) {
			id := fmt.Sprint(i)
			g.add(&Summary{Summary: lcm.Summary{ID: id}})
			g.Link("top", id)
			lo := int64(r.IntN(60))
			spans[id] = span{lo, lo + int64(r.IntN(20)), true}
		}
		g.spans = map[string]span{"top": {}}
		for id, s := range spans {
			g.spans[id] = s
		}
		leaves := g.Leaves("top")
		for seq := int64(-5); seq < 90; seq++ {
			distance := func(s span) int64 { return max(s.lo-seq, seq-s.hi, 0) }
			least := int64(-1)
			for _, s := range spans {
				if d := distance(s); least < 0 || d < least {
					least = d
				}
			}
			got := leaves.Nearest(seq)
			if (got == nil) != (least < 0) || got != nil && distance(spans[got.ID]) != least {
				t.Fatalf("round %d, seq %d: %v, of %v", round, seq, got, spans)
			}
		}
	}
}
