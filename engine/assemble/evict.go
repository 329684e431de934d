package assemble

import "lcm-tui/data"

// Select says which items of a context reach the model under a budget of tokens.
// The fresh tail, which begins at index tail (see FreshTail), always does. Of the
// rest all do if they fit into what the tail leaves; else they are taken newest
// first until one doesn't fit, and that one and everything older falls out.
func Select(items []data.ContextItem, budget int64, tail int) (kept []bool) {
	kept = make([]bool, len(items))
	tail = max(0, min(tail, len(items)))
	left := budget
	for i := tail; i < len(items); i++ {
		kept[i] = true
		left -= items[i].Tokens
	}
	left = max(0, left)
	for i := tail - 1; i >= 0; i-- {
		if left -= items[i].Tokens; left < 0 {
			break
		}
		kept[i] = true
	}
	return kept
}
