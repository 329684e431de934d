package assemble

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// The reference engine's defaults since 0.6.
const (
	DefaultBudget    = 128_000 // Tokens, where the host names no budget.
	DefaultFreshTail = 64      // Messages.
	// CompactAbove is the share of the budget above which the host compacts.
	CompactAbove = 0.75
)

// Tail limits the fresh tail: the newest messages, which are never evicted or
// compacted.
type Tail struct {
	Count     int    // Messages; 0 or less protects nothing.
	MaxTokens *int64 // Nil is no limit. The newest message always stays, and all from the user's newest on.
}

// Counted returns items with the tokens that the tail is measured by; without a limit of tokens they are as they were.
func (t Tail) Counted(ctx context.Context, db *data.DB, conv int64, items []lcm.ContextItem) ([]lcm.ContextItem, error) {
	if t.MaxTokens == nil {
		return items, nil
	}
	return Counted(ctx, db, conv, items)
}

// FreshTail returns the index in items where the fresh tail begins, or len(items) if
// nothing is protected. Summaries among the newest messages count as neither. Under a
// limit of tokens the items should be as Tail.Counted gives them.
// Since 0.15 neither limit ends the tail before the newest message of the user is
// inside it, so one long turn of tools may make it long.
func FreshTail(items []lcm.ContextItem, t Tail) int {
	start, _ := t.Start(len(items),
		func(i int) (string, bool) { return items[i].Role, !items[i].IsSummary() },
		func(i int) (int64, error) { return items[i].Tokens, nil })
	return start
}

// Start returns the index where the tail of n items begins. role gives the role of a
// message and reports whether an item is one; tokens is asked only if they matter.
func (t Tail) Start(n int, role func(i int) (string, bool), tokens func(i int) (int64, error)) (int, error) {
	if t.Count <= 0 {
		return n, nil
	}
	start, sum, count, user := n, int64(0), 0, newestUser(n, role)
	for i := n - 1; i >= 0; i-- {
		if _, message := role(i); !message {
			continue
		}
		if i < user && count >= t.Count {
			break
		}
		if t.MaxTokens != nil {
			size, err := tokens(i)
			if err != nil {
				return n, err
			}
			if i < user && count > 0 && lcm.AddTokens(sum, size) > *t.MaxTokens {
				break
			}
			sum = lcm.AddTokens(sum, size)
		}
		start, count = i, count+1
	}
	return start, nil
}

// newestUser returns the index of the newest message of the user, or n, so that no
// message need be waited for.
func newestUser(n int, role func(i int) (string, bool)) int {
	for i := n - 1; i >= 0; i-- {
		if r, message := role(i); message && r == RoleUser {
			return i
		}
	}
	return n
}
