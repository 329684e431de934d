package assemble

import "lcm-tui/data"

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
	Count     int   // Messages; 0 or less protects nothing.
	MaxTokens int64 // Of stored tokens; 0 is no limit. The newest message always stays.
}

// FreshTail is the index in items where the fresh tail begins, or len(items) if
// nothing is protected. Summaries among the newest messages count as neither.
// Since 0.15 neither limit ends the tail before the newest message of the user is
// inside it, so one long turn of tools may make it long.
func FreshTail(items []data.ContextItem, t Tail) int {
	if t.Count <= 0 {
		return len(items)
	}
	start, tokens, count, user := len(items), int64(0), 0, false
	for i := len(items) - 1; i >= 0; i-- {
		it := items[i]
		if it.IsSummary() {
			continue
		}
		full := count >= t.Count || t.MaxTokens > 0 && count > 0 && tokens+it.Tokens > t.MaxTokens
		if full && (user || !hasUser(items[:i+1])) {
			break
		}
		start, count, tokens = i, count+1, tokens+it.Tokens
		user = user || it.Role == "user"
	}
	return start
}

func hasUser(items []data.ContextItem) bool {
	for i := len(items) - 1; i >= 0; i-- {
		if items[i].Role == "user" {
			return true
		}
	}
	return false
}
