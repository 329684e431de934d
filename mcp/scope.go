package mcp

import (
	"context"
	"fmt"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
)

// confined returns the scope of the server, which no call leaves.
func (c *call) confined(ctx context.Context) (retrieve.Scope, error) {
	if c.Scope == nil {
		return retrieve.AllConversations(), nil
	}
	scope, err := c.Scope(ctx, c.db)
	return scope.Within(scope), err
}

// scope returns the conversations that the arguments of a call mean. An agent has no session here, so
// that a call without conversationId and allConversations means the scope of the server, or the
// only conversation of the file; which of several is meant, is never guessed.
func (c *call) scope(ctx context.Context) (retrieve.Scope, error) {
	within, err := c.confined(ctx)
	if err != nil {
		return within, err
	}
	if c.args.has("conversationId") {
		id := c.args.number("conversationId", 0)
		if !within.Contains(id) {
			return within, outside(id)
		}
		return retrieve.Conversations(id).Within(within), nil
	}
	if c.args.yes("allConversations") || !within.All() {
		return within, nil
	}
	all, err := lcm.Conversations(ctx, c.db)
	switch {
	case err != nil:
		return within, err
	case len(all) == 1:
		return retrieve.Conversations(all[0].ID), nil
	}
	return within, noScope()
}

// noScope says, as the host's tools do, that a call doesn't say which conversations it means.
func noScope() error {
	return &retrieve.ToolError{Message: retrieve.ErrNoScope.Error(), Advice: "lcm_conversations lists the conversations with their ids."}
}

// outside says, as the host's tools do, that a conversation isn't in the scope.
func outside(conversation int64) error {
	return &retrieve.ToolError{Message: fmt.Sprintf("Not found in this session scope: conversation %d", conversation), Advice: "lcm_conversations lists the conversations of the scope."}
}

// conversation returns one conversation of the scope: the one that the call names, else the one of
// the newest activity in a scope that the server or the file limits.
func (c *call) conversation(ctx context.Context) (lcm.Conversation, error) {
	scope, err := c.scope(ctx)
	if err != nil {
		return lcm.Conversation{}, err
	}
	all, err := c.visible(ctx, scope)
	switch {
	case err != nil:
		return lcm.Conversation{}, err
	case len(all) == 0 && c.args.has("conversationId"):
		return lcm.Conversation{}, outside(c.args.number("conversationId", 0))
	case len(all) == 0:
		return lcm.Conversation{}, noScope()
	}
	return all[0].Conversation, nil
}

// listed is a conversation and the time of its newest message, or of its creation.
type listed struct {
	lcm.Conversation
	newest data.Time
}

func (l *listed) activity() time.Time { return l.newest.Time }
