package columntexts

import (
	"math"
	"testing"
)

// TestEveryRowIsInOnePart: whatever numbers the rows have, parts follow one another without a gap,
// and there are never very many.
func TestEveryRowIsInOnePart(t *testing.T) {
	t.Parallel()
	for _, c := range [][2]int64{
		{1, 1},
		{1, 999},
		{1, 1000},
		{1, 1001},
		{0, 340_928},
		{-5, 7},
		{1, 453_153},
		{1, math.MaxInt64},
		{math.MinInt64, math.MaxInt64},
		{math.MaxInt64, math.MaxInt64},
		{math.MinInt64, -3},
		{math.MaxInt64 - 1, math.MaxInt64},
	} {
		p := &Parts{}
		p.divide(&Table{}, c[0], c[1])
		if p.list[0].from != c[0] || p.list[len(p.list)-1].to != c[1] || len(p.list) > maxParts+1 {
			t.Errorf("%d to %d: %d parts from %d to %d", c[0], c[1], len(p.list), p.list[0].from, p.list[len(p.list)-1].to)
		}
		for i, part := range p.list {
			if part.from > part.to || i > 0 && part.from != p.list[i-1].to+1 {
				t.Errorf("%d to %d: part %d is from %d to %d", c[0], c[1], i, part.from, part.to)
			}
		}
	}
}
