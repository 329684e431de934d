package cli

import (
	"context"
	"errors"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

// scopeFlags is the conversations in which a command looks: one, those of a session, those of
// an agent, or all.
type scopeFlags struct {
	conversation, sessionKey, sessionID, agent string
	all                                        bool
}

func (s *scopeFlags) bind(a *app, cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.StringVar(&s.conversation, "conversation", "", "look into this one `CONV`, an id, a session key or the beginning of one")
	fs.StringVar(&s.sessionKey, "session-key", "", "look into all conversations of the session with this `KEY`")
	fs.StringVar(&s.sessionID, "session-id", "", "look into all conversations of the session with this `ID`")
	fs.StringVar(&s.agent, "agent", "", "look into all conversations of this `AGENT`")
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
	convs, err := db.Conversations(cmd.Context())
	if err != nil {
		return nil, no
	}
	return conversationCompletions(convs, begun), no | cobra.ShellCompDirectiveKeepOrder
}

// isSet reports whether any of the flags is given.
func (s *scopeFlags) isSet() bool {
	return s.all || strings.TrimSpace(s.conversation+s.sessionKey+s.sessionID+s.agent) != ""
}

// check refuses flags that exclude each other.
func (s *scopeFlags) check() error {
	ways := 0
	for _, given := range []bool{s.all, s.conversation != "", s.sessionKey != "" || s.sessionID != "", s.agent != ""} {
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
	request := retrieve.ScopeRequest{AllConversations: s.all, SessionKey: s.sessionKey, SessionID: s.sessionID, Agent: s.agent}
	switch {
	case s.conversation != "":
		id, err := c.conversation(ctx, "CONV", s.conversation)
		if err != nil {
			return nil, retrieve.Scope{}, err
		}
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

// onlyConversation is the only conversation of a file, or an error that lists them.
func onlyConversation(ctx context.Context, db *data.DB) (*int64, error) {
	all, err := db.Conversations(ctx)
	switch {
	case err != nil:
		return nil, err
	case len(all) == 1:
		return &all[0].ID, nil
	case len(all) == 0:
		return nil, &usageError{msg: "the file has no conversations"}
	}
	return nil, &usageError{
		msg:  "the file has several conversations; give --conversation CONV, --session-key KEY, --session-id ID, --agent AGENT or --all",
		hint: candidates(all),
	}
}

// nothingFound says that nothing is there that fits the flags.
func (s *scopeFlags) nothingFound() error {
	if s.agent != "" {
		return usageErrorf("no session key in the file begins with agent:%s:", s.agent)
	}
	return usageErrorf("no active conversation has that session key or session id; give --conversation CONV or --all")
}
