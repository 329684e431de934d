package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/data"
)

// summaryChoice is which summaries are listed.
type summaryChoice struct {
	depth *number
	kind  *choice
}

func (a *app) summaries() *cobra.Command {
	s := summaryChoice{atLeast(0, "N"), oneOf("", data.KindLeaf, data.KindCondensed)}
	cmd := a.command(groupBrowse, "summaries CONV", "List the summaries of a conversation", s.run)
	cmd.Long = "Lists the summaries of a conversation by depth and age: leaves of depth 0 are made\nof messages, condensed ones of summaries. A marker says that no model wrote the\ntext: old, fallback, new (cut) or emergency. Writes nothing."
	cmd.Example = "  lcm-tui summaries 12 --kind condensed\n  lcm-tui summaries 12 --depth 0 --json"
	cmd.Flags().Var(s.depth, "depth", "only of this depth")
	cmd.Flags().Var(s.kind, "kind", "only of this kind")
	return cmd
}

func (s *summaryChoice) run(ctx context.Context, c *call) (result, error) {
	db, conv, err := c.openConversation(ctx)
	if err != nil {
		return nil, err
	}
	all, err := db.Summaries(ctx, conv.ID, data.Whole)
	if err != nil {
		return nil, err
	}
	o, err := readOrigin(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	l := &summaryList{Conversation: conv.ID, Summaries: []summaryRow{}}
	for _, sum := range all {
		if (!s.depth.set || sum.Depth == s.depth.value) && (s.kind.value == "" || sum.Kind == s.kind.value) {
			l.Summaries = append(l.Summaries, o.row(sum))
		}
	}
	return l, nil
}
