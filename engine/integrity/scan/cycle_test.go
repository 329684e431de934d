package scan

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"lcm-tui/internal/testlength"
)

// TestFindCycles compares cycles with what can be reached step by step, in random graphs.
func TestFindCycles(t *testing.T) {
	t.Parallel()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 1))
		n := 1 + r.IntN(9)
		edges := map[string][]string{}
		ids := make([]string, n)
		for i := range ids {
			ids[i] = fmt.Sprint("s", i)
		}
		for range r.IntN(2 * n) {
			from := ids[r.IntN(n)]
			edges[from] = append(edges[from], ids[r.IntN(n)])
		}
		next := func(id string) []string { return edges[id] }
		var got, want []string
		for _, cycle := range FindCycles(ids, next) {
			got = append(got, cycle...)
		}
		for _, id := range ids {
			if reaches(edges, id, id, map[string]bool{}) {
				want = append(want, id)
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v in cycles, want %v, of %v", seed, got, want, edges)
		}
	}
}

func reaches(edges map[string][]string, from, to string, seen map[string]bool) bool {
	for _, next := range edges[from] {
		if next == to {
			return true
		}
		if !seen[next] {
			seen[next] = true
			if reaches(edges, next, to, seen) {
				return true
			}
		}
	}
	return false
}

// A chain of a hundred thousand summaries needs no stack.
func TestACycleOfALongChain(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const n = 100_000
	ids := make([]string, n)
	place := make(map[string]int, n)
	for i := range ids {
		ids[i] = fmt.Sprint(i)
		place[ids[i]] = i
	}
	found := FindCycles(ids, func(id string) []string { return ids[(place[id]+1)%n : (place[id]+1)%n+1] })
	if len(found) != 1 || len(found[0]) != n {
		t.Errorf("%d cycles", len(found))
	}
}
