package read

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// briefList is the result of focus.
type briefList struct {
	Conversation int64            `json:"conversation_id"`
	Briefs       []lcm.FocusBrief `json:"briefs"`
	cli.NextPage
	cli.WarningList
}

func focusCommand(a *cli.App) *cobra.Command {
	part := &cli.Paging{}
	run := func(ctx context.Context, c *cli.Invocation) (cli.Result, error) { return focusBriefs(ctx, c, part) }
	cmd := a.Command(cli.GroupBrowse, "focus CONV", "List the focus briefs of a conversation", run)
	part.Bind(cmd)
	cmd.Long = `Lists the focus briefs of a conversation, newest first. While a focus brief is active, its
text replaces all summaries up to a point.

Writes nothing.`
	cmd.Example = "  lcm-tui focus 12"
	return cmd
}

func focusBriefs(ctx context.Context, c *cli.Invocation, part *cli.Paging) (cli.Result, error) {
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	briefs, err := lcm.FocusBriefs(ctx, db, conv.ID)
	if err != nil {
		return nil, err
	}
	for i := range briefs {
		briefs[i].Sources = append([]lcm.FocusSource{}, briefs[i].Sources...)
	}
	l := &briefList{Conversation: conv.ID}
	briefs, l.Next, err = cli.PageOf(part, briefs, func(b lcm.FocusBrief) string { return b.ID })
	l.Briefs = append([]lcm.FocusBrief{}, briefs...)
	return l, err
}

func (l *briefList) Print(p *cli.Printer) {
	if len(l.Briefs) == 0 {
		p.None("focus briefs", "")
		return
	}
	rows := make([][]string, len(l.Briefs))
	for i, b := range l.Briefs {
		rows[i] = []string{
			ui.LineN(b.ID, 40), ui.LineN(b.Status, 12), ui.Num(b.Tokens), ui.Num(int64(len(b.Sources))), cli.When(b.CreatedAt), cli.Preview(b.Prompt), cli.Preview(b.Content),
		}
	}
	p.Table([]cli.Column{
		{Title: "id"},
		{Title: "status"},
		{Title: "tokens", Right: true},
		{Title: "sources", Right: true, Spare: true},
		{Title: "at", Style: p.Styles.Muted, Spare: true},
		{Title: "about", Grows: true},
		{Title: "text", Grows: true},
	}, rows)
	l.More(p)
}
