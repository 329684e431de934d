package read

import (
	"context"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// summaryListFlags is which summaries are listed.
type summaryListFlags struct {
	depth  *cli.IntegerFlag
	kind   *cli.ChoiceFlag
	paging cli.Paging
	when   cli.Timespan
	whole  bool
}

func summariesCommand(a *cli.App) *cobra.Command {
	s := summaryListFlags{depth: cli.AtLeast(0, "N"), kind: cli.OneOf("", lcm.KindLeaf, lcm.KindCondensed)}
	cmd := a.Command(cli.GroupBrowse, "summaries CONV", "List the summaries of a conversation", s.run)
	cmd.Long = `Lists the summaries of a conversation by depth and age. Leaves, of depth 0, are made from
messages; condensed summaries are made from summaries. A marker says that no model wrote the
text: old, fallback, new (cut) or emergency. Times are those that a summary covers.
summaries show ID prints one summary.

Writes nothing.`
	cmd.Example = "  lcm-tui summaries 12 --kind condensed\n  lcm-tui summaries 12 --depth 0 --json\n  lcm-tui summaries show sum_1a2b3c4d5e6f7a8b"
	cmd.ValidArgsFunction = a.CompleteActions
	cmd.Flags().Var(s.depth, "depth", "only summaries of this depth")
	cmd.Flags().Var(s.kind, "kind", "only summaries of this kind: leaf or condensed")
	s.paging.Bind(cmd)
	s.when.Bind(cmd)
	cmd.Flags().BoolVar(&s.whole, "include-content", false, "print the full texts, as --json does")
	return cmd
}

func (s *summaryListFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if c.Action == "show" {
		return showSummary(ctx, c)
	}
	db, conv, err := c.OpenConversation(ctx)
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
	l.Summaries, l.Next, err = cli.PageOf(&s.paging, l.Summaries, func(r summaryRow) string { return r.ID })
	return l, err
}

func (s *summaryListFlags) takes(sum lcm.Summary, now time.Time) bool {
	if s.depth.IsSet && sum.Depth != s.depth.Value || s.kind.Value != "" && sum.Kind != s.kind.Value {
		return false
	}
	began, ended := sum.EarliestAt, sum.LatestAt
	for _, t := range []*data.Time{&began, &ended} {
		if !t.Valid() {
			*t = sum.CreatedAt
		}
	}
	return !s.when.IsSet() || s.when.Holds(now, began.Time, ended.Time)
}

// showSummary returns the summary that the argument names.
func showSummary(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	sum, err := lcm.ReadSummary(ctx, db, c.Args[0])
	if err != nil {
		return nil, err
	}
	o, err := readOrigin(ctx, db, sum.Conversation)
	return &summaryResult{Conversation: sum.Conversation, Summary: o.row(sum)}, err
}
