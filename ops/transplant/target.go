package transplant

import (
	"context"
	"fmt"
	"slices"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/token"
	"lcm-tui/ops"
)

// target is the conversation that is copied into.
type target struct {
	lcm.Conversation
	db        *data.DB
	context   []lcm.ContextItem
	messages  []lcm.MessageHeader
	summaries int // How many it has.
}

// openTarget reads which conversation the target is, and refuses one that no host reads, and one with rows of an
// unfinished record: they count as copied already, while no context leads to them.
func (o *Op) openTarget(ctx context.Context, from *source, db *data.DB) (*target, error) {
	c, err := lcm.ReadConversation(ctx, db, o.Target)
	if err != nil {
		return nil, err
	}
	switch unfinished, err := change.UnfinishedIn(ctx, db, o.Target); {
	case err != nil:
		return nil, err
	case unfinished != nil:
		return nil, unfinished
	}
	t := &target{Conversation: c, db: db}
	return t, t.check(ctx, o, from)
}

// check refuses a target that no host reads any more.
func (t *target) check(ctx context.Context, o *Op, from *source) error {
	if t.Active || o.Reactivated {
		return nil
	}
	all, err := lcm.Conversations(ctx, t.db)
	if err != nil {
		return err
	}
	successor := slices.IndexFunc(all, func(c lcm.Conversation) bool {
		return c.Active && c.SessionKey != "" && c.SessionKey == t.SessionKey && (from.db != t.db || c.ID != from.ID)
	})
	next, onScreen := "choose an active one: lcm-tui conversations --active", "choose an active one"
	if successor >= 0 {
		onScreen = fmt.Sprintf("conversation %d goes on for the same session", all[successor].ID)
		next = fmt.Sprintf("%s: lcm-tui transplant %d %d", onScreen, from.ID, all[successor].ID)
	}
	return o.refuse(fmt.Sprintf("conversation %d is archived, so its host never reads it again", t.ID), next, onScreen)
}

// load reads the target's context and messages.
func (t *target) load(ctx context.Context) (err error) {
	if t.context, err = lcm.Context(ctx, t.db, t.ID); err != nil {
		return err
	}
	t.messages, err = lcm.MessageHeaders(ctx, t.db, t.ID)
	return err
}

// estimator counts tokens as the target's host does.
func (t *target) estimator() token.Estimator { return token.Of(t.db.Kind().Level) }

// referenced returns the target's messages that its context or any of its summaries leads to.
func (t *target) referenced(ctx context.Context) (map[int64]bool, error) {
	linked := map[int64]bool{}
	for _, it := range t.context {
		if !it.IsSummary() {
			linked[it.Message] = true
		}
	}
	links, err := lcm.MessageLinks(ctx, t.db, t.ID)
	for _, l := range links {
		linked[l.Message] = true
	}
	return linked, err
}

// guard makes a plan stale when rows change that the ids and the search for duplicates
// rely on; what the target's host appends is behind all of them. The source needs no
// guard: what was read of it was true when it was read.
func (t *target) guard(plan *ops.Plan) {
	where := data.Row{"conversation_id": t.ID}
	g := change.Guard{Table: "messages", Where: where, Count: int64(len(t.messages))}
	if len(t.messages) > 0 {
		g.UpTo = data.Row{"seq": t.messages[len(t.messages)-1].Seq}
	}
	plan.Guards = append(plan.Guards, g)
	plan.Guard("summaries", where, t.summaries)
}
