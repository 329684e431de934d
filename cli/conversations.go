package cli

import (
	"cmp"
	"context"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/pending"
	"lcm-tui/internal/sorting"
	"lcm-tui/ops/prune/selector"
)

// conversationFlags is what conversations lists, and how.
type conversationFlags struct {
	agent, filter    textFlag
	active, archived bool
	sort             *choiceFlag
	paging           paging
	when             timespan
}

func (a *app) conversations() *cobra.Command {
	s := conversationFlags{
		agent: textFlag{noun: "NAME"}, filter: textFlag{noun: "TEXT"},
		sort: oneOf("activity", "activity", "id", "messages", "tokens"),
	}
	cmd := a.command(groupBrowse, "conversations", "List the conversations of the database", s.run)
	cmd.Long = `Lists every conversation with the number of its messages and summaries and the size of its
context, newest message first. conversations show CONV prints one conversation. Times are
those of the newest message, or of the creation if there is none.

Writes nothing.`
	cmd.Example = "  lcm-tui conversations --active --sort tokens\n  lcm-tui conversations --json --agent main --recency 7d\n  lcm-tui conversations show agent:main:main"
	cmd.ValidArgsFunction = a.completeActions
	fs := cmd.Flags()
	fs.Var(&s.agent, "agent", "only conversations of this agent, as in the session key agent:NAME:…")
	fs.BoolVar(&s.active, "active", false, "only conversations that are not archived")
	fs.BoolVar(&s.archived, "archived", false, "only archived conversations")
	fs.Var(&s.filter, "filter", "only conversations with this text in the title, key or id")
	fs.Var(s.sort, "sort", "activity, id, messages or tokens")
	s.paging.bind(cmd)
	s.when.bind(cmd)
	return cmd
}

func (s *conversationFlags) run(ctx context.Context, c *invocation) (result, error) {
	if c.action == "show" {
		return c.showConversation(ctx)
	}
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	all, stats, err := counted(ctx, db)
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
		if s.takes(conv) && (!s.when.set() || s.when.holds(l.now, row.activity(), row.activity())) {
			l.Conversations = append(l.Conversations, row)
		}
	}
	if err := unknownAgent(all, s.agent.value); err != nil {
		c.commandWarnings = append(c.commandWarnings, err)
	}
	sorting.Stable(l.Conversations, s.order())
	l.Conversations, l.Next, err = pageOf(&s.paging, l.Conversations, func(r conversationRow) string { return strconv.FormatInt(r.ID, 10) })
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

// showConversation is the conversation that the argument names.
func (c *invocation) showConversation(ctx context.Context) (result, error) {
	db, conv, err := c.openConversation(ctx)
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
	if s.active && !c.Active || s.archived && c.Active || s.agent.value != "" && c.Agent() != s.agent.value {
		return false
	}
	text := strings.ToLower(strings.Join([]string{c.Title, c.SessionKey, c.SessionID, strconv.FormatInt(c.ID, 10)}, "\n"))
	return strings.Contains(text, strings.ToLower(s.filter.value))
}

func (s *conversationFlags) order() func(a, b *conversationRow) int {
	switch s.sort.value {
	case "id":
		return func(a, b *conversationRow) int { return cmp.Compare(a.ID, b.ID) }
	case "messages":
		return func(a, b *conversationRow) int { return cmp.Compare(b.Messages, a.Messages) }
	case "tokens":
		return func(a, b *conversationRow) int { return cmp.Compare(b.ContextTokens, a.ContextTokens) }
	}
	return func(a, b *conversationRow) int { return b.activity().Compare(a.activity()) }
}
