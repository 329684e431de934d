package fakehost

import "math"

// Choice is what a compaction has picked: places of a context, remembered by their
// ordinals, and what stood there. Nothing in the file says that it was made.
type Choice struct {
	Conversation int64
	First, Last  int64    // Ordinals.
	Messages     []int64  // Of a leaf.
	Summaries    []string // Of a condensed summary.
	tokens       int      // Of the messages, with the names of who sent them.
}

// Choose picks the places from first to last, whatever the settings say: all messages
// or all summaries. Not ok where they are mixed, or where there are none.
func (h *Host) Choose(conv, first, last int64) (c Choice, ok bool, err error) {
	items, err := h.context(conv)
	var run []item
	for _, i := range items {
		if first <= i.ordinal && i.ordinal <= last {
			run = append(run, i)
		}
	}
	c = choice(conv, run)
	return c, len(run) > 0 && (len(c.Messages) == len(run) || len(c.Summaries) == len(run)), err
}

// choice remembers a run of places.
func choice(conv int64, run []item) Choice {
	c := Choice{Conversation: conv}
	for n, i := range run {
		if n == 0 {
			c.First = i.ordinal
		}
		c.Last = i.ordinal
		c.tokens += i.tokens
		if i.summary == "" {
			c.Messages = append(c.Messages, i.message)
		} else {
			c.Summaries = append(c.Summaries, i.summary)
		}
	}
	return c
}

// ChooseLeaf picks what the host's next leaf pass would: the oldest run of messages
// before the fresh tail, as many as a chunk holds.
func (h *Host) ChooseLeaf(conv int64) (c Choice, ok bool, err error) {
	items, err := h.context(conv)
	tail := h.Config.tail(items)
	var run []item
	sum := 0
	for _, i := range items {
		if i.ordinal >= tail {
			break
		}
		if i.summary != "" {
			if len(run) > 0 {
				break
			}
			continue
		}
		if len(run) > 0 && sum+i.tokens > h.Config.LeafChunkTokens {
			break
		}
		run, sum = append(run, i), sum+i.tokens
		if sum >= h.Config.LeafChunkTokens {
			break
		}
	}
	return choice(conv, run), len(run) > 0, err
}

// tail returns the first ordinal of the fresh tail: the newest messages up to a number and a
// size, but at least up to the newest of the user. Without messages nothing is protected.
func (c *Config) tail(items []item) int64 {
	boundary, count, sum, user := int64(math.MaxInt64), 0, 0, false
	if c.FreshTailCount <= 0 {
		return boundary
	}
	user = true
	for _, i := range items {
		user = user && i.role != "user" // Without any, nothing is waited for.
	}
	for n := len(items) - 1; n >= 0; n-- {
		i := items[n]
		if i.summary != "" {
			continue
		}
		full := count >= c.FreshTailCount || count > 0 && c.FreshTailMaxTokens > 0 && sum+i.tokens > c.FreshTailMaxTokens
		if full && user {
			break
		}
		boundary, count, sum = i.ordinal, count+1, sum+i.tokens
		user = user || i.role == "user"
	}
	return boundary
}

// ChooseCondensed picks what the host's next condensed pass would: of the shallowest
// depth that has enough, the oldest run. maxDepth bounds the depth of the sources, -1
// doesn't; hard takes the fanout of a context that is too large.
func (h *Host) ChooseCondensed(conv int64, maxDepth int, hard bool) (c Choice, ok bool, err error) {
	items, err := h.context(conv)
	tail := h.Config.tail(items)
	deepest := -1
	for _, i := range items {
		if i.summary != "" && i.ordinal < tail {
			deepest = max(deepest, i.depth)
		}
	}
	for depth := 0; depth <= deepest && (maxDepth < 0 || depth <= maxDepth); depth++ {
		if run := h.Config.oldestRun(items, tail, depth); h.Config.isWorthCondensing(run, depth, hard) {
			return choice(conv, run), true, err
		}
	}
	return Choice{}, false, err
}

// oldestRun returns the oldest run of summaries of a depth, as many as a chunk holds.
func (c *Config) oldestRun(items []item, tail int64, depth int) (run []item) {
	sum := 0
	for _, i := range items {
		if i.ordinal >= tail {
			break
		}
		if i.summary == "" || i.depth != depth {
			if len(run) > 0 {
				break
			}
			continue
		}
		if len(run) > 0 && sum+i.tokens > c.LeafChunkTokens {
			break
		}
		run, sum = append(run, i), sum+i.tokens
	}
	return run
}

// isWorthCondensing reports whether a run is enough to condense.
func (c *Config) isWorthCondensing(run []item, depth int, hard bool) bool {
	fanout := c.CondensedMinFanout
	if depth == 0 {
		fanout = c.LeafMinFanout
	}
	if hard {
		fanout = c.HardMinFanout
	}
	sum := 0
	for _, i := range run {
		sum += i.tokens
	}
	return len(run) > 0 && len(run) >= fanout && sum >= max(c.CondensedTarget, c.LeafChunkTokens/10)
}
