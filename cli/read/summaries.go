package read

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/sorting"
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
	cmd.Long = `Lists the summaries of a conversation by depth and by the time that they cover. Leaves, of
depth 0, are made from messages; condensed summaries are made from summaries. A marker says
that no model wrote the text: old, fallback, new (cut) or emergency. Under "where" is context
for what stands in the context. from and to are the times that a summary covers.
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
	sorting.Stable(all, func(a, b *lcm.Summary) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), began(a).Compare(began(b)), a.LatestAt.Compare(b.LatestAt.Time), strings.Compare(a.ID, b.ID))
	})
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

// began returns when what a summary covers began, or else when it was made.
func began(s *lcm.Summary) time.Time {
	if s.EarliestAt.Valid() {
		return s.EarliestAt.Time
	}
	return s.CreatedAt.Time
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
	named, err := c.Summary(ctx, c.Args[0])
	if err != nil {
		return nil, err
	}
	sum, err := lcm.ReadSummary(ctx, c.DB, named.ID)
	if err != nil {
		return nil, err
	}
	o, err := readOrigin(ctx, c.DB, sum.Conversation)
	return &summaryResult{Conversation: sum.Conversation, Summary: o.row(sum)}, err
}
