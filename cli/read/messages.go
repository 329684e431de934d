package read

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// messageFlags is which messages are listed.
type messageFlags struct {
	when   cli.Timespan
	paging cli.Paging
	roles  cli.ChoiceListFlag
	whole  bool
}

func messagesCommand(a *cli.App) *cobra.Command {
	w := messageFlags{roles: cli.ChoiceListFlag{Words: []string{"user", "assistant", "tool", "system"}}}
	w.when.After.OrID, w.when.Before.OrID = true, true
	cmd := a.Command(cli.GroupBrowse, "messages CONV", "List the messages of a conversation", w.run)
	cmd.Long = `Lists the newest messages of a conversation, oldest first, and the summaries that cover them;
--json also prints their parts. messages tail CONV lists the last 20. Under "where" is context
for what stands in the context, else a summary that was made of the message.

Writes nothing.`
	cmd.Example = "  lcm-tui messages 12\n  lcm-tui messages 12 --before 48211 --limit 50 --json\n  lcm-tui messages agent:main:main --after 2026-01-05 --role user --role assistant"
	cmd.ValidArgsFunction = a.CompleteActions
	fs := cmd.Flags()
	fs.Var(&w.when.Before, "before", "those just before this message_id, or before a time such as 2026-01-05T14:30, in the local zone if it names none")
	fs.Var(&w.when.After, "after", "those just after this message_id, or from a time on")
	w.when.BindStretch(cmd)
	w.paging.Limit = cli.AtLeast(1, "N")
	fs.Var(w.paging.Limit, "limit", "at most so many, else LCM_TUI_CONVERSATION_WINDOW_SIZE or 200")
	w.paging.BindCursor(cmd)
	fs.Var(&w.roles, "role", "only messages of this role: user, assistant, tool or system; repeatable")
	fs.BoolVar(&w.whole, "include-content", false, "print the full texts, as --json does")
	return cmd
}

// tailSize is how many messages messages tail lists.
const tailSize = 20

func (w *messageFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if w.when.Before.ID != 0 && w.when.After.ID != 0 {
		return nil, cli.UsageErrorf("--before and --after exclude each other where they name messages; give the one to start from")
	}
	if err := w.mixed(); err != nil {
		return nil, err
	}
	limit, err := c.WindowSize()
	if err != nil {
		return nil, err
	}
	if c.Action == "tail" {
		limit = tailSize
	}
	if w.paging.Limit.IsSet {
		limit = w.paging.Limit.Value
	}
	db, conv, err := c.OpenConversation(ctx)
	if err != nil {
		return nil, err
	}
	from := messageReader{db: db, conv: conv.ID, roles: w.roles.Values, clip: data.WholeText}
	if !c.Opts.JSON && !w.whole {
		from.clip = 512
	}
	if err := w.start(ctx, &from, db.Now()); err != nil {
		return nil, err
	}
	l := &messageList{Conversation: conv.ID, whole: w.whole}
	if l.Messages, err = from.next(ctx, limit); err != nil {
		return nil, err
	}
	if from.floor == nil || !from.forward { // What is before the stretch of time isn't asked for.
		if l.HasOlder, err = from.older(ctx, l.Messages); err != nil {
			return nil, err
		}
	}
	return l, w.goOn(ctx, l, from, limit)
}

// mixed refuses a message to start from beside a cursor or a time, of which only one can
// be where the list begins.
func (w *messageFlags) mixed() error {
	for flag, p := range map[string]*cli.TimePoint{"before": &w.when.Before, "after": &w.when.After} {
		if p.ID == 0 {
			continue
		}
		other := map[string]bool{
			"cursor": w.paging.Cursor.Value != "", "recency": w.when.Recency.Value > 0,
			"before": flag != "before" && w.when.Before.IsSet(), "after": flag != "after" && w.when.After.IsSet(),
		}
		for _, name := range slices.Sorted(maps.Keys(other)) {
			if other[name] {
				return cli.UsageErrorf("--%s %d, which names a message, and --%s exclude each other", flag, p.ID, name)
			}
		}
	}
	return nil
}

// start returns a reader at the first message to list, with its direction and filters.
func (w *messageFlags) start(ctx context.Context, from *messageReader, now time.Time) (err error) {
	if w.when.IsSet() && w.when.Before.ID == 0 && w.when.After.ID == 0 {
		from.wanted = func(m lcm.Message) bool { return w.when.Holds(now, m.CreatedAt.Time, m.CreatedAt.Time) }
	}
	began := w.when.From(now)
	switch {
	case w.paging.Cursor.Value != "":
		return w.resume(ctx, from)
	case w.when.Before.ID != 0:
		from.before, err = seqOf(ctx, from.db, from.conv, w.when.Before.ID)
	case w.when.After.ID != 0:
		from.forward = true
		from.after, err = seqOf(ctx, from.db, from.conv, w.when.After.ID)
	case !began.IsZero():
		var seq int64
		var ok bool
		if seq, ok, err = lcm.SeqAt(ctx, from.db, from.conv, began); !ok {
			seq = math.MaxInt64
		}
		from.floor = &seq
		if from.forward = w.when.Recency.Value == 0; from.forward {
			from.after = new(seq - 1)
		}
	}
	return err
}

// The cursors of messages are the way and the message that was last on it.
const (
	wayBack, wayOn = "before:", "after:"
)

// resume goes on where a list ended.
func (w *messageFlags) resume(ctx context.Context, from *messageReader) error {
	way, number, _ := strings.Cut(w.paging.Cursor.Value, ":")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || way+":" != wayBack && way+":" != wayOn {
		return cli.UsageErrorf("--cursor: expected what a list gave as next_cursor, such as before:48211, not %q", w.paging.Cursor.Value)
	}
	seq, err := seqOf(ctx, from.db, from.conv, id)
	if way+":" == wayBack {
		from.before = seq
	} else {
		from.forward, from.after = true, seq
	}
	return err
}

// goOn says how the list goes on, if it does.
func (w *messageFlags) goOn(ctx context.Context, l *messageList, from messageReader, limit int64) error {
	if int64(len(l.Messages)) < limit {
		return nil
	}
	if !from.forward {
		if l.HasOlder {
			l.Next = new(wayBack + strconv.FormatInt(l.Messages[0].ID, 10))
		}
		return nil
	}
	last := l.Messages[len(l.Messages)-1]
	next := from
	next.after, next.clip = &last.Seq, 1
	ms, err := next.next(ctx, 1)
	if len(ms) > 0 {
		l.Next = new(wayOn + strconv.FormatInt(last.ID, 10))
	}
	return err
}

// seqOf returns the seq of a message, which has to be one of the conversation's.
func seqOf(ctx context.Context, db *data.DB, conv, id int64) (*int64, error) {
	m, err := lcm.ReadMessage(ctx, db, id)
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
