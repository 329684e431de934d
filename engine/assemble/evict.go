package assemble

import "lcm-tui/data/lcm"

// Select says which items of a context reach the model under a budget of tokens.
// The fresh tail, which begins at index tail (see FreshTail), always does. Of the
// rest all do if they fit into what the tail leaves; else they are taken newest
// first until one doesn't fit, and that one and everything older falls out.
func Select(items []lcm.ContextItem, budget int64, tail int) (kept []bool) {
	s := selection{n: len(items), tail: max(0, min(tail, len(items))), pinned: -1, budget: budget}
	kept, _ = s.keepNewest(func(i int) (int64, error) { return items[i].Tokens, nil })
	return kept
}

// selection is the items to select from.
type selection struct {
	n, tail int
	pinned  int // The item that stays wherever it stands, or -1.
	budget  int64
}

// cost is how many tokens an item takes. Reading may fail.
type cost func(i int) (tokens int64, err error)

// keepRequired keeps the items that always stay, and gives what they leave of the budget.
func (s selection) keepRequired(tokens cost) (kept []bool, left int64, err error) {
	kept, left = make([]bool, s.n), s.budget
	for i := range kept {
		if i < s.tail && i != s.pinned {
			continue
		}
		n, err := tokens(i)
		if err != nil {
			return nil, 0, err
		}
		kept[i] = true
		left = lcm.AddTokens(left, -n)
	}
	return kept, max(0, left), nil
}

// keepNewest keeps the newest items until one doesn't fit.
func (s selection) keepNewest(tokens cost) ([]bool, error) {
	kept, left, err := s.keepRequired(tokens)
	for i := s.tail - 1; err == nil && i >= 0; i-- {
		if kept[i] {
			continue
		}
		var n int64
		if n, err = tokens(i); err != nil {
			break
		}
		if left -= n; left < 0 {
			break
		}
		kept[i] = true
	}
	return kept, err
}

// keepBest keeps the items that score highest, the newer of two equal ones first, and
// passes over those that don't fit.
func (s selection) keepBest(tokens cost, score func(i int) float64) ([]bool, error) {
	kept, left, err := s.keepRequired(tokens)
	if err != nil {
		return nil, err
	}
	for _, i := range byScore(kept[:s.tail], score) {
		n, err := tokens(i)
		if err != nil {
			return nil, err
		}
		if n <= left {
			kept[i] = true
			left -= n
		}
	}
	return kept, nil
}
