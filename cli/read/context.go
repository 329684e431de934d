package read

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/settings"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// contextList is the result of context.
type contextList struct {
	Conversation int64         `json:"conversation_id"`
	Tokens       int64         `json:"tokens"`
	Budget       int64         `json:"budget"`
	FreshTail    *int64        `json:"fresh_tail_ordinal"`
	Items        []contextItem `json:"items"`
	cli.NextPage
	cli.WarningList
	items []lcm.ContextItem
	total int // Of all of the context.
}

// contextItem is one place of the context; what doesn't apply to it is null.
type contextItem struct {
	Ordinal int64   `json:"ordinal"`
	Type    string  `json:"item_type"`
	Summary *string `json:"summary_id"`
	Message *int64  `json:"message_id"`
	Kind    *string `json:"kind"`
	Depth   *int64  `json:"depth"`
	Role    *string `json:"role"`
	Seq     *int64  `json:"seq"`
	Tokens  int64   `json:"token_count"`
	Preview string  `json:"preview"`
	Missing bool    `json:"missing,omitempty"`
}

// contextLimits are the budget and the fresh tail to hold a context against.
type contextLimits struct {
	budget, tail, tailTokens *cli.IntegerFlag
	set                      cli.Assignments
}

func newLimits() contextLimits {
	return contextLimits{budget: cli.AtLeast(1, "TOKENS"), tail: cli.AtLeast(0, "N"), tailTokens: cli.AtLeast(0, "TOKENS")}
}

func (l *contextLimits) bind(cmd *cobra.Command) {
	fs := cmd.Flags()
	fs.Var(l.budget, "budget", "the token budget (default: what the host noted, or 128000)")
	fs.Var(l.tail, "fresh-tail", "the number of newest messages that are always kept (default: as configured, or 64)")
	fs.Var(l.tailTokens, "fresh-tail-max-tokens", "the token limit of the fresh tail; the newest user message and what follows it always stay")
	fs.Var(&l.set, "set", "a setting of lcm-tui config, as NAME=VALUE; repeatable")
}

func contextCommand(a *cli.App) *cobra.Command {
	l := &contextView{contextLimits: newLimits()}
	cmd := a.Command(cli.GroupBrowse, "context CONV", "List the context of a conversation", l.run)
	cmd.Long = `Lists the context of a conversation in order: summaries of the past, then messages. The
newest messages are the fresh tail, which is never summarized.

Writes nothing.`
	cmd.Example = "  lcm-tui context 12\n  lcm-tui context 12 --budget 200000 --json"
	l.bind(cmd)
	l.paging.Bind(cmd)
	return cmd
}

// contextView is how a context is listed.
type contextView struct {
	contextLimits
	paging cli.Paging
}

func (l *contextView) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	items, err := lcm.Context(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	set, _, err := l.inForce(ctx, c, db, conv)
	if err != nil {
		return nil, err
	}
	budget, err := l.effectiveBudget(ctx, db, conv.ID, set)
	if err != nil {
		return nil, err
	}
	r := &contextList{Conversation: conv.ID, Budget: budget, Tokens: lcm.SumTokens(items), Items: make([]contextItem, len(items)), items: items}
	for i, item := range items {
		r.Items[i] = newContextItem(item)
	}
	tail := tailOf(set)
	counted, err := tail.Counted(ctx, db, conv.ID, items)
	if err != nil {
		return nil, err
	}
	if at := assemble.FreshTail(counted, tail); at < len(items) {
		r.FreshTail = &items[at].Ordinal
	}
	name := func(ordinal int64) string { return strconv.FormatInt(ordinal, 10) }
	if r.items, _, err = cli.PageOf(&l.paging, r.items, func(i lcm.ContextItem) string { return name(i.Ordinal) }); err != nil {
		return nil, err
	}
	r.total = len(items)
	r.Items, r.Next, err = cli.PageOf(&l.paging, r.Items, func(i contextItem) string { return name(i.Ordinal) })
	return r, err
}

