package retrieve

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/data/textsearch"
)

// Scope is the conversations that an answer may come from. The zero value is none, which is
// never taken for all.
type Scope struct {
	textsearch.Scope
	agent string // Whose conversations they are, where an agent was asked for.
	// known are the conversations of which the caller may know; nil is all.
	known *textsearch.Scope
}

// Within returns the scope for a caller who may know of the conversations of another scope only: what lies
// in others isn't there, and no answer tells that it is.
func (s Scope) Within(o Scope) Scope {
	s.known = &o.Scope
	return s
}

// Knows reports whether the caller may know that a conversation is there.
func (s Scope) Knows(conversation int64) bool {
	return s.known == nil || s.known.Contains(conversation)
}

// refuse returns the answer about an id that lies in a conversation outside of the scope.
func (s Scope) refuse(conversation int64, id string) error {
	if !s.Knows(conversation) {
		return fmt.Errorf("read %s: %w", id, data.ErrNotFound)
	}
	return outOfScope(id)
}

// AllConversations returns the scope of the whole file.
func AllConversations() Scope { return Scope{Scope: textsearch.AllConversations()} }

// Conversations returns the scope of these conversations; without any it is none. The first is the
// root of a session's family.
func Conversations(ids ...int64) Scope { return Scope{Scope: textsearch.Conversations(ids...)} }

// Intersect returns what lies in both scopes.
func (s Scope) Intersect(o Scope) Scope { return Scope{Scope: s.Scope.Intersect(o.Scope)} }

// String returns the scope as the header of a grep names it.
func (s Scope) String() string {
	ids := s.IDs()
	switch {
	case s.All():
		return "all conversations"
	case s.agent != "":
		return fmt.Sprintf("agent %s (%d conversations)", s.agent, len(ids))
	case len(ids) == 0:
		return "no conversation"
	case len(ids) == 1:
		return strconv.FormatInt(ids[0], 10)
	}
	return fmt.Sprintf("session family rooted at %d (%d segments)", ids[0], len(ids))
}

// ScopeRequest is what a caller says about the conversations to look into. Conversation wins
// over AllConversations, that over the session, and a session over the agent.
type ScopeRequest struct {
	Conversation     *int64
	AllConversations bool
	SessionKey       string
	SessionID        string
	Agent            string
}

// ErrNoScope says that a request names no conversation that there is.
var ErrNoScope = errors.New("No LCM conversation found for this session. Provide conversationId or set allConversations=true.") //nolint:staticcheck,revive // The agent tools answer with this sentence.

// Resolve returns the scope that a request means, or ErrNoScope: which conversation could be meant is
// never guessed. A conversation that is named by its id needn't exist.
func (r ScopeRequest) Resolve(ctx context.Context, db *data.DB) (Scope, error) {
	switch {
	case r.Conversation != nil:
		return Conversations(*r.Conversation), nil
	case r.AllConversations:
		return AllConversations(), nil
	case strings.TrimSpace(r.SessionKey) == "" && strings.TrimSpace(r.SessionID) == "" && r.Agent != "":
		return agentScope(ctx, db, r.Agent)
	}
	c, ok, err := lcm.SessionConversation(ctx, db, r.SessionKey, r.SessionID)
	if err != nil {
		return Scope{}, err
	}
	if !ok {
		return Scope{}, ErrNoScope
	}
	family, err := lcm.SessionFamily(ctx, db, c)
	ids := []int64{c.ID}
	for _, f := range family {
		ids = append(ids, f.ID)
	}
	return Conversations(ids...), err
}

// agentScope returns all conversations of an agent, newest first.
func agentScope(ctx context.Context, db *data.DB, agent string) (Scope, error) {
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return Scope{}, err
	}
	var ids []int64
	for _, c := range all {
		if c.Agent() == agent {
			ids = append(ids, c.ID)
		}
	}
	s := Scope{Scope: textsearch.Conversations(ids...), agent: agent}
	if s.Empty() {
		return s, ErrNoScope
	}
	return s, nil
}
