package repair

import (
	"context"
	"slices"
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/integrity"
	"lcm-tui/engine/lineage"
	"lcm-tui/ops/repair/draft"
)

// computeCounters computes, from the bottom up, what summaries say of what lies below them:
// depth, times, and sums. Only what a finding is about changes, and what follows from a row
// that this repair changes.
func computeCounters(_ context.Context, s *state) error {
	c := counter{state: s, changed: map[string]bool{}, found: map[integrity.FaultID]map[string]bool{}}
	for _, n := range s.graph.BottomUp() {
		c.depth(n)
		c.times(n)
		c.sums(n)
	}
	s.found.markAll(integrity.SummaryDepthWrong, integrity.DescendantCountersWrong, integrity.SourceTokensWrong, integrity.LeafTimeRangeWrong, integrity.CondensedTimeRangeWrong)
	return nil
}

// counter goes up the summaries of a conversation.
type counter struct {
	state   *state
	changed map[string]bool                       // Summaries of which something changed that counts above.
	found   map[integrity.FaultID]map[string]bool // Rows of findings, as far as they were asked for.
}

// isFound reports whether a finding of one of the faults is about a summary.
func (c *counter) isFound(n *draft.Summary, faults ...integrity.FaultID) bool {
	return slices.ContainsFunc(faults, func(fault integrity.FaultID) bool { return c.rows(fault)[n.ID] })
}

// rows returns the rows of the findings of a fault.
func (c *counter) rows(fault integrity.FaultID) map[string]bool {
	if c.found[fault] == nil {
		c.found[fault] = c.state.found.rows(fault)
	}
	return c.found[fault]
}

// relinking are the faults whose repair changes which sources count.
var relinking = []integrity.FaultID{
	integrity.LeafWithoutMessages, integrity.CondensedWithoutSources, integrity.LinkDangling, integrity.LinkAcrossConversations,
	integrity.SummaryCycle, integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries, integrity.MessageDuplicate,
	integrity.MessageRunDuplicate, integrity.TranscriptEntryDuplicate, integrity.ToolResultDuplicate, integrity.MessageEmpty,
	integrity.TurnStoredAgain, integrity.EntryInSeveralConversations, integrity.ArchivedHistoryRepeated,
}

// hasChangedBelow reports whether the links of a summary, or a source of it, changed.
func (c *counter) hasChangedBelow(n *draft.Summary) bool {
	return c.state.graph.IsRenumbered(n.ID) && c.state.found.has(relinking...) ||
		slices.ContainsFunc(n.Sources(), func(id string) bool { return c.changed[id] })
}

// isCountedAgain reports whether what a summary says of its sources is wrong by a fault, or may be wrong now, since its kind or what lies
// below it changed.
func (c *counter) isCountedAgain(n *draft.Summary, fault integrity.FaultID) bool {
	return c.isFound(n, fault) || c.state.rekinded[n.ID] || c.hasChangedBelow(n)
}

// depth sets one above the deepest source.
func (c *counter) depth(n *draft.Summary) {
	if !c.isCountedAgain(n, integrity.SummaryDepthWrong) {
		return
	}
	want := int64(0)
	if n.CountsSources() {
		want = 1
		for _, id := range n.Sources() {
			if s := c.state.graph.Summary(id); s != nil && s != n {
				want = max(want, s.Depth+1)
			}
		}
	}
	if want != n.Depth || hasOdd(n.Row, "depth") {
		n.Depth = want
		c.changed[n.ID] = true
		c.state.graph.Set(n, data.Row{"depth": want})
	}
}

// hasOdd reports whether one of these columns, if the file has it, holds no whole number.
func hasOdd(r data.Row, columns ...string) bool {
	return slices.ContainsFunc(columns, func(name string) bool {
		v, some := r[name]
		_, whole := v.(int64)
		return some && !whole
	})
}

