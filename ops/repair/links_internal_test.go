package repair

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"lcm-tui/data"
)

// TestNearestLeaf is the one of which the messages are nearest, whichever way they overlap.
func TestNearestLeaf(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4)) //nolint:gosec // The same every time.
	for round := range 200 {
		d, top := &draft{nodes: map[string]*node{}, spans: map[string]stretch{}}, &node{}
		top.ID = "top"
		d.nodes["top"] = top
		for i := range r.IntN(9) {
			n := &node{Summary: data.Summary{ID: fmt.Sprint(i)}}
			lo := int64(r.IntN(60))
			d.nodes[n.ID], d.spans[n.ID] = n, stretch{lo, lo + int64(r.IntN(20)), true}
			top.sources = append(top.sources, n.ID)
		}
		d.spans["top"] = stretch{}
		x := d.indexLeaves(top)
		for seq := int64(-5); seq < 90; seq++ {
			far := func(s stretch) int64 { return max(s.lo-seq, seq-s.hi, 0) }
			least := int64(-1)
			for _, id := range top.sources {
				if f := far(d.spans[id]); least < 0 || f < least {
					least = f
				}
			}
			got := x.nearest(seq)
			if (got == nil) != (least < 0) || got != nil && far(d.spans[got.ID]) != least {
				t.Fatalf("round %d, seq %d: %v, of %v", round, seq, got, d.spans)
			}
		}
	}
}
