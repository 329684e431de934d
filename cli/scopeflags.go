package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
)

// ScopeFlags is the conversations in which a command looks: one, those of a session, those of
// an agent, or all.
type ScopeFlags struct {
	conversation, sessionKey, sessionID, Agent TextFlag
	All                                        bool
}

// Bind adds the flags to a command.
func (s *ScopeFlags) Bind(a *App, cmd *cobra.Command) {
	s.conversation.Noun, s.sessionKey.Noun, s.sessionID.Noun, s.Agent.Noun = "CONV", "KEY", "ID", "AGENT"
	fs := cmd.Flags()
	fs.Var(&s.conversation, "conversation", "look into this one, an id, a session key or the beginning of one")
	fs.Var(&s.sessionKey, "session-key", "look into all conversations of the session with this key")
	fs.Var(&s.sessionID, "session-id", "look into all conversations of the session with this id")
	fs.Var(&s.Agent, "agent", "look into all conversations of this agent")
	fs.BoolVar(&s.All, "all", false, "look into all conversations")
	a.CompleteFlag(cmd, "conversation", a.CompleteConversation)
}

// CompleteConversation completes the ids and keys of conversations.
func (a *App) CompleteConversation(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	c := &Invocation{App: a}
	defer c.Close()
	db, err := c.Open(cmd.Context())
	if err != nil {
		return nil, no
	}
	convs, err := lcm.Conversations(cmd.Context(), db)
	if err != nil {
		return nil, no
	}
	return conversationCompletions(convs, begun), no | cobra.ShellCompDirectiveKeepOrder
}

// Args returns the flags as the command line of another command of this program has them.
func (s *ScopeFlags) Args() (out []string) {
	for _, f := range []struct{ name, value string }{
		{"conversation", s.conversation.Value}, {"session-key", s.sessionKey.Value}, {"session-id", s.sessionID.Value}, {"agent", s.Agent.Value},
	} {
		if f.value != "" {
			out = append(out, "--"+f.name, f.value)
		}
	}
	if s.All {
		out = append(out, "--all")
	}
	return out
}

// IsSet reports whether any of the flags is given.
func (s *ScopeFlags) IsSet() bool {
	return s.All || s.conversation.Value+s.sessionKey.Value+s.sessionID.Value+s.Agent.Value != ""
}

// Check refuses flags that exclude each other.
func (s *ScopeFlags) Check() error {
	ways := 0
	for _, given := range []bool{s.All, s.conversation.Value != "", s.sessionKey.Value != "" || s.sessionID.Value != "", s.Agent.Value != ""} {
		if given {
			ways++
		}
	}
	if ways > 1 {
		return UsageErrorf("--conversation, --session-key with --session-id, --agent and --all exclude each other; give one")
	}
	return nil
}

// Resolve opens the database and finds the conversations. Where no flag is given, these are the owners of
// what the command names, or else all of the file.
func (s *ScopeFlags) Resolve(ctx context.Context, c *Invocation, owners ...int64) (*data.DB, retrieve.Scope, error) {
	if err := s.Check(); err != nil {
		return nil, retrieve.Scope{}, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, retrieve.Scope{}, err
	}
	request := retrieve.ScopeRequest{AllConversations: s.All, SessionKey: s.sessionKey.Value, SessionID: s.sessionID.Value, Agent: s.Agent.Value}
	switch {
	case s.conversation.Value != "":
		id, err := c.Conversation(ctx, "CONV", s.conversation.Value)
		if err != nil {
			return nil, retrieve.Scope{}, err
		}
		c.warnMissingConversation(ctx, db, id)
		request.Conversation = &id
	case !s.IsSet() && len(owners) > 0:
		return db, retrieve.Conversations(owners...), nil
	case !s.IsSet():
		if request.Conversation, err = onlyConversation(ctx, db); err != nil {
			return nil, retrieve.Scope{}, err
		}
		request.AllConversations = true
	}
	scope, err := request.Resolve(ctx, db)
	if errors.Is(err, retrieve.ErrNoScope) {
		err = s.NothingFound()
	}
	return db, scope, err
}

// warnMissingConversation says where a file has no conversation with an id. That is no error:
// damaged files have rows of conversations that they lack.
func (c *Invocation) warnMissingConversation(ctx context.Context, db *data.DB, id int64) {
	var missing *data.NotFoundError
	if _, err := lcm.ReadConversation(ctx, db, id); errors.As(err, &missing) {
		c.CommandWarnings = append(c.CommandWarnings, UnknownConversation(ctx, db, err))
	}
}

// onlyConversation returns the only conversation of a file, or nil where there are several.
func onlyConversation(ctx context.Context, db *data.DB) (*int64, error) {
	all, err := lcm.Conversations(ctx, db)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 1:
		return &all[0].ID, nil
	case len(all) == 0:
		return nil, &UsageError{Message: "the file has no conversations"}
	}
	return nil, nil
}

// NothingFound says that nothing is there that fits the flags.
func (s *ScopeFlags) NothingFound() error {
	if s.Agent.Value != "" {
		return UsageErrorf("no session key in the file begins with agent:%s:", s.Agent.Value)
	}
	return UsageErrorf("no active conversation has that session key or session id; give --conversation CONV or --all")
}

// ResolveIn returns the scope that the flags mean in a database.
func (s *ScopeFlags) ResolveIn(ctx context.Context, db *data.DB) (retrieve.Scope, error) {
	request := retrieve.ScopeRequest{SessionKey: s.sessionKey.Value, SessionID: s.sessionID.Value, Agent: s.Agent.Value}
	if s.conversation.Value != "" {
		id, err := FindConversation(ctx, db, "CONV", s.conversation.Value)
		if err != nil {
			return retrieve.Scope{}, err
		}
		request.Conversation = &id
	}
	return request.Resolve(ctx, db)
}