// times spans the messages of a leaf, or the sources of a condensed summary.
func (c *counter) times(n *draft.Summary) {
	if !c.isFound(n, integrity.LeafTimeRangeWrong, integrity.CondensedTimeRangeWrong) && !c.hasChangedBelow(n) && !c.isFound(n, integrity.TimeInvalid) && !c.retimed(n) {
		return
	}
	lo, hi := time.Time{}, time.Time{}
	span := func(from, to time.Time) {
		if !from.IsZero() && (lo.IsZero() || from.Before(lo)) {
			lo = from
		}
		if to.After(hi) {
			hi = to
		}
	}
	if n.CountsSources() {
		for _, id := range n.Sources() {
			if s := c.state.graph.Summary(id); s != nil && s != n {
				span(firstValid(s.EarliestAt, s.CreatedAt), firstValid(s.LatestAt, s.CreatedAt))
			}
		}
	} else {
		for _, m := range n.Messages() {
			span(c.state.messages.Header(m).CreatedAt.Time, c.state.messages.Header(m).CreatedAt.Time)
		}
	}
	if lo.IsZero() || hi.IsZero() || isNear(n.EarliestAt.Time, lo) && isNear(n.LatestAt.Time, hi) {
		return
	}
	n.EarliestAt, n.LatestAt = timeOf(data.FormatTimeMillis(lo)), timeOf(data.FormatTimeMillis(hi))
	c.changed[n.ID] = true
	c.state.graph.Set(n, data.Row{"earliest_at": data.FormatTimeMillis(lo), "latest_at": data.FormatTimeMillis(hi)})
}

// retimed reports whether the time of one of a leaf's messages changes.
func (c *counter) retimed(n *draft.Summary) bool {
	retimed := c.rows(integrity.TimeInvalid)
	return len(retimed) > 0 && slices.ContainsFunc(n.Messages(), func(m int64) bool { return retimed[strconv.FormatInt(m, 10)] })
}

// isNear reports whether two times differ by no more than hosts round them.
func isNear(a, b time.Time) bool { return a.Sub(b).Abs() <= 2*time.Second }

// firstValid returns a time, or another where it is none.
func firstValid(t, other data.Time) time.Time {
	if t.Valid() {
		return t.Time
	}
	return other.Time
}

// sums adds up what lies below.
func (c *counter) sums(n *draft.Summary) {
	was := [4]int64{n.Descendants, n.DescendantTokens, n.SourceTokens, n.Tokens}
	switch {
	case n.CountsSources():
		if !c.isCountedAgain(n, integrity.DescendantCountersWrong) {
			break
		}
		var sum lineage.Counters
		for _, id := range n.Sources() {
			s := c.state.graph.Summary(id)
			if s == nil || s == n {
				continue
			}
			sum = sum.With(lineage.Counters{Descendants: s.Descendants, DescendantTokens: s.DescendantTokens, SourceTokens: s.SourceTokens}, s.Tokens)
		}
		n.Descendants, n.DescendantTokens, n.SourceTokens = sum.Descendants, sum.DescendantTokens, sum.SourceTokens
	case c.isFound(n, integrity.SourceTokensWrong) || c.state.rekinded[n.ID] || c.state.uncounted[n.ID] || c.hasChangedBelow(n) && len(n.Messages()) > 0:
		n.SourceTokens = 0
		for _, m := range n.Messages() {
			n.SourceTokens = lcm.AddTokens(n.SourceTokens, c.state.messages.Header(m).Tokens.Value)
		}
	default: // A leaf may rightly count more than its messages have.
		n.SourceTokens += c.state.recounted[n.ID]
	}
	is := [4]int64{n.Descendants, n.DescendantTokens, n.SourceTokens, n.Tokens}
	odd := hasOdd(n.Row, "descendant_count", "descendant_token_count", "source_message_token_count") &&
		c.isFound(n, integrity.DescendantCountersWrong, integrity.SourceTokensWrong)
	if is == was && !odd && draft.Number(n.Row["token_count"]) == n.Tokens {
		return
	}
	c.changed[n.ID] = true
	if c.state.texts[n.ID] != "" || is != was || odd {
		c.state.graph.Set(n, data.Row{"descendant_count": is[0], "descendant_token_count": is[1], "source_message_token_count": is[2]})
	}
}
