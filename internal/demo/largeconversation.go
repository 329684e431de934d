package demo

import (
	"fmt"

	"lcm-tui/internal/fakehost"
)

// summarizedPart writes what a conversation has summarised and says how many messages are left
// for the fresh tail.
func (b *largeWriter) summarizedPart(conv int64, p quota) (left int, err error) {
	if p.leaves == 0 || p.messages == 0 {
		return p.messages, nil
	}
	group := max(1, p.messages*49/50/p.leaves)
	p.leaves = min(p.leaves, p.messages)
	var nodes []string
	for done := 0; done < p.leaves; {
		n := min(p.leaves-done, max(1, batch/group))
		done += n
		err := b.Tx(func(*fakehost.Writer) error {
			for range n {
				id, err := b.leaf(conv, group)
				if err != nil {
					return err
				}
				nodes = append(nodes, id)
			}
			return nil
		})
		if err != nil {
			return 0, err
		}
	}
	return p.messages - group*p.leaves, b.Tx(func(*fakehost.Writer) error { return b.condense(conv, nodes, p.condense) })
}

// leaf writes a group of messages and their summary.
func (b *largeWriter) leaf(conv int64, group int) (string, error) {
	ids, err := b.writeMessages(conv, group, true)
	if err != nil {
		return "", err
	}
	b.nodes++
	return b.Leaf(conv, ids, b.pool.summary(b.rng, b.size.BodyBytes*group/4, b.nodes), fakehost.SummaryOptions{NoContext: true, Model: "anthropic/claude-sonnet-4-5"})
}

// condense condenses the leaves as far as they go and lists what remains in the context,
// the oldest and highest first.
func (b *largeWriter) condense(conv int64, nodes []string, condense bool) error {
	var rest [][]string
	for condense && len(nodes) >= fanout {
		var up []string
		for len(nodes) >= fanout {
			b.nodes++
			id, err := b.Condense(conv, nodes[:fanout], b.pool.summary(b.rng, b.size.BodyBytes, b.nodes), fakehost.SummaryOptions{NoContext: true, Model: "anthropic/claude-sonnet-4-5"})
			if err != nil {
				return err
			}
			up, nodes = append(up, id), nodes[fanout:]
		}
		rest, nodes = append(rest, nodes), up
	}
	for i := len(rest) - 1; i >= 0; i-- {
		nodes = append(nodes, rest[i]...)
	}
	for i, id := range nodes {
		if err := b.Row("context_items", map[string]any{
			"conversation_id": conv, "ordinal": i, "item_type": "summary", "summary_id": id, "created_at": b.Clock.Format(fakehost.Seconds),
		}); err != nil {
			return err
		}
	}
	return nil
}

// writeMessages writes n messages of turns: a question, a call with reasoning, its result, an answer.
func (b *largeWriter) writeMessages(conv int64, n int, past bool) ([]int64, error) {
	ids := make([]int64, 0, n)
	for i := range n {
		m := b.nextMessage(n - i)
		m.NoContext = past
		b.messages++
		b.parts += max(1, len(m.Parts))
		id, err := b.Message(conv, m)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
		if b.messages%batch == 0 {
			b.report(b.messages, b.size.Messages)
		}
	}
	return ids, nil
}

// nextMessage makes the next message of a turn; a call is only begun when its result follows.
func (b *largeWriter) nextMessage(left int) fakehost.Message {
	body := b.size.BodyBytes
	if b.call != "" {
		id := b.call
		b.call = ""
		text := b.pool.cut(b.rng, body*2)
		return fakehost.Message{Role: "tool", Content: text, Parts: []fakehost.Part{{Type: "text", Text: text, ToolCallID: id, ToolName: "exec"}}}
	}
	switch {
	case b.messages%4 == 1 && left > 1:
		b.call = "call_" + fakehost.Digest(fmt.Sprint("call", b.messages))[:20]
		return fakehost.Message{Role: "assistant", Parts: b.callParts(body)}
	case b.messages%4 == 0:
		return fakehost.Message{Role: "user", Content: b.pool.cut(b.rng, body/2)}
	}
	text := b.pool.cut(b.rng, body*13/10)
	return fakehost.Message{Role: "assistant", Content: text, Parts: []fakehost.Part{{Type: "text", Text: text}}}
}

// callParts makes the parts of a tool call, more of them while parts are behind their number.
func (b *largeWriter) callParts(body int) []fakehost.Part {
	call := fakehost.Part{
		Type: "tool", ToolCallID: b.call, ToolName: "exec",
		ToolInput: `{"command":` + string(fakehost.Quote(b.pool.cut(b.rng, body/5))) + `,"timeout":60}`,
	}
	parts := []fakehost.Part{{Type: "reasoning", Text: b.pool.cut(b.rng, body/4)}}
	for b.parts+len(parts) < b.messages*b.size.Parts/b.size.Messages+1 && len(parts) < 4 {
		parts = append(parts, fakehost.Part{Type: "reasoning", Text: b.pool.cut(b.rng, body/8)})
	}
	return append(parts, call)
}
