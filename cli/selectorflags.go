package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
	"lcm-tui/ops/prune/selector"
)

// SelectorFlags select conversations. All kinds that are given must match, and of a kind one value.
type SelectorFlags struct {
	OlderThan, larger, Target          TextFlag
	agents, lanes, keys, Causes        RepeatedWords
	conversations, except              RepeatedWords
	NoKey, Archived, gone, empty       bool
	minMessages, maxMessages, keepLast *IntegerFlag
}

// SelectorFlagNames are the flags that bind adds.
const SelectorFlagNames = "older-than agent lane key transcript-gone empty min-messages max-messages larger-than keep-last conv except"

// Bind adds the flags that every command with selectors has. Their descriptions begin with before.
// --no-key, --archived, --cause and --target are the command's own, since some commands have others
// of these names or no use for them.
func (f *SelectorFlags) Bind(a *App, cmd *cobra.Command, before string) {
	for flag, noun := range map[*TextFlag]string{&f.OlderThan: "AGE|DAY", &f.larger: "SIZE", &f.Target: "SIZE"} {
		flag.Noun = noun
	}
	for flag, noun := range map[*RepeatedWords]string{&f.agents: "AGENT", &f.lanes: "LANE", &f.keys: "GLOB", &f.Causes: "CAUSE", &f.conversations: "CONV", &f.except: "CONV"} {
		flag.Noun = noun
	}
	f.minMessages, f.maxMessages, f.keepLast = AtLeast(1, "N"), AtLeast(1, "N"), AtLeast(1, "N")
	fs := cmd.Flags()
	fs.Var(&f.OlderThan, "older-than", before+"whose newest message is older, such as 90d, 12w, 6m, 1y or 2026-05-01")
	fs.Var(&f.agents, "agent", before+"of this agent; may be given again")
	fs.Var(&f.lanes, "lane", before+"of this lane: main, cron, subagent or a channel; may be given again")
	fs.Var(&f.keys, "key", before+"with a session key like this; * is anything but a colon, ** is anything")
	fs.BoolVar(&f.gone, "transcript-gone", false, before+"whose transcript isn't there any more")
	fs.BoolVar(&f.empty, "empty", false, before+"without messages")
	fs.Var(f.minMessages, "min-messages", before+"with at least so many messages")
	fs.Var(f.maxMessages, "max-messages", before+"with at most so many messages")
	fs.Var(&f.larger, "larger-than", before+"larger than this, such as 10MB")
	fs.Var(f.keepLast, "keep-last", before+"all but the newest N of each session")
	fs.Var(&f.conversations, "conv", before+"these conversations, separated by commas")
	fs.Var(&f.except, "except", before+"not these conversations, separated by commas")
	for _, flag := range []string{"agent", "lane"} {
		a.CompleteFlag(cmd, flag, a.CompleteSelector(flag))
	}
	a.CompleteFlag(cmd, "conv", a.CompleteConversation)
	a.CompleteFlag(cmd, "except", a.CompleteConversation)
}

// Selector returns what the flags select.
func (f *SelectorFlags) Selector(ctx context.Context, c *Invocation) (s selector.Selector, err error) {
	db, err := c.Open(ctx)
	if err != nil {
		return s, err
	}
	s = selector.Selector{
		Agents: f.agents.Values, Lanes: f.lanes.Values, Keys: f.keys.Values, NoKey: f.NoKey, Archived: f.Archived, Causes: f.Causes.Values,
		TranscriptGone: f.gone, Empty: f.empty, MinMessages: f.minMessages.Value, MaxMessages: f.maxMessages.Value, KeepLast: int(f.keepLast.Value),
	}
	if f.OlderThan.Value != "" {
		if s.OlderThan, err = selector.ParseAge(f.OlderThan.Value, db.Now()); err != nil {
			return s, FlagValueError("older-than", err)
		}
	}
	for flag, size := range map[*TextFlag]*int64{&f.larger: &s.LargerThan, &f.Target: &s.Target} {
		if flag.Value == "" {
			continue
		}
		name := map[bool]string{true: "target", false: "larger-than"}[flag == &f.Target]
		if *size, err = selector.ParseSize(flag.Value); err != nil {
			return s, FlagValueError(name, err)
		}
	}
	for words, ids := range map[*RepeatedWords]*[]int64{&f.conversations: &s.Conversations, &f.except: &s.Except} {
		for _, name := range words.Values {
			id, err := f.existing(ctx, c, name)
			if err != nil {
				return s, err
			}
			*ids = append(*ids, id)
		}
		slices.Sort(*ids)
	}
	return s, f.checkNames(ctx, db)
}

// Given reports whether a flag says which conversations.
func (f *SelectorFlags) Given(flags *pflag.FlagSet) (yes bool) {
	flags.Visit(func(flag *pflag.Flag) {
		yes = yes || slices.Contains(strings.Fields(SelectorFlagNames+" no-key"), flag.Name)
	})
	return yes
}

// existing returns the id of a conversation that is in the file.
func (f *SelectorFlags) existing(ctx context.Context, c *Invocation, name string) (int64, error) {
	id, err := c.Conversation(ctx, "CONV", name)
	if err == nil {
		_, err = lcm.ReadConversation(ctx, c.DB, id)
	}
	if errors.Is(err, data.ErrNotFound) {
		err = UnknownConversation(ctx, c.DB, err)
		return 0, &UsageError{Message: err.Error(), Next: hint.Of(err)}
	}
	return id, err
}

// checkNames refuses agents, lanes and causes that no conversation has.
func (f *SelectorFlags) checkNames(ctx context.Context, db *data.DB) error {
	if len(f.agents.Values)+len(f.lanes.Values)+len(f.Causes.Values) == 0 {
		return nil
	}
	all, err := lcm.Conversations(ctx, db)
	if err != nil {
		return err
	}
	for _, kind := range []struct {
		what  string
		given []string
	}{{"agent", f.agents.Values}, {"lane", f.lanes.Values}, {"cause", f.Causes.Values}} {
		known := knownValues(all, selectorValues[kind.what])
		for _, word := range kind.given {
			if slices.Contains(known, word) {
				continue
			}
			there := "the file has none"
			if len(known) > 0 {
				there = "there is " + strings.Join(known[:min(len(known), 12)], ", ")
			}
			return UsageErrorf("no conversation has the %s %q; %s%s", kind.what, word, there, DidYouMean(word, "", known))
		}
	}
	return nil
}

// selectorValues are the flags of prune whose value conversations of the file have, with what
// a conversation has of it.
var selectorValues = map[string]func(lcm.Conversation) string{
	"agent": lcm.Conversation.Agent,
	"lane":  lcm.Conversation.Lane,
	"cause": func(c lcm.Conversation) string { return c.ArchiveCause },
}

// knownValues returns the values that conversations have, each once, without the empty one.
func knownValues(all []lcm.Conversation, of func(lcm.Conversation) string) (values []string) {
	for _, c := range all {
		if v := of(c); v != "" {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// CompleteSelector completes the value of a flag of selectorValues.
func (a *App) CompleteSelector(flag string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		c := &Invocation{App: a}
		defer c.Close()
		db, err := c.Open(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, _ := lcm.Conversations(cmd.Context(), db)
		values := slices.DeleteFunc(knownValues(all, selectorValues[flag]), func(v string) bool { return !strings.HasPrefix(v, begun) })
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}
