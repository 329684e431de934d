package ops

import (
	"context"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// Reading is what a plan reads to have texts made of it, and of which conversation.
type Reading struct {
	*lcm.Reads
	conversation data.Row
}

// Read begins to note what is read under a context for new texts of a conversation, which
// takes as long as a model does. Until done no other process has texts made for it.
func Read(ctx context.Context, db *data.DB, conv int64) (reading context.Context, r *Reading, done func(), err error) {
	ctx, done, err = LockConversation(ctx, db, conv)
	if err != nil {
		return ctx, nil, nil, err
	}
	r = &Reading{}
	rows, err := data.ImagesIn(ctx, db, "conversations", "conversation_id", []any{conv}, "conversation_id", "session_id", "active")
	if len(rows) > 0 {
		r.conversation = rows[0]
	}
	if err != nil {
		done()
		return ctx, nil, nil, err
	}
	ctx, r.Reads = lcm.WithReads(ctx)
	return ctx, r, done, nil
}

// GuardSources makes the plan stale when something changes that a model was given for it:
// these texts, or the conversation itself.
func (p *Plan) GuardSources(r *Reading, texts []lcm.SourceText) {
	p.Sources = append(p.Sources, texts...)
	if r.conversation != nil {
		p.Guard("conversations", r.conversation, 1)
	}
}
