package integrity

import (
	"context"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// conversationRows is what was read of one conversation. No check changes it.
type conversationRows struct {
	row lcm.RawConversation

	items        []lcm.RawContextItem
	inContext    map[int64]bool
	nodes        map[string]*node
	summaries    []*node          // Oldest first.
	messages     []scannedMessage // By seq.
	messageIndex map[int64]int
	toolCalls    toolCalls

	sourceLinks, messageLinks, incomingLinks []lcm.RawLink

	resetAt    int64 // When /new cleared the context, in Unix seconds, or 0.
	mayBeReset bool  // The host may have reset it without a note.
}

// newConversationRows are the rows of a conversation of which nothing was read but its own row
// and the links from other conversations.
func newConversationRows(row lcm.RawConversation, incoming []lcm.RawLink) *conversationRows {
	return &conversationRows{
		row: row, incomingLinks: incoming, nodes: map[string]*node{}, inContext: map[int64]bool{},
		messageIndex: map[int64]int{}, toolCalls: newToolCalls(),
	}
}

// node is a summary without its text, with its links.
type node struct {
	lcm.RawSummary
	inContext      bool // The context names it.
	hasNoModelText bool // No model wrote it.
	sources        []string
	derived        []string
	messages       []int64
	brokenLinks    int // Links to rows that don't exist or belong to another conversation.
}

// readContext reads the context items and the links, and what tells whether the context was
// reset.
func (v *conversationRows) readContext(ctx context.Context, db *data.DB, notes hostState) (err error) {
	conv := v.row.ID
	if v.items, err = lcm.RawContext(ctx, db, conv); err != nil {
		return err
	}
	if v.sourceLinks, err = lcm.RawSummaryLinks(ctx, db, conv); err != nil {
		return err
	}
	if v.messageLinks, err = lcm.RawMessageLinks(ctx, db, conv); err != nil {
		return err
	}
	dangling := false
	for _, i := range v.items {
		if i.Summary == "" {
			v.inContext[i.Message] = true
		}
		dangling = dangling || i.Missing
	}
	const stamp = "soft_reset_pruned_at"
	state := notes.row(bootstrapTable, conv)
	if at, ok := timeColumn(state, stamp); ok {
		v.resetAt = at.Truncate(time.Second).Unix()
	}
	schema := db.Schema()
	v.mayBeReset = schema.Has("conversations", "active") && !dangling && (state == nil || !schema.Has(bootstrapTable, stamp))
	return nil
}

// connectNodes gives each summary its links, and notes which are in the context.
func (v *conversationRows) connectNodes() {
	for i := range v.messages {
		v.messageIndex[v.messages[i].id] = i
	}
	for _, i := range v.items {
		if n := v.nodes[i.Summary]; n != nil {
			n.inContext = true
		}
	}
	for _, l := range v.sourceLinks {
		n := v.nodes[l.Summary]
		if n == nil {
			continue
		}
		n.sources = append(n.sources, l.Source)
		if source := v.nodes[l.Source]; source != nil {
			source.derived = append(source.derived, l.Summary)
		} else {
			n.brokenLinks++
		}
	}
	for _, l := range v.messageLinks {
		n := v.nodes[l.Summary]
		if n == nil {
			continue
		}
		n.messages = append(n.messages, l.Message)
		if _, known := v.messageIndex[l.Message]; !known {
			n.brokenLinks++
		}
	}
	for _, l := range v.incomingLinks {
		if source := v.nodes[l.Source]; source != nil && l.Owner != 0 {
			source.derived = append(source.derived, l.Summary)
		}
	}
}

// below calls fn once with every summary of the conversation below n.
func (v *conversationRows) below(n *node, fn func(*node)) {
	seen := map[string]bool{n.ID: true}
	stack := []*node{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, id := range top.sources {
			if source := v.nodes[id]; source != nil && !seen[id] {
				seen[id] = true
				fn(source)
				stack = append(stack, source)
			}
		}
	}
}

// isReset reports whether /new dropped what is as old as a time in seconds.
func (v *conversationRows) isReset(at int64) bool { return v.resetAt != 0 && at <= v.resetAt }

// isCleared reports whether the conversation is archived and its context was cleared.
func (v *conversationRows) isCleared() bool { return v.row.Active.Value == 0 && len(v.items) == 0 }

// firstContextSeq is the lowest seq of a message in the context, or 0.
func (v *conversationRows) firstContextSeq() (seq int64) {
	for _, i := range v.items {
		if i.Summary == "" && !i.Missing && (seq == 0 || i.Seq < seq) {
			seq = i.Seq
		}
	}
	return seq
}

// isForgotten reports whether a message's text was forgotten. It is known once the messages
// were read.
func (v *conversationRows) isForgotten(message int64) bool {
	i, ok := v.messageIndex[message]
	return ok && v.messages[i].isForgotten
}

// reachedSummaries are the summaries in the context or below one of it.
func (v *conversationRows) reachedSummaries() map[string]bool {
	out := map[string]bool{}
	for _, n := range v.summaries {
		if n.inContext {
			out[n.ID] = true
			v.below(n, func(b *node) { out[b.ID] = true })
		}
	}
	return out
}

// coveredMessages are the messages below the summaries of the context, with the summary.
func (v *conversationRows) coveredMessages() map[int64]string {
	under, done := map[int64]string{}, map[string]bool{}
	for _, i := range v.items {
		n := v.nodes[i.Summary]
		if n == nil {
			continue
		}
		take := func(b *node) {
			if done[b.ID] {
				return
			}
			done[b.ID] = true
			for _, m := range b.messages {
				if _, ok := under[m]; !ok {
					under[m] = n.ID
				}
			}
		}
		take(n)
		v.below(n, take)
	}
	return under
}

// lastAssistant is the newest message of the assistant in an active conversation, whose
// calls may still be running, or 0.
func (v *conversationRows) lastAssistant() int64 {
	if v.row.Active.Value == 0 {
		return 0
	}
	for i := len(v.messages) - 1; i >= 0; i-- {
		if v.messages[i].role == "assistant" {
			return v.messages[i].id
		}
	}
	return 0
}

// messageTimes are the times of a leaf's oldest and newest message.
func (v *conversationRows) messageTimes(n *node) (lo, hi time.Time, ok bool) {
	var first, last int64
	for _, id := range n.messages {
		i, known := v.messageIndex[id]
		if !known || v.messages[i].unixTime == 0 {
			continue
		}
		at := v.messages[i].unixTime
		if first == 0 || at < first {
			first = at
		}
		last = max(last, at)
	}
	return time.Unix(first, 0).UTC(), time.Unix(last, 0).UTC(), first != 0
}

// attachParts gives each message its parts. Both are in the order of seq. A row that was
// written while they were read is left to the next check.
func (v *conversationRows) attachParts(bundles []messageParts) {
	i := 0
	for _, b := range bundles {
		for i < len(v.messages) && v.messages[i].id != b.message {
			i++
		}
		if i == len(v.messages) {
			return
		}
		m := &v.messages[i]
		b.isHostNote, b.hasResponseID = b.isHostNote || m.isHostNote, b.hasResponseID || m.hasResponseID
		m.messageParts = b
		for _, c := range b.calls {
			v.toolCalls.add(m, c)
		}
		m.calls = nil
	}
}
