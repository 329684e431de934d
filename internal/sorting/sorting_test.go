package sorting_test

import (
	"cmp"
	"slices"
	"testing"

	"lcm-tui/internal/sorting"
)

// card has a rank, which orders it, and a place, which tells equal cards apart.
type card struct{ rank, place int }

func TestStableOrdersAndKeepsTheOrderOfEquals(t *testing.T) {
	t.Parallel()
	for n := range 100 {
		var cards []card
		for i := range n {
			cards = append(cards, card{rank: i * 7 % 10, place: i})
		}
		sorting.Stable(cards, func(a, b *card) int { return cmp.Compare(a.rank, b.rank) })
		if !slices.IsSortedFunc(cards, func(a, b card) int { return cmp.Or(a.rank-b.rank, a.place-b.place) }) || len(cards) != n {
			t.Errorf("%d cards: %v", n, cards)
		}
	}
}