// inForce returns the settings of assembly for a conversation, with the fresh tail that was
// given, and the zone of times.
func (l *contextLimits) inForce(ctx context.Context, c *cli.Invocation, db *data.DB, conv lcm.Conversation) (set settings.Assembly, at *time.Location, err error) {
	err = errors.Join(l.set.Check(c.Name), l.set.ExcludeFlag("fresh-tail", l.tail.IsSet, "freshTailCount"),
		l.set.ExcludeFlag("fresh-tail-max-tokens", l.tailTokens.IsSet, "freshTailMaxTokens"))
	if err != nil {
		return set, nil, err
	}
	conf, caveat, err := c.HostSettings(l.set.Values).ForConversation(ctx, db, conv)
	if err != nil {
		return set, nil, err
	}
	if caveat != nil {
		c.CommandWarnings = append(c.CommandWarnings, caveat)
	}
	set = conf.Assembly()
	if l.tail.IsSet {
		set.FreshTailCount = l.tail.Value
	}
	if l.tailTokens.IsSet {
		set.FreshTailMaxTokens = &l.tailTokens.Value
	}
	return set, conf.Location(), nil
}

// tailOf returns the fresh tail under settings.
func tailOf(set settings.Assembly) assemble.Tail {
	return assemble.Tail{Count: int(set.FreshTailCount), MaxTokens: set.FreshTailMaxTokens}
}

// effectiveBudget returns the budget that was given, that the host noted, or that it starts with;
// the latter two are no larger than the host lets them be.
func (l *contextLimits) effectiveBudget(ctx context.Context, db *data.DB, conv int64, set settings.Assembly) (int64, error) {
	if l.budget.IsSet {
		return l.budget.Value, nil
	}
	n, err := lcm.Budget(ctx, db, conv)
	if n <= 0 {
		n = assemble.DefaultBudget
	}
	if set.MaxBudget > 0 {
		n = min(n, set.MaxBudget)
	}
	return n, err
}

func newContextItem(i lcm.ContextItem) contextItem {
	out := contextItem{Ordinal: i.Ordinal, Type: i.Type, Tokens: i.Tokens, Preview: cli.Preview(i.Preview), Missing: i.Missing}
	if i.IsSummary() {
		out.Summary, out.Kind, out.Depth = &i.Summary, cli.OrNull(i.Kind), &i.Depth
		return out
	}
	out.Message, out.Role, out.Seq = &i.Message, cli.OrNull(i.Role), &i.Seq
	return out
}

// maxPercent is the largest share that is worth its digits.
const maxPercent = 999

// percentOf returns the share of a budget that tokens take.
func percentOf(tokens, budget int64) string {
	if budget > 0 && tokens/budget*100 > maxPercent {
		return fmt.Sprintf("over %d%%", maxPercent)
	}
	return ui.Percent(float64(tokens) / float64(budget))
}

func (l *contextList) Print(p *cli.Printer) {
	if len(l.items) == 0 {
		p.Linef("the context of conversation %d is empty", l.Conversation)
		return
	}
	p.Linef("%s of %s (%s), %s", ui.Tokens(l.Tokens), ui.Tokens(l.Budget), percentOf(l.Tokens, l.Budget),
		plural.Count(l.total, "item", "items"))
	rows := make([][]string, len(l.items))
	for i, item := range l.items {
		fresh := ""
		if l.FreshTail != nil && item.Ordinal >= *l.FreshTail {
			fresh = "fresh"
		}
		rows[i] = []string{fmt.Sprint(item.Ordinal), cli.ItemName(item), ui.Num(item.Tokens), fresh, cli.Preview(item.Preview)}
	}
	p.Table([]cli.Column{
		{Title: "place", Right: true},
		{Title: "what"},
		{Title: "tokens", Right: true},
		{Title: "tail", Style: p.Styles.Muted, Spare: true},
		{Title: "text", Grows: true},
	}, rows)
	l.More(p)
}
