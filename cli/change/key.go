package change

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/transplant"
)

// keyFlags is what key is asked for beside its arguments.
type keyFlags struct {
	cli.SelectorFlags           // Of archive; rename has --no-key as well.
	flags                       *pflag.FlagSet
	to                          cli.TextFlag
	cause                       *cli.ChoiceFlag
	family, force, withMessages bool
}

func keyCommand(a *cli.App) *cobra.Command {
	k := &keyFlags{to: cli.TextFlag{Noun: "CONV"}, cause: cli.OneOf(sessionkey.CauseEnded, sessionkey.Causes...)}
	cmd := a.Operation("key ACTION", "Change which session a conversation belongs to", k.op)
	cmd.GroupID, cmd.ValidArgsFunction = cli.GroupCare, a.CompleteActions
	cmd.Long = `Changes which session a conversation belongs to. A host finds a conversation by its session
key. ACTION is

  rename CONV KEY       give it another session key; --no-key takes the key away
  move CONV --to OTHER  give it the place of OTHER, with which a host goes on: key, session and
                        transcript; the messages of OTHER are copied along, since the host
                        would store them again, and OTHER is archived
  archive CONV...       end conversations with which no host goes on; instead of CONV, flags say
                        which: all kinds that are given must match, and of a kind one value
  unarchive CONV        make it active again, where its session has no other conversation
  detach CONV           let the host look for its transcript again

The host goes on in the same conversation after each of them. No message is changed.

On files of 1.0 the host's databases of sessions (openclaw-agent.sqlite) decide: what they have
under a key isn't taken from it. There, move takes the messages along that only OTHER has, while
no host has the database open; detach is not possible, as no session file is followed.

Without --apply it only shows what would change. With --apply it writes.`
	cmd.Example = `# After the host's identity links changed the key:
lcm-tui key rename 7 agent:main:telegram:direct:42 --family
# Go on with an old conversation in the place of the present one:
lcm-tui key move 7 --to agent:main:main
lcm-tui key archive 12 13 14 --apply
lcm-tui key archive --older-than 90d --transcript-gone --cause session-deleted`
	fs := cmd.Flags()
	k.flags = fs
	fs.Var(&k.to, "to", "move: the conversation whose place it gets")
	fs.BoolVar(&k.withMessages, "with-messages", true, "move: copy the memory and all messages of that conversation first; =false leaves them behind")
	fs.BoolVar(&k.NoKey, "no-key", false, "rename: take the key away; the host gives the conversation that of its session. archive: those without one")
	fs.BoolVar(&k.family, "family", false, "rename: also the archived conversations of the old key")
	fs.BoolVar(&k.force, "force", false, "rename: also keys of scheduled jobs")
	fs.Var(k.cause, "cause", "archive: what is noted as the cause: session-end, session-deleted, manual-reset, rollover-fallback or cron-rotation")
	k.SelectorFlags.Bind(a, cmd, "archive: those ")
	a.CompleteFlag(cmd, "to", a.CompleteConversation)
	return cmd
}

// op makes the operation of the action.
func (k *keyFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	switch c.Action {
	case "archive":
		return k.archive(ctx, c)
	case "":
		return nil, cli.UsageErrorf("key: expected %s, not %q", cli.KindOfArgument("key", "ACTION"), c.Args[0])
	}
	conv, err := c.Conversation(ctx, "CONV", c.Args[0])
	if err != nil {
		return nil, err
	}
	switch c.Action {
	case "rename":
		return k.rename(c, conv)
	case "move":
		return k.move(ctx, c, conv)
	case "unarchive":
		return &sessionkey.Unarchive{Conversation: conv, Host: sessionkey.FindHost(c.Locations)}, nil
	}
	return &sessionkey.Detach{Conversation: conv}, nil
}

// rename makes the operation of rename.
func (k *keyFlags) rename(c *cli.Invocation, conv int64) (ops.Op, error) {
	o := &sessionkey.Rename{Conversation: conv, Family: k.family, Force: k.force, Host: sessionkey.FindHost(c.Locations)}
	switch {
	case len(c.Args) > 1 && k.NoKey:
		return nil, cli.UsageErrorf("key rename: --no-key and KEY exclude each other")
	case len(c.Args) > 1 && c.Args[1] == "":
		return nil, cli.UsageErrorf("key rename: an empty KEY is none; --no-key takes the key away")
	case len(c.Args) > 1:
		o.Key = c.Args[1]
	case !k.NoKey:
		return nil, cli.UsageErrorf("key rename: expected %s", cli.ArgumentKinds["KEY"])
	}
	return o, nil
}

// move makes the operation of move.
func (k *keyFlags) move(ctx context.Context, c *cli.Invocation, conv int64) (ops.Op, error) {
	if k.to.Value == "" {
		return nil, cli.UsageErrorf("key move: say with --to OTHER whose place it gets")
	}
	to, err := cli.FindConversation(ctx, c.DB, "CONV", k.to.Value)
	if err != nil {
		return nil, err
	}
	o := &sessionkey.Move{Conversation: conv, To: to, Host: sessionkey.FindHost(c.Locations)}
	switch one := c.DB.Kind().Generation == data.GenerationOne; {
	case one && !k.withMessages:
		return nil, sessionkey.ErrRowsMove
	case k.withMessages && !one:
		o.Messages = &transplant.Op{Source: to, Target: conv, Messages: true, All: true, Files: c.Locations.FilesDir, Reactivated: true}
	}
	return o, nil
}

// archive makes the operation of archive, for the conversations that are named or selected.
func (k *keyFlags) archive(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	if _, err := c.Open(ctx); err != nil { // The locations are known from then on.
		return nil, err
	}
	o := &sessionkey.Archive{Cause: k.cause.Value, Host: sessionkey.FindHost(c.Locations)}
	switch some := k.Given(k.flags); {
	case some && len(c.Args) > 0:
		return nil, cli.UsageErrorf("key archive: CONV and flags that select conversations exclude each other; --conv %s is such a flag", strings.Join(c.Args, ","))
	case some:
		return o, k.selectActive(ctx, c, o)
	case len(c.Args) == 0:
		return nil, cli.UsageErrorf("key archive: say which with CONV, or with flags such as --older-than 90d --transcript-gone; nothing is never everything")
	}
	for _, arg := range c.Args {
		conv, err := c.Conversation(ctx, "CONV", arg)
		if err != nil {
			return nil, err
		}
		o.Conversations = append(o.Conversations, conv)
	}
	return o, nil
}

// selectActive adds the active conversations that the flags select to o.
func (k *keyFlags) selectActive(ctx context.Context, c *cli.Invocation, o *sessionkey.Archive) error {
	selector, err := k.Selector(ctx, c)
	if err != nil {
		return err
	}
	chosen, err := prune.Select(ctx, c.DB, selector, c.Locations.StateDir, c.Progress())
	if err != nil {
		return err
	}
	for _, conv := range chosen {
		if conv.Active {
			o.Conversations = append(o.Conversations, conv.ID)
		}
	}
	if len(o.Conversations) == 0 {
		return fmt.Errorf("%w: no active conversation matches (%s)", ops.ErrNothing, selector)
	}
	return nil
}
