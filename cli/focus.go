package cli

import (
	"context"

	"github.com/spf13/cobra"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

// briefList is the result of focus.
type briefList struct {
	Conversation int64            `json:"conversation_id"`
	Briefs       []lcm.FocusBrief `json:"briefs"`
	nextPage
	warningList
}

func (a *app) focus() *cobra.Command {
	part := &paging{}
	run := func(ctx context.Context, c *invocation) (result, error) { return focusBriefs(ctx, c, part) }
	cmd := a.command(groupBrowse, "focus CONV", "List the focus briefs of a conversation", run)
	part.bind(cmd)
	cmd.Long = `Lists the focus briefs of a conversation, newest first. While a focus brief is active, its
text replaces all summaries up to a point.

Writes nothing.`
	cmd.Example = "  lcm-tui focus 12"
	return cmd
}

func focusBriefs(ctx context.Context, c *invocation, part *paging) (result, error) {
	db, conv, err := c.openConversation(ctx)
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
	briefs, l.Next, err = pageOf(part, briefs, func(b lcm.FocusBrief) string { return b.ID })
	l.Briefs = append([]lcm.FocusBrief{}, briefs...)
	return l, err
}

func (l *briefList) Print(p *printer) {
	if len(l.Briefs) == 0 {
		p.none("focus briefs", "")
		return
	}
	rows := make([][]string, len(l.Briefs))
	for i, b := range l.Briefs {
		rows[i] = []string{
			ui.LineN(b.ID, 40), ui.LineN(b.Status, 12), ui.Num(b.Tokens), ui.Num(int64(len(b.Sources))), when(b.CreatedAt), preview(b.Prompt), preview(b.Content),
		}
	}
	p.table([]column{
		{title: "id"},
		{title: "status"},
		{title: "tokens", right: true},
		{title: "sources", right: true, spare: true},
		{title: "at", style: p.styles.Muted, spare: true},
		{title: "about", grows: true},
		{title: "text", grows: true},
	}, rows)
	l.more(p)
}
