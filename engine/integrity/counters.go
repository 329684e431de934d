package integrity

import (
	"fmt"
	"unicode/utf8"

	"lcm-tui/engine/token"
)

// checkCounters compares the counters of a condensed summary with the sums of its sources.
func (c *summaryCheck) checkCounters(n *node) {
	if !c.file.db.Schema().Has("summaries", "descendant_token_count", "source_message_token_count") {
		return
	}
	var count, tokens, source int64
	for _, id := range n.sources {
		if child := c.rows.nodes[id]; child != nil && child != n {
			count += child.Descendants + 1
			tokens += child.Tokens.Value + child.DescendantTokens
			source += child.SourceTokens
		}
	}
	if n.Descendants != count || n.DescendantTokens != tokens || n.SourceTokens != source {
		c.found.add(DescendantCountersWrong, summaryAt(n.ID), fmt.Sprintf("its counters say %d summaries, %d tokens of summaries and %d tokens of messages below it; its sources add up to %d, %d and %d",
			n.Descendants, n.DescendantTokens, n.SourceTokens, count, tokens, source))
	}
}

// checkSourceTokens compares a leaf's source tokens with the sum of its messages. Hosts
// from 0.15.2 on add what they write about senders, and all hosts estimate messages
// without a count, so more is allowed there.
func (c *summaryCheck) checkSourceTokens(n *node) {
	if !c.file.db.Schema().Has("summaries", "source_message_token_count") || len(n.messages) == 0 || n.brokenLinks > 0 {
		return
	}
	var sum int64
	more := false
	for _, id := range n.messages {
		m := &c.rows.messages[c.rows.messageIndex[id]]
		sum += m.tokens
		more = more || m.namesSender || m.tokens <= 0
	}
	if n.SourceTokens != sum && (n.SourceTokens < sum || !more) {
		c.found.add(SourceTokensWrong, summaryAt(n.ID), fmt.Sprintf("counts %d tokens of messages, its messages have %d", n.SourceTokens, sum))
	}
}

// estimateTokens is the number of tokens of a text as hosts count now. Both estimators
// agree on ASCII, which is counted without looking at each letter.
func estimateTokens(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Weighted.Count(s)
}

// estimateTokensBefore08 is the number of tokens of a text as hosts before 0.8 counted.
func estimateTokensBefore08(s string) int64 {
	if n := utf8.RuneCountInString(s); n == len(s) {
		return int64(n+3) / 4
	}
	return token.Units.Count(s)
}
