package cli

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"lcm-tui/data"
)

// window is which messages are listed.
type window struct {
	before, after, limit *number
	role                 *choice
}

func (a *app) messages() *cobra.Command {
	w := window{
		atLeast(1, "ID"), atLeast(1, "ID"), atLeast(1, "N").preset(200),
		oneOf("", "user", "assistant", "tool", "system"),
	}
	cmd := a.command(groupBrowse, "messages CONV", "List the messages of a conversation", w.run)
	cmd.Long = "Lists the newest messages of a conversation, oldest first, with their parts (--json)\nand the summaries that cover them. Writes nothing."
	cmd.Example = "  lcm-tui messages 12\n  lcm-tui messages 12 --before 48211 --limit 50 --json"
	fs := cmd.Flags()
	fs.Var(w.before, "before", "those just before this message_id")
	fs.Var(w.after, "after", "those just after this message_id")
	fs.Var(w.limit, "limit", "at most so many")
	fs.Var(w.role, "role", "only of this role")
	return cmd
}

func (w *window) run(ctx context.Context, c *call) (result, error) {
	db, conv, err := c.openConversation(ctx)
	if err != nil {
		return nil, err
	}
	from := walk{db: db, conv: conv.ID, role: w.role.value, clip: data.Whole}
	if !c.opts.json {
		from.clip = 512
	}
	switch {
	case w.before.set:
		from.before, err = seqOf(ctx, db, conv.ID, w.before.value)
	case w.after.set:
		from.forward = true
		from.after, err = seqOf(ctx, db, conv.ID, w.after.value)
	}
	if err != nil {
		return nil, err
	}
	l := &messageList{Conversation: conv.ID}
	if l.Messages, err = from.take(ctx, w.limit.value); err != nil {
		return nil, err
	}
	l.HasOlder, err = from.older(ctx, l.Messages)
	return l, err
}

// seqOf is the seq of a message, which has to be one of the conversation's.
func seqOf(ctx context.Context, db *data.DB, conv, id int64) (*int64, error) {
	m, err := db.Message(ctx, id)
	if err != nil {
		return nil, err
	}
	switch {
	case m.Conversation != conv:
		return nil, &data.NotFoundError{What: "message", ID: fmt.Sprintf("%d of conversation %d", id, conv), Path: db.Path()}
	case m.Seq == 0:
		return nil, fmt.Errorf("message %d has the damaged seq 0, so nothing can be said to stand next to it", id)
	}
	return &m.Seq, nil
}
