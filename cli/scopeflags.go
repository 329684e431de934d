package cli

import (
	"context"
	"errors"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/retrieve"
)

// scopeFlags is the conversations in which a command looks: one, those of a session, those of
// an agent, or all.
type scopeFlags struct {
	conversation, sessionKey, sessionID, agent textFlag
	all                                        bool
}

func (s *scopeFlags) bind(a *app, cmd *cobra.Command) {
	s.conversation.noun, s.sessionKey.noun, s.sessionID.noun, s.agent.noun = "CONV", "KEY", "ID", "AGENT"
	fs := cmd.Flags()
	fs.Var(&s.conversation, "conversation", "look into this one, an id, a session key or the beginning of one")
	fs.Var(&s.sessionKey, "session-key", "look into all conversations of the session with this key")
	fs.Var(&s.sessionID, "session-id", "look into all conversations of the session with this id")
	fs.Var(&s.agent, "agent", "look into all conversations of this agent")
	fs.BoolVar(&s.all, "all", false, "look into all conversations")
	a.completeFlag(cmd, "conversation", a.completeConversation)
}

// completeConversation completes the ids and keys of conversations.
func (a *app) completeConversation(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	c := &invocation{app: a}
	defer c.close()
	db, err := c.open(cmd.Context())
	if err != nil {
		return nil, no
	}
	convs, err := lcm.Conversations(cmd.Context(), db)
	if err != nil {
		return nil, no
	}
	return conversationCompletions(convs, begun), no | cobra.ShellCompDirectiveKeepOrder
}

// args are the flags as the command line of another command of this program has them.
func (s *scopeFlags) args() (out []string) {
	for _, f := range []struct{ name, value string }{
		{"conversation", s.conversation.value}, {"session-key", s.sessionKey.value}, {"session-id", s.sessionID.value}, {"agent", s.agent.value},
	} {
		if f.value != "" {
			out = append(out, "--"+f.name, f.value)
		}
	}
	if s.all {
		out = append(out, "--all")
	}
	return out
}

// isSet reports whether any of the flags is given.
func (s *scopeFlags) isSet() bool {
	return s.all || s.conversation.value+s.sessionKey.value+s.sessionID.value+s.agent.value != ""
}

// check refuses flags that exclude each other.
func (s *scopeFlags) check() error {
	ways := 0
	for _, given := range []bool{s.all, s.conversation.value != "", s.sessionKey.value != "" || s.sessionID.value != "", s.agent.value != ""} {
		if given {
			ways++
		}
	}
	if ways > 1 {
		return usageErrorf("--conversation, --session-key with --session-id, --agent and --all exclude each other; give one")
	}
	return nil
}

// resolve opens the database and finds the conversations. Where no flag is given, it is the
// only conversation of the file: which of several is meant, is never guessed.
func (s *scopeFlags) resolve(ctx context.Context, c *invocation) (*data.DB, retrieve.Scope, error) {
	if err := s.check(); err != nil {
		return nil, retrieve.Scope{}, err
	}
	db, err := c.open(ctx)
	if err != nil {
		return nil, retrieve.Scope{}, err
	}
	request := retrieve.ScopeRequest{AllConversations: s.all, SessionKey: s.sessionKey.value, SessionID: s.sessionID.value, Agent: s.agent.value}
	switch {
	case s.conversation.value != "":
		id, err := c.conversation(ctx, "CONV", s.conversation.value)
		if err != nil {
			return nil, retrieve.Scope{}, err
		}
		c.warnMissingConversation(ctx, db, id)
		request.Conversation = &id
	case !s.isSet():
		if request.Conversation, err = onlyConversation(ctx, db); err != nil {
			return nil, retrieve.Scope{}, err
		}
	}
	scope, err := request.Resolve(ctx, db)
	if errors.Is(err, retrieve.ErrNoScope) {
		err = s.nothingFound()
	}
	return db, scope, err
}

// warnMissingConversation says where a file has no conversation with an id. That is no error:
// damaged files have rows of conversations that they lack.
func (c *invocation) warnMissingConversation(ctx context.Context, db *data.DB, id int64) {
	var missing *data.NotFoundError
	if _, err := lcm.ReadConversation(ctx, db, id); errors.As(err, &missing) {
		c.commandWarnings = append(c.commandWarnings, unknownConversation(ctx, db, err))
	}
}

// onlyConversation is the only conversation of a file, or an error that lists them.
func onlyConversation(ctx context.Context, db *data.DB) (*int64, error) {
	all, err := lcm.Conversations(ctx, db)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 1:
		return &all[0].ID, nil
	case len(all) == 0:
		return nil, &usageError{Message: "the file has no conversations"}
	}
	return nil, &usageError{
		Message: "the file has several conversations; give --conversation CONV, --session-key KEY, --session-id ID, --agent AGENT or --all",
		Next:    candidates(all),
	}
}

// nothingFound says that nothing is there that fits the flags.
func (s *scopeFlags) nothingFound() error {
	if s.agent.value != "" {
		return usageErrorf("no session key in the file begins with agent:%s:", s.agent.value)
	}
	return usageErrorf("no active conversation has that session key or session id; give --conversation CONV or --all")
}

// resolveIn is the scope that the flags mean in a database.
func (s *scopeFlags) resolveIn(ctx context.Context, db *data.DB) (retrieve.Scope, error) {
	request := retrieve.ScopeRequest{SessionKey: s.sessionKey.value, SessionID: s.sessionID.value, Agent: s.agent.value}
	if s.conversation.value != "" {
		id, err := find(ctx, db, "CONV", s.conversation.value)
		if err != nil {
			return retrieve.Scope{}, err
		}
		request.Conversation = &id
	}
	return request.Resolve(ctx, db)
}
