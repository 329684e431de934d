package change

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/clients"
	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// sessionFlags is what session is asked for beside its arguments.
type sessionFlags struct {
	retain  retainFlag
	reason  cli.TextFlag
	next    cli.TextFlag
	offline bool
}

func sessionCommand(a *cli.App) *cobra.Command {
	k := &sessionFlags{reason: cli.TextFlag{Noun: "WORD"}, next: cli.TextFlag{Noun: "ID"}}
	cmd := a.Operation("session ACTION", "Begin and end sessions as a host does", k.op)
	cmd.GroupID, cmd.ValidArgsFunction = cli.GroupCare, a.CompleteActions
	cmd.Long = `Does in the file what a host does when a session begins or ends, where no host has it open.
ACTION is

  new CONV      as /new: all messages leave the context, and summaries below --retain-depth;
                the conversation goes on
  reset CONV    as /reset: the conversation is archived, and another one begins under its key;
                CONV may be a session key without an active conversation
  end CONV      as at the end of a session, for --reason: deleted archives the conversation;
                reset and any other reason archive it and begin another one; a session that
                goes on (new, restart, shutdown, unknown, or no reason) changes nothing
  reap [CONV...]  archive conversations of Claude Code, Codex and Gemini CLI whose session
                  files these programs deleted
  heartbeats [CONV...]  delete turns in which a heartbeat found nothing to do, as a host with
                        pruneHeartbeatOk does; not on files of 1.0

A run of a scheduled job (agent:AGENT:cron:JOB) is a family of its own: for its key, reset needs
--next-session. A subagent has no next turn: end --reason deleted begins no other conversation.

Nothing else is deleted: messages and summaries stay. Sessions that are ignored or only read
stay as they are.
A host keeps its conversations in memory: while another program has the file open, this is
refused without --offline.

Without --apply it only shows what would change. With --apply it writes.`
	cmd.Example = `lcm-tui session new 2
lcm-tui session new 2 --retain-depth -1
lcm-tui session reset agent:main:main --apply
lcm-tui session end 3 --reason deleted
lcm-tui session reap`
	fs := cmd.Flags()
	fs.Var(&k.retain, "retain-depth", "new: the depth from which on summaries stay, -1 for all, none for no summary (default: newSessionRetainDepth, 2)")
	fs.Var(&k.reason, "reason", "end: why, such as idle, reset, deleted, new, restart or shutdown")
	fs.Var(&k.next, "next-session", "reset, end: the session id of the conversation that begins (default: that of the one that ends)")
	fs.BoolVar(&k.offline, "offline", false, "no other program that has the file open is a host")
	return cmd
}

// op makes the operation of the action.
func (k *sessionFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	if c.Action == "" {
		return nil, cli.UsageErrorf("session: expected %s, not %q", cli.KindOfArgument("session", "ACTION"), c.Args[0])
	}
	if _, err := c.Open(ctx); err != nil { // The locations are known from then on.
		return nil, err
	}
	set := c.HostSettings(nil)
	how := k.lifecycle(c, set)
	switch c.Action {
	case "reap":
		return k.reap(ctx, c, how)
	case "heartbeats":
		conversations, err := activeConversations(ctx, c)
		return &sessionkey.Heartbeats{Conversations: conversations, Pruned: set.PrunesHeartbeats(), Lifecycle: how}, err
	}
	conv, key, err := k.find(ctx, c)
	if err != nil {
		return nil, err
	}
	switch c.Action {
	case "new":
		return &sessionkey.New{Conversation: conv, Retain: k.retain.depth(set.RetainDepth()), Lifecycle: how}, nil
	case "reset":
		return &sessionkey.Reset{Conversation: conv, Key: key, NextSession: k.next.Value, Lifecycle: how}, nil
	}
	return &sessionkey.End{Conversation: conv, Reason: k.reason.Value, NextSession: k.next.Value, Lifecycle: how}, nil
}

// lifecycle returns what all actions share.
func (k *sessionFlags) lifecycle(c *cli.Invocation, set cli.HostSettings) sessionkey.Lifecycle {
	return sessionkey.Lifecycle{Host: sessionkey.FindHost(c.Locations), Filter: set.SessionFilter(), Offline: k.offline, HistoryTokens: set.BootstrapTokens()}
}

