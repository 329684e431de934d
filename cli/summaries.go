package cli

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// summaryListFlags is which summaries are listed.
type summaryListFlags struct {
	depth  *integerFlag
	kind   *choiceFlag
	paging paging
	when   timespan
	whole  bool
}

func (a *app) summaries() *cobra.Command {
	s := summaryListFlags{depth: atLeast(0, "N"), kind: oneOf("", lcm.KindLeaf, lcm.KindCondensed)}
	cmd := a.command(groupBrowse, "summaries CONV", "List the summaries of a conversation", s.run)
	cmd.Long = `Lists the summaries of a conversation by depth and age. Leaves, of depth 0, are made from
messages; condensed summaries are made from summaries. A marker says that no model wrote the
text: old, fallback, new (cut) or emergency. Times are those that a summary covers.
summaries show ID prints one summary.

Writes nothing.`
	cmd.Example = "  lcm-tui summaries 12 --kind condensed\n  lcm-tui summaries 12 --depth 0 --json\n  lcm-tui summaries show sum_1a2b3c4d5e6f7a8b"
	cmd.ValidArgsFunction = a.completeActions
	cmd.Flags().Var(s.depth, "depth", "only summaries of this depth")
	cmd.Flags().Var(s.kind, "kind", "only summaries of this kind: leaf or condensed")
	s.paging.bind(cmd)
	s.when.bind(cmd)
	cmd.Flags().BoolVar(&s.whole, "include-content", false, "print the full texts, as --json does")
	return cmd
}

func (s *summaryListFlags) run(ctx context.Context, c *invocation) (result, error) {
	if c.action == "show" {
		return c.showSummary(ctx)
	}
	db, conv, err := c.openConversation(ctx)
	if err != nil {
		return nil, err
	}
	all, err := lcm.Summaries(ctx, db, conv.ID, data.WholeText)
	if err != nil {
		return nil, err
	}
	o, err := readOrigin(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	l := &summaryList{Conversation: conv.ID, Summaries: []summaryRow{}, whole: s.whole}
	for _, sum := range all {
		if s.takes(sum, db.Now()) {
			l.Summaries = append(l.Summaries, o.row(sum))
		}
	}
	l.Summaries, l.Next, err = pageOf(&s.paging, l.Summaries, func(r summaryRow) string { return r.ID })
	return l, err
}

func (s *summaryListFlags) takes(sum lcm.Summary, now time.Time) bool {
	if s.depth.IsSet && sum.Depth != s.depth.value || s.kind.value != "" && sum.Kind != s.kind.value {
		return false
	}
	began, ended := sum.EarliestAt, sum.LatestAt
	for _, t := range []*data.Time{&began, &ended} {
		if !t.Valid() {
			*t = sum.CreatedAt
		}
	}
	return !s.when.set() || s.when.holds(now, began.Time, ended.Time)
}

// showSummary is the summary that the argument names.
func (c *invocation) showSummary(ctx context.Context) (result, error) {
	db, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	sum, err := lcm.ReadSummary(ctx, db, c.args[0])
	if err != nil {
		return nil, err
	}
	o, err := readOrigin(ctx, db, sum.Conversation)
	return &summaryResult{Conversation: sum.Conversation, Summary: o.row(sum)}, err
}
