package integrity

import "fmt"

// counters: a condensed summary's are the sums of its sources'.
func (t *talk) counters(n *node) {
	if !t.db.Schema().Has("summaries", "descendant_token_count", "source_message_token_count") {
		return
	}
	var count, tokens, source int64
	for _, id := range n.sources {
		if s := t.nodes[id]; s != nil && s != n {
			count += s.Descendants + 1
			tokens += s.Tokens.Value + s.DescendantTokens
			source += s.SourceTokens
		}
	}
	if n.Descendants != count || n.DescendantTokens != tokens || n.SourceTokens != source {
		t.add(DescendantCountersWrong, summary(n.ID), fmt.Sprintf("says %d summaries of %d tokens below it, of %d tokens of messages; they are %d of %d, of %d",
			n.Descendants, n.DescendantTokens, n.SourceTokens, count, tokens, source))
	}
}

// sourceTokens: a leaf's are the sum of its messages'. Hosts from 0.15.2 add what
// they render about senders, and all estimate where nothing was counted.
func (t *talk) sourceTokens(n *node) {
	if !t.db.Schema().Has("summaries", "source_message_token_count") || len(n.members) == 0 || n.unreal > 0 {
		return
	}
	var sum int64
	more := false
	for _, id := range n.members {
		s := &t.said[t.place[id]]
		sum += s.tokens
		more = more || s.sender || s.tokens <= 0
	}
	if n.SourceTokens != sum && (n.SourceTokens < sum || !more) {
		t.add(SourceTokensWrong, summary(n.ID), fmt.Sprintf("says %d tokens, its messages have %d", n.SourceTokens, sum))
	}
}
