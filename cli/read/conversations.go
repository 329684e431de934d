package read

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/prune/selector"
)

// conversationFlags is what conversations lists, and how.
type conversationFlags struct {
	agent, filter    cli.TextFlag
	active, archived bool
	sort             *cli.ChoiceFlag
	paging           cli.Paging
	when             cli.Timespan
}

func conversationsCommand(a *cli.App) *cobra.Command {
	s := conversationFlags{
		agent: cli.TextFlag{Noun: "NAME"}, filter: cli.TextFlag{Noun: "TEXT"},
		sort: cli.OneOf("activity", "activity", "id", "messages", "tokens"),
	}
	cmd := a.Command(cli.GroupBrowse, "conversations", "List the conversations of the database", s.run)
	cmd.Long = `Lists every conversation with the number of its messages and summaries and the size of its
context, newest message first. conversations show CONV prints one conversation.

  depth      of the highest summaries
  items      messages and summaries in the context, with their tokens
  family     how many conversations the session has, of which /new archives the older ones
  last       the time of the newest message, or of the creation if there is none

Writes nothing.`
	cmd.Example = "  lcm-tui conversations --active --sort tokens\n  lcm-tui conversations --json --agent main --recency 7d\n  lcm-tui conversations show agent:main:main"
	cmd.ValidArgsFunction = a.CompleteActions
	fs := cmd.Flags()
	fs.Var(&s.agent, "agent", "only conversations of this agent, as in the session key agent:NAME:…")
	fs.BoolVar(&s.active, "active", false, "only conversations that are not archived")
	fs.BoolVar(&s.archived, "archived", false, "only archived conversations")
	fs.Var(&s.filter, "filter", "only conversations with this text in the title, key or id")
	fs.Var(s.sort, "sort", "activity, id, messages or tokens")
	s.paging.Bind(cmd)
	s.when.Bind(cmd)
	return cmd
}

func (s *conversationFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if c.Action == "show" {
		return showConversation(ctx, c)
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	all, stats, err := cli.CountedConversations(ctx, db)
	if err != nil {
		return nil, err
	}
	states, err := pending.ReadStates(ctx, db)
	if err != nil {
		return nil, err
	}
	families := countFamilies(all)
	l := &conversationList{Conversations: []conversationRow{}, total: len(all), now: db.Now()}
	for _, conv := range all {
		row := newConversationRow(conv, families[conv.ID], stats[conv.ID], states[conv.ID], db.UncountedTables())
		if s.takes(conv) && (!s.when.IsSet() || s.when.Holds(l.now, row.activity(), row.activity())) {
			l.Conversations = append(l.Conversations, row)
		}
	}
	if err := cli.UnknownAgent(all, s.agent.Value); err != nil {
		c.CommandWarnings = append(c.CommandWarnings, err)
	}
	sorting.Stable(l.Conversations, s.order())
	l.Conversations, l.Next, err = cli.PageOf(&s.paging, l.Conversations, func(r conversationRow) string { return strconv.FormatInt(r.ID, 10) })
	return l, err
}

// countFamilies counts the conversations of the session of each one, by its id.
func countFamilies(all []lcm.Conversation) map[int64]int {
	families := make([]selector.Conversation, len(all))
	for i, c := range all {
		families[i] = selector.Conversation{ID: c.ID, Session: c.SessionID, Key: c.SessionKey}
	}
	return selector.CountFamilies(families)
}

// showConversation returns the conversation that the argument names.
func showConversation(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	stats, err := lcm.ReadStats(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	states, err := pending.ReadStates(ctx, db)
	if err != nil {
		return nil, err
	}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return nil, err
	}
	return &conversationResult{Conversation: newConversationRow(conv, countFamilies(all)[conv.ID], &stats, states[conv.ID], db.UncountedTables())}, nil
}

func (s *conversationFlags) takes(c lcm.Conversation) bool {
	if s.active && !c.Active || s.archived && c.Active || s.agent.Value != "" && c.Agent() != s.agent.Value {
		return false
	}
	text := strings.ToLower(strings.Join([]string{c.Title, c.SessionKey, c.SessionID, strconv.FormatInt(c.ID, 10)}, "\n"))
	return strings.Contains(text, strings.ToLower(s.filter.Value))
}

func (s *conversationFlags) order() func(a, b *conversationRow) int {
	switch s.sort.Value {
	case "id":
		return func(a, b *conversationRow) int { return cmp.Compare(a.ID, b.ID) }
	case "messages":
		return func(a, b *conversationRow) int { return cmp.Compare(b.Messages, a.Messages) }
	case "tokens":
		return func(a, b *conversationRow) int { return cmp.Compare(b.ContextTokens, a.ContextTokens) }
	}
	return func(a, b *conversationRow) int { return b.activity().Compare(a.activity()) }
}
