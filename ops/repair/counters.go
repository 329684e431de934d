package repair

import (
	"context"
	"slices"
	"strconv"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
)

// counters computes, from the bottom up, what summaries say of what lies below them:
// depth, times, and sums. Only what a finding is about changes, and what hangs on a row
// that this repair changes.
func (d *draft) counters(context.Context) error {
	d.foundRows = map[integrity.FaultID]map[string]bool{}
	c := counting{draft: d, moved: map[string]bool{}}
	for _, n := range d.bottomUp() {
		c.depth(n)
		c.times(n)
		c.sums(n)
	}
	d.all(integrity.SummaryDepthWrong, integrity.DescendantCountersWrong, integrity.SourceTokensWrong, integrity.LeafTimeRangeWrong, integrity.CondensedTimeRangeWrong)
	return nil
}

// counting goes up a conversation's summaries.
type counting struct {
	*draft
	moved map[string]bool // Those of which something changed that counts above.
}

// about reports whether a finding of one of the faults is about a summary.
func (d *draft) about(n *node, faults ...integrity.FaultID) bool {
	return slices.ContainsFunc(faults, func(fault integrity.FaultID) bool { return d.rowsFound(fault)[n.ID] })
}

// rowsFound are the rows that findings of a fault are about.
func (d *draft) rowsFound(fault integrity.FaultID) map[string]bool {
	if rows, known := d.foundRows[fault]; known {
		return rows
	}
	rows := map[string]bool{}
	for _, f := range d.found[fault] {
		rows[f.Row] = true
	}
	d.foundRows[fault] = rows
	return rows
}

// stirred reports whether a summary's own links or those below it changed what counts.
func (c *counting) stirred(n *node) bool {
	return c.renumbered[n.ID] && c.has(integrity.LeafWithoutMessages, integrity.CondensedWithoutSources, integrity.LinkDangling, integrity.LinkAcrossConversations, integrity.SummaryCycle, integrity.MessageInSeveralLeaves, integrity.SummaryInSeveralSummaries, integrity.MessageDuplicate, integrity.MessageRunDuplicate, integrity.TranscriptEntryDuplicate, integrity.ToolResultDuplicate, integrity.MessageEmpty) ||
		slices.ContainsFunc(n.sources, func(id string) bool { return c.moved[id] })
}

func (c *counting) depth(n *node) {
	if !c.about(n, integrity.SummaryDepthWrong, integrity.SummaryKindWrong) && !c.stirred(n) {
		return
	}
	want := int64(0)
	if n.Condensed() || len(n.sources) > 0 {
		want = 1
		for _, id := range n.sources {
			if s := c.nodes[id]; s != nil && s != n {
				want = max(want, s.Depth+1)
			}
		}
	}
	if want != n.Depth {
		n.Depth = want
		c.moved[n.ID] = true
		c.change(n, data.Row{"depth": want})
	}
}

// times spans the messages of a leaf, or the sources of a condensed summary.
func (c *counting) times(n *node) {
	if !c.about(n, integrity.LeafTimeRangeWrong, integrity.CondensedTimeRangeWrong) && !c.stirred(n) && !(c.has(integrity.TimeInvalid) && c.about(n, integrity.TimeInvalid) || c.retimed(n)) {
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
	for _, m := range n.members {
		span(c.bySlim[m].CreatedAt.Time, c.bySlim[m].CreatedAt.Time)
	}
	for _, id := range n.sources {
		if s := c.nodes[id]; s != nil && s != n {
			span(orElse(s.EarliestAt, s.CreatedAt), orElse(s.LatestAt, s.CreatedAt))
		}
	}
	if lo.IsZero() || hi.IsZero() || near(n.EarliestAt.Time, lo) && near(n.LatestAt.Time, hi) {
		return
	}
	n.EarliestAt, n.LatestAt = timeOf(data.FormatTimeMillis(lo)), timeOf(data.FormatTimeMillis(hi))
	c.moved[n.ID] = true
	c.change(n, data.Row{"earliest_at": data.FormatTimeMillis(lo), "latest_at": data.FormatTimeMillis(hi)})
}

// retimed reports whether the time of one of a leaf's messages changes.
func (c *counting) retimed(n *node) bool {
	retimed := c.rowsFound(integrity.TimeInvalid)
	return len(retimed) > 0 && slices.ContainsFunc(n.members, func(m int64) bool { return retimed[strconv.FormatInt(m, 10)] })
}

func near(a, b time.Time) bool { return a.Sub(b).Abs() <= 2*time.Second }

func orElse(t, other data.Time) time.Time {
	if t.Valid() {
		return t.Time
	}
	return other.Time
}

// sums adds up what lies below.
func (c *counting) sums(n *node) {
	was := [4]int64{n.Descendants, n.DescendantTokens, n.SourceTokens, n.Tokens}
	switch {
	case n.Condensed() || len(n.sources) > 0:
		if !c.about(n, integrity.DescendantCountersWrong, integrity.SummaryKindWrong) && !c.stirred(n) {
			break
		}
		n.Descendants, n.DescendantTokens, n.SourceTokens = 0, 0, 0
		for _, id := range n.sources {
			s := c.nodes[id]
			if s == nil || s == n {
				continue
			}
			n.Descendants += s.Descendants + 1
			n.DescendantTokens += s.DescendantTokens + s.Tokens
			n.SourceTokens += s.SourceTokens
		}
	case c.about(n, integrity.SourceTokensWrong, integrity.SummaryKindWrong) || c.resummed[n.ID] || c.stirred(n) && len(n.members) > 0:
		n.SourceTokens = 0
		for _, m := range n.members {
			n.SourceTokens += c.bySlim[m].Tokens.Value
		}
	default: // A leaf may rightly count more than its messages have.
		n.SourceTokens += c.recounted[n.ID]
	}
	is := [4]int64{n.Descendants, n.DescendantTokens, n.SourceTokens, n.Tokens}
	if is == was && number(n.row["token_count"]) == n.Tokens {
		return
	}
	c.moved[n.ID] = true
	if c.remade[n.ID] != "" || is != was {
		c.change(n, data.Row{"descendant_count": is[0], "descendant_token_count": is[1], "source_message_token_count": is[2]})
	}
}