// reap makes the operation of reap.
func (k *sessionFlags) reap(ctx context.Context, c *cli.Invocation, how sessionkey.Lifecycle) (ops.Op, error) {
	o := &sessionkey.Reap{Folders: map[transcript.Kind]string{}, Lifecycle: how}
	for _, client := range clients.All() {
		o.Folders[transcript.Kind(client)] = client.Sessions(c.Sys.Env)
	}
	var err error
	o.Conversations, err = activeConversations(ctx, c)
	return o, err
}

// activeConversations returns the conversations that the arguments name, all of which go on.
func activeConversations(ctx context.Context, c *cli.Invocation) (out []int64, err error) {
	for _, arg := range c.Args {
		conv, err := c.Conversation(ctx, "CONV", arg)
		if err == nil {
			err = refuseArchived(ctx, c, conv)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, conv)
	}
	return out, nil
}

// find returns the active conversation that the argument names. For reset it may be the whole session key of archived
// ones, or with --next-session of none: then the conversation is 0.
func (k *sessionFlags) find(ctx context.Context, c *cli.Invocation) (conv int64, key string, err error) {
	arg := c.Args[0]
	if _, failed := strconv.ParseInt(arg, 10, 64); failed != nil && c.Action == "reset" && arg != "" {
		all, err := lcm.ConversationsOf(ctx, c.DB, "", arg)
		if err != nil {
			return 0, "", err
		}
		some := false
		for _, one := range all {
			if one.SessionKey == arg && one.Active {
				return one.ID, "", nil
			}
			some = some || one.SessionKey == arg
		}
		if some {
			return 0, arg, nil
		}
	}
	conv, err = c.Conversation(ctx, "CONV", arg)
	var usage *cli.UsageError
	if errors.As(err, &usage) && c.Action == "reset" && k.next.Value != "" && strings.HasPrefix(arg, "agent:") {
		return 0, arg, nil
	}
	if err != nil {
		return 0, "", err
	}
	return conv, "", refuseArchived(ctx, c, conv)
}

// refuseArchived refuses a conversation whose session is over.
func refuseArchived(ctx context.Context, c *cli.Invocation, conv int64) error {
	one, err := lcm.ReadConversation(ctx, c.DB, conv)
	if err != nil {
		return cli.UnknownConversation(ctx, c.DB, err)
	}
	if one.Active {
		return nil
	}
	return &cli.UsageError{
		Message: fmt.Sprintf("session %s: %s is archived: its session is over", c.Action, one.Label()),
		Next:    "name the active conversation of its session; lcm-tui conversations --active lists them",
	}
}

// retainFlag is a flag that takes a depth of summaries from -1 on, or none. A number without end is none, as it is to a
// host.
type retainFlag struct {
	value sessionkey.Depth
	isSet bool
}

// depth returns the depth that was given, or else a preset one.
func (r *retainFlag) depth(preset int64) sessionkey.Depth {
	if r.isSet {
		return r.value
	}
	return sessionkey.Depth(preset)
}

// String implements pflag.Value.
func (r *retainFlag) String() string {
	switch {
	case !r.isSet:
		return ""
	case r.value == sessionkey.KeepNone:
		return "none"
	}
	return strconv.FormatInt(int64(r.value), 10)
}

// Type implements pflag.Value; help shows it.
func (*retainFlag) Type() string { return "N|none" }

// Set implements pflag.Value.
func (r *retainFlag) Set(s string) error {
	v, err := strconv.ParseInt(s, 10, 64)
	f, failed := strconv.ParseFloat(s, 64)
	switch {
	case s == "none", failed == nil && (math.IsInf(f, 0) || math.IsNaN(f)):
		r.value = sessionkey.KeepNone
	case err != nil || v < int64(sessionkey.KeepAll):
		return fmt.Errorf("expected a whole number from -1, or none, not %q", s)
	default:
		r.value = sessionkey.Depth(v)
	}
	r.isSet = true
	return nil
}
