package scan

import (
	"context"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Conversation is what was read of one conversation. No check changes it.
type Conversation struct {
	Row lcm.RawConversation

	Items        []lcm.RawContextItem
	InContext    map[int64]bool
	Nodes        map[string]*Summary
	Summaries    []*Summary // Oldest first.
	Messages     []Message  // By seq.
	MessageIndex map[int64]int
	ToolCalls    ToolCalls

	SourceLinks, MessageLinks, IncomingLinks []lcm.RawLink

	resetAt    int64 // When /new cleared the context, in Unix seconds, or 0.
	MayBeReset bool  // The host may have reset it without a note.
}

// NewConversation returns a conversation of which nothing was read but its own row and the links
// from other conversations.
func NewConversation(row lcm.RawConversation, incoming []lcm.RawLink) *Conversation {
	return &Conversation{
		Row: row, IncomingLinks: incoming, Nodes: map[string]*Summary{}, InContext: map[int64]bool{},
		MessageIndex: map[int64]int{}, ToolCalls: newToolCalls(),
	}
}

// Summary is a summary without its text, with its links.
type Summary struct {
	lcm.RawSummary
	InContext      bool // The context names it.
	HasNoModelText bool // No model wrote it.
	Sources        []string
	Derived        []string
	Messages       []int64
	BrokenLinks    int // Links to rows that don't exist or belong to another conversation.
}

// ReadContext reads the context items and the links, and what tells whether the context was
// reset. emptied is when this program last did that, or zero.
func (v *Conversation) ReadContext(ctx context.Context, db *data.DB, notes HostState, emptied time.Time) (err error) {
	conv := v.Row.ID
	if v.Items, err = lcm.RawContext(ctx, db, conv); err != nil {
		return err
	}
	if v.SourceLinks, err = lcm.RawSummaryLinks(ctx, db, conv); err != nil {
		return err
	}
	if v.MessageLinks, err = lcm.RawMessageLinks(ctx, db, conv); err != nil {
		return err
	}
	dangling := false
	for _, i := range v.Items {
		if i.Summary == "" {
			v.InContext[i.Message] = true
		}
		dangling = dangling || i.Missing
	}
	const stamp = "soft_reset_pruned_at"
	state := notes.Row(BootstrapTable, conv)
	if at, ok := TimeColumn(state, stamp); ok {
		v.resetAt = at.Truncate(time.Second).Unix()
	}
	if !emptied.IsZero() {
		v.resetAt = max(v.resetAt, emptied.Unix())
	}
	schema := db.Schema()
	v.MayBeReset = schema.Has("conversations", "active") && !dangling && (state == nil || !schema.Has(BootstrapTable, stamp))
	return nil
}

// ConnectSummaries gives each summary its links, and notes which are in the context.
func (v *Conversation) ConnectSummaries() {
	for i := range v.Messages {
		v.MessageIndex[v.Messages[i].ID] = i
	}
	for _, i := range v.Items {
		if n := v.Nodes[i.Summary]; n != nil {
			n.InContext = true
		}
	}
	for _, l := range v.SourceLinks {
		n := v.Nodes[l.Summary]
		if n == nil {
			continue
		}
		n.Sources = append(n.Sources, l.Source)
		if source := v.Nodes[l.Source]; source != nil {
			source.Derived = append(source.Derived, l.Summary)
		} else {
			n.BrokenLinks++
		}
	}
	for _, l := range v.MessageLinks {
		n := v.Nodes[l.Summary]
		if n == nil {
			continue
		}
		n.Messages = append(n.Messages, l.Message)
		if _, known := v.MessageIndex[l.Message]; !known {
			n.BrokenLinks++
		}
	}
	for _, l := range v.IncomingLinks {
		if source := v.Nodes[l.Source]; source != nil && l.Owner != 0 {
			source.Derived = append(source.Derived, l.Summary)
		}
	}
}

// Below calls fn once with every summary of the conversation below n.
func (v *Conversation) Below(n *Summary, fn func(*Summary)) {
	seen := map[string]bool{n.ID: true}
	stack := []*Summary{n}
	for len(stack) > 0 {
		top := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for _, id := range top.Sources {
			if source := v.Nodes[id]; source != nil && !seen[id] {
				seen[id] = true
				fn(source)
				stack = append(stack, source)
			}
		}
	}
}

// IsReset reports whether /new dropped what is as old as a time in seconds.
func (v *Conversation) IsReset(at int64) bool { return v.resetAt != 0 && at <= v.resetAt }

// IsCleared reports whether the conversation is archived and its context was cleared.
func (v *Conversation) IsCleared() bool { return v.Row.Active.Value == 0 && len(v.Items) == 0 }

// FirstContextSeq returns the lowest seq of a message in the context, or 0.
func (v *Conversation) FirstContextSeq() (seq int64) {
	for _, i := range v.Items {
		if i.Summary == "" && !i.Missing && (seq == 0 || i.Seq < seq) {
			seq = i.Seq
		}
	}
	return seq
}

// IsForgotten reports whether a message's text was forgotten. It is known once the messages
// were read.
func (v *Conversation) IsForgotten(message int64) bool {
	i, ok := v.MessageIndex[message]
	return ok && v.Messages[i].IsForgotten
}

// ReachedSummaries returns the summaries in the context or below one of it.
func (v *Conversation) ReachedSummaries() map[string]bool {
	out := map[string]bool{}
	for _, n := range v.Summaries {
		if n.InContext {
			out[n.ID] = true
			v.Below(n, func(b *Summary) { out[b.ID] = true })
		}
	}
	return out
}

// CoveredMessages returns the messages below the summaries of the context, with the summary.
func (v *Conversation) CoveredMessages() map[int64]string {
	under, done := map[int64]string{}, map[string]bool{}
	for _, i := range v.Items {
		n := v.Nodes[i.Summary]
		if n == nil {
			continue
		}
		take := func(b *Summary) {
			if done[b.ID] {
				return
			}
			done[b.ID] = true
			for _, m := range b.Messages {
				if _, ok := under[m]; !ok {
					under[m] = n.ID
				}
			}
		}
		take(n)
		v.Below(n, take)
	}
	return under
}

// LastAssistant returns the newest message of the assistant in an active conversation, whose
// calls may still be running, or 0.
func (v *Conversation) LastAssistant() int64 {
	if v.Row.Active.Value == 0 {
		return 0
	}
	for i := len(v.Messages) - 1; i >= 0; i-- {
		if v.Messages[i].Role == "assistant" {
			return v.Messages[i].ID
		}
	}
	return 0
}

// MessageTimes returns the times of a leaf's oldest and newest message.
func (v *Conversation) MessageTimes(n *Summary) (lo, hi time.Time, ok bool) {
	var first, last int64
	for _, id := range n.Messages {
		i, known := v.MessageIndex[id]
		if !known || v.Messages[i].UnixTime == 0 {
			continue
		}
		at := v.Messages[i].UnixTime
		if first == 0 || at < first {
			first = at
		}
		last = max(last, at)
	}
	return time.Unix(first, 0).UTC(), time.Unix(last, 0).UTC(), first != 0
}

// AttachParts gives each message its parts. Both are in the order of seq. A row that was
// written while they were read is left to the next check.
func (v *Conversation) AttachParts(bundles []MessageParts) {
	i := 0
	for _, b := range bundles {
		for i < len(v.Messages) && v.Messages[i].ID != b.Message {
			i++
		}
		if i == len(v.Messages) {
			return
		}
		m := &v.Messages[i]
		b.IsHostNote, b.HasResponseID = b.IsHostNote || m.IsHostNote, b.HasResponseID || m.HasResponseID
		m.MessageParts = b
		for _, c := range b.Calls {
			v.ToolCalls.add(m, c)
		}
		m.Calls = nil
	}
}

// IsCondensed reports whether the summary is condensed as lcm.CountsSources has it, first of all by its
// links. So a wrong kind is found once, and not again by every check that depends on it.
func (n *Summary) IsCondensed() bool {
	return lcm.CountsSources(n.Kind, len(n.Sources), len(n.Messages))
}
