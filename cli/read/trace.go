package read

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/assemble"
	"lcm-tui/engine/provenance"
)

// traceFlags is what of a summary is traced, and for which budget a message is.
type traceFlags struct {
	sentence cli.TextFlag
	budget   *cli.IntegerFlag
}

func traceCommand(a *cli.App) *cobra.Command {
	f := &traceFlags{sentence: cli.TextFlag{Noun: "TEXT"}, budget: cli.AtLeast(1, "TOKENS")}
	cmd := a.Command(cli.GroupBrowse, "trace MESSAGE_OR_SUMMARY", "Show where a message went, or a sentence came from", f.run)
	cmd.Long = `Of a message it shows the summaries that were made of it, one made of the other, and where it
or they stand in the context; or why a model doesn't see it: because of the budget, because of
/new, or because nothing holds it any more.

Of a summary it shows, for each sentence, the messages from which it came, and how sure that is:
copied, strong, weak, or no source found. It names numbers, paths and ids that stand in no
message below the summary, which a model may have made up. It compares words and asks no model:
a sentence that says the same in other words has no source here.

Writes nothing.`
	cmd.Example = "  lcm-tui trace msg:4711\n  lcm-tui trace sum_1a2b3c4d5e6f7a8b\n  lcm-tui trace sum_1a2b3c4d5e6f7a8b --sentence \"The timeout is 8s now.\" --json"
	cmd.Flags().Var(&f.sentence, "sentence", "trace this text instead, as if it stood in the summary")
	cmd.Flags().Var(f.budget, "budget", "the token budget of the model that may see the message (default: as the host noted, else 128,000)")
	return cmd
}

func (f *traceFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if id, ok := messageID(c.Args[0]); ok {
		if f.sentence.Value != "" {
			return nil, cli.UsageErrorf("--sentence is for summaries; %s is a message", c.Args[0])
		}
		return f.traceMessage(ctx, c, id)
	}
	if !strings.HasPrefix(c.Args[0], "sum_") {
		return nil, cli.UsageErrorf("expected %s, not %q", cli.ArgumentKinds["MESSAGE_OR_SUMMARY"], c.Args[0])
	}
	switch {
	case f.budget.IsSet:
		return nil, cli.UsageErrorf("--budget is for messages; %s is a summary", c.Args[0])
	case f.sentence.Value != "" && len(provenance.Sentences(f.sentence.Value)) == 0:
		return nil, cli.UsageErrorf("--sentence: expected a sentence with words, not %q", f.sentence.Value)
	}
	return f.traceSummary(ctx, c)
}

// messageID returns the number of a message in msg:4711, msg#4711 or 4711.
func messageID(arg string) (id int64, ok bool) {
	for _, prefix := range []string{"msg:", "msg#", "#"} {
		if rest, found := strings.CutPrefix(arg, prefix); found {
			arg = rest
			break
		}
	}
	id, err := strconv.ParseInt(arg, 10, 64)
	return id, err == nil && !strings.HasPrefix(arg, "+")
}

func (f *traceFlags) traceMessage(ctx context.Context, c *cli.Invocation, id int64) (cli.Result, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	o := provenance.Options{}
	if f.budget.IsSet {
		o.Budget = f.budget.Value
	}
	if o.Tail, err = tailOfMessage(ctx, c, db, id); err != nil {
		return nil, err
	}
	t, err := provenance.TraceMessage(ctx, db, id, o)
	if err != nil {
		return nil, err
	}
	if f.budget.IsSet && !t.Reason.DependsOnBudget() {
		c.CommandWarnings = append(c.CommandWarnings, fmt.Errorf("--budget has no effect here: msg:%d is %s", id, t.Reason.Kind))
	}
	return newMessageTrace(t), nil
}

// tailOfMessage returns the fresh tail of a message's conversation, as the host is configured.
func tailOfMessage(ctx context.Context, c *cli.Invocation, db *data.DB, id int64) (*assemble.Tail, error) {
	m, err := lcm.ReadMessage(ctx, db, id)
	if err != nil {
		return nil, err
	}
	conv, err := lcm.ReadConversation(ctx, db, m.Conversation)
	if errors.Is(err, data.ErrNotFound) {
		conv, err = lcm.Conversation{ID: m.Conversation}, nil // The file is damaged. The message can be traced all the same.
	}
	if err != nil {
		return nil, err
	}
	conf, caveat, err := c.HostSettings(nil).ForConversation(ctx, db, conv)
	if caveat != nil {
		c.CommandWarnings = append(c.CommandWarnings, caveat)
	}
	if err != nil {
		return nil, err
	}
	return new(tailOf(conf.Assembly())), nil
}

func (f *traceFlags) traceSummary(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	s, err := c.Summary(ctx, c.Args[0])
	if err != nil {
		return nil, err
	}
	t, err := provenance.TraceSummary(ctx, c.DB, s.ID, f.sentence.Value)
	if err != nil {
		return nil, err
	}
	r := newSummaryTrace(t)
	if !c.Opts.JSON {
		err = r.readSources(ctx, c.DB)
	}
	return r, err
}
