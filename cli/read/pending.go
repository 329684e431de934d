package read

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/pending"
	"lcm-tui/engine/settings"
)

// pendingFlags is which pending batches are listed, and under which limits they are judged.
type pendingFlags struct {
	contextLimits
	paging cli.Paging
	active bool
	whole  bool
}

func pendingCommand(a *cli.App) *cobra.Command {
	f := &pendingFlags{contextLimits: newLimits()}
	cmd := a.Command(cli.GroupBrowse, "pending [CONV]", "List the summaries that the host prepares in the background", f.run)
	cmd.Long = `Lists the pending batches of a conversation, or of all conversations: parts of a context of
which a host of 1.0 prepares summaries in the background. It says what the host would do with
each active batch now: publish it as summaries, wait for texts, or give it up, and why.

Writes nothing.`
	cmd.Example = "  lcm-tui pending 12\n  lcm-tui pending --active\n  lcm-tui pending 12 --include-content --json"
	fs := cmd.Flags()
	fs.BoolVar(&f.active, "active", false, "only batches that the host may still publish")
	fs.BoolVar(&f.whole, "include-content", false, "print the full texts that are ready")
	fs.Var(f.tail, "fresh-tail", "the number of newest messages that are never summarized (default: as configured, or as the host noted)")
	fs.Var(f.tailTokens, "fresh-tail-max-tokens", "the token limit of the fresh tail; the newest user message and what follows it always stay")
	fs.Var(&f.set, "set", "a setting of lcm-tui config, as NAME=VALUE; repeatable")
	f.paging.Bind(cmd)
	return cmd
}

func (f *pendingFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	l := &pendingList{Batches: []pendingBatch{}, whole: f.whole}
	convs, err := f.conversations(ctx, c, l)
	if err != nil {
		return nil, err
	}
	set, err := f.settings(c)
	if err != nil {
		return nil, err
	}
	l.now = c.DB.Now()
	kind := c.DB.Kind()
	l.Generation, l.HasTables, l.kind = cli.OrNull(kind.Generation), lcm.HasPendingTables(c.DB.Schema()), kind
	clip := 0
	if f.whole {
		clip = data.WholeText
	}
	var conv int64
	if l.Conversation != nil {
		conv = *l.Conversation
	}
	batches, err := pending.Read(ctx, c.DB, conv, clip)
	if err != nil {
		return nil, err
	}
	if f.active {
		batches = slices.DeleteFunc(batches, func(b *pending.Batch) bool { return !b.Active() })
	}
	if batches, l.Next, err = cli.PageOf(&f.paging, batches, func(b *pending.Batch) string { return b.ID }); err != nil {
		return nil, err
	}
	for _, b := range batches {
		o, err := f.options(ctx, c, set, convs[b.Conversation])
		if err != nil {
			return nil, err
		}
		o.Now = l.now
		l.Batches = append(l.Batches, newPendingBatch(b, b.Judge(o), convs[b.Conversation], f.whole))
	}
	return l, nil
}

// conversations opens the database and reads the conversations that batches may be of, by id.
func (f *pendingFlags) conversations(ctx context.Context, c *cli.Invocation, l *pendingList) (map[int64]lcm.Conversation, error) {
	if len(c.Args) > 0 {
		_, conv, err := c.OpenConversation(ctx)
		l.Conversation = &conv.ID
		return map[int64]lcm.Conversation{conv.ID: conv}, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	all, err := lcm.Conversations(ctx, db)
	out := make(map[int64]lcm.Conversation, len(all))
	for _, conv := range all {
		out[conv.ID] = conv
	}
	return out, err
}

// settings returns those in force.
func (f *pendingFlags) settings(c *cli.Invocation) (settings.Settings, error) {
	err := errors.Join(f.set.Check(c.Name), f.set.ExcludeFlag("fresh-tail", f.tail.IsSet, "freshTailCount"),
		f.set.ExcludeFlag("fresh-tail-max-tokens", f.tailTokens.IsSet, "freshTailMaxTokens"))
	if err != nil {
		return settings.Settings{}, err
	}
	return c.HostSettings(f.set.Values).Settings, nil
}

// options returns the limits of the fresh tail for a conversation. They are assumed where neither a
// flag nor a setting says how many messages it has.
func (f *pendingFlags) options(ctx context.Context, c *cli.Invocation, set settings.Settings, conv lcm.Conversation) (pending.Options, error) {
	set, caveat, err := set.ForConversation(ctx, c.DB, conv)
	if caveat != nil {
		c.CommandWarnings = append(c.CommandWarnings, caveat)
	}
	in := set.Assembly()
	tail := assemble.Tail{Count: int(in.FreshTailCount), MaxTokens: in.FreshTailMaxTokens}
	if f.tail.IsSet {
		tail.Count = int(f.tail.Value)
	}
	if f.tailTokens.IsSet {
		tail.MaxTokens = &f.tailTokens.Value
	}
	return pending.Options{TailStart: tail.Start, TailAssumed: !f.tail.IsSet && set.AssumesFreshTail()}, err
}

// pendingList is the result of pending.
type pendingList struct {
	Conversation *int64         `json:"conversation_id,omitempty"`
	Generation   *string        `json:"generation"`
	HasTables    bool           `json:"has_pending_tables"`
	Batches      []pendingBatch `json:"batches"`
	cli.NextPage
	cli.WarningList
	whole bool
	now   time.Time
	kind  data.Kind
}
