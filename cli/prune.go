package cli

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/data"
	"lcm-tui/engine/retention"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
)

// pruneFlags are the selectors of prune, and what else says how.
type pruneFlags struct {
	olderThan, larger, target, payload     textFlag
	filesDir                               textFlag
	flags                                  *pflag.FlagSet
	own                                    map[string]bool // Flags of this command.
	agents, lanes, keys, causes            repeatedWords
	conversations, except                  repeatedWords
	noKey, archived, gone, empty           bool
	minMessages, maxMessages, keepLast     *integerFlag
	uncovered, forget, externalise, noFile bool
}

func (a *app) prune() *cobra.Command {
	p := &pruneFlags{minMessages: atLeast(1, "N"), maxMessages: atLeast(1, "N"), keepLast: atLeast(1, "N")}
	cmd := a.operation("prune VERB", "Remove what may go, to make the database smaller", p.op)
	cmd.GroupID, cmd.ValidArgsFunction = groupCare, completeVerbs
	cmd.Long = `Removes from conversations what may go. VERB is, the one that loses least first:

  copies         second copies of texts in the metadata of their parts; nothing is lost
  payloads       inline media and large outputs of tools: into large files (--externalise),
                 where a model can still fetch them, or forgotten (--forget)
  text           texts of messages below summaries; a stub stays in their place
  conversations  whole conversations that are over
  files          large files older than a day that no row names (--files-dir)
  history        records and trash of lcm-tui itself (--older-than); this can't be undone

At least one selector says which conversations; all kinds that are given must match, and of a
kind one value. Rows that a host could miss stay: it doesn't see that texts were forgotten.
What is left as it is, and why, is listed too.

What is removed goes to the trash first, and undo restores it from there. The file becomes
smaller with lcm-tui reclaim.

Without --apply it only shows what would change and how large the file would be. With --apply
it writes, in short transactions beside a host.`
	cmd.Example = `lcm-tui prune copies --older-than 1d
lcm-tui prune payloads --externalise --at-least 64KiB --older-than 30d
lcm-tui prune text --older-than 90d --agent main
lcm-tui prune conversations --archived --keep-last 1 --apply
lcm-tui prune conversations --lane cron --lane subagent --target 500MB
lcm-tui prune history --older-than 180d`
	p.bind(a, cmd)
	return cmd
}

func (p *pruneFlags) bind(a *app, cmd *cobra.Command) {
	for flag, noun := range map[*textFlag]string{&p.olderThan: "AGE|DAY", &p.larger: "SIZE", &p.target: "SIZE", &p.payload: "SIZE", &p.filesDir: "DIR"} {
		flag.noun = noun
	}
	for flag, noun := range map[*repeatedWords]string{&p.agents: "AGENT", &p.lanes: "LANE", &p.keys: "GLOB", &p.causes: "CAUSE", &p.conversations: "CONV", &p.except: "CONV"} {
		flag.noun = noun
	}
	fs := cmd.Flags()
	p.flags, p.own = fs, map[string]bool{}
	defer fs.VisitAll(func(f *pflag.Flag) { p.own[f.Name] = true })
	fs.Var(&p.olderThan, "older-than", "whose newest message is older, such as 90d, 12w, 6m, 1y or 2026-05-01; for text and payloads each message itself")
	fs.Var(&p.agents, "agent", "of this agent; may be given again")
	fs.Var(&p.lanes, "lane", "of this lane: main, cron, subagent or a channel; may be given again")
	fs.Var(&p.keys, "key", "with a session key like this; * is anything but a colon, ** is anything")
	fs.BoolVar(&p.noKey, "no-key", false, "without a session key")
	fs.BoolVar(&p.archived, "archived", false, "archived ones")
	fs.Var(&p.causes, "cause", "archived for this cause, such as manual-reset; may be given again")
	fs.BoolVar(&p.gone, "transcript-gone", false, "whose transcript isn't there any more")
	fs.BoolVar(&p.empty, "empty", false, "without messages")
	fs.Var(p.minMessages, "min-messages", "with at least so many messages")
	fs.Var(p.maxMessages, "max-messages", "with at most so many messages")
	fs.Var(&p.larger, "larger-than", "larger than this, such as 10MB")
	fs.Var(p.keepLast, "keep-last", "all but the newest N of each session")
	fs.Var(&p.conversations, "conv", "these conversations, separated by commas")
	fs.Var(&p.except, "except", "not these conversations, separated by commas")
	fs.Var(&p.target, "target", "the oldest ones, until the file would have this size, such as 500MB")
	fs.BoolVar(&p.uncovered, "uncovered", false, "text: also what no summary in the context covers")
	fs.BoolVar(&p.forget, "forget", false, "payloads: forget them; a stub stays")
	fs.BoolVar(&p.externalise, "externalise", false, "payloads: move them into large files, as the host does; nothing is lost")
	fs.Var(&p.payload, "at-least", "payloads: outputs of tools from this size on (default 16KiB)")
	fs.Var(&p.filesDir, "files-dir", "files, payloads, conversations: the folder of the large files, which no other database may use")
	fs.BoolVar(&p.noFile, "keep-files", false, "conversations: leave their large files where they are")
	for flag := range selectorFlags {
		a.completeFlag(cmd, flag, a.completeSelector(flag))
	}
	a.completeFlag(cmd, "conv", a.completeConversation)
	a.completeFlag(cmd, "except", a.completeConversation)
}

// op makes the operation of the command line.
func (p *pruneFlags) op(ctx context.Context, c *invocation) (ops.Op, error) {
	verb := prune.Verb(c.args[0])
	switch verb {
	case filesVerb, historyVerb:
		return p.upkeep(ctx, c, verb)
	}
	if p.filesDir.value != "" && verb != prune.Conversations && !p.externalise {
		return nil, usageErrorf("--files-dir has no effect on prune %s: it is for prune files, prune conversations and prune payloads --externalise", verb)
	}
	if err := p.checkVerb(verb); err != nil {
		return nil, err
	}
	o := &prune.Op{Verb: verb, Uncovered: p.uncovered, Externalise: p.externalise, Payload: prune.DefaultPayload, StateFolder: c.locations.StateDir}
	if !p.noFile {
		folder, err := p.filesFolder(ctx, c)
		if err != nil {
			return nil, err
		}
		o.FilesFolder = folder
	}
	if o.Externalise && o.FilesFolder == "" {
		return nil, usageErrorf("prune payloads --externalise: say with --files-dir DIR where the large files of this database lie; %s isn't beside it", c.locations.FilesDir)
	}
	if p.payload.value != "" {
		var err error
		if o.Payload, err = retention.ParseSize(p.payload.value); err != nil {
			return nil, flagValueError("at-least", err)
		}
	}
	var err error
	if o.Selector, err = p.selector(ctx, c); err != nil {
		return nil, err
	}
	if o.Selector.IsEmpty() {
		return nil, usageErrorf("prune %s: say what to prune, such as --older-than 90d, --archived, --lane cron or --conv 7; nothing is never everything", verb)
	}
	return o, nil
}

// checkVerb refuses verbs that don't exist and flags that have no effect on the one that is given.
func (p *pruneFlags) checkVerb(verb prune.Verb) error {
	if words := pruneWords(); !slices.Contains(words, string(verb)) {
		return usageErrorf("expected what to prune: %s, not %q%s", strings.Join(words, ", "), verb, didYouMean(string(verb), "", words))
	}
	for _, f := range []struct {
		name  string
		given bool
		of    prune.Verb
	}{
		{"uncovered", p.uncovered, prune.Text},
		{"forget", p.forget, prune.Payloads},
		{"externalise", p.externalise, prune.Payloads},
		{"at-least", p.payload.value != "", prune.Payloads},
		{"keep-files", p.noFile, prune.Conversations},
	} {
		if f.given && verb != f.of {
			return usageErrorf("--%s has no effect on prune %s: it is for prune %s", f.name, verb, f.of)
		}
	}
	if verb == prune.Payloads && p.forget == p.externalise {
		return usageErrorf("prune payloads: say what becomes of them, --externalise or --forget")
	}
	return nil
}

// selector is what the flags select.
func (p *pruneFlags) selector(ctx context.Context, c *invocation) (s retention.Selector, err error) {
	db, err := c.open(ctx)
	if err != nil {
		return s, err
	}
	s = retention.Selector{
		Agents: p.agents.values, Lanes: p.lanes.values, Keys: p.keys.values, NoKey: p.noKey, Archived: p.archived, Causes: p.causes.values,
		TranscriptGone: p.gone, Empty: p.empty, MinMessages: p.minMessages.value, MaxMessages: p.maxMessages.value, KeepLast: int(p.keepLast.value),
	}
	if p.olderThan.value != "" {
		if s.OlderThan, err = retention.ParseAge(p.olderThan.value, db.Now()); err != nil {
			return s, flagValueError("older-than", err)
		}
	}
	for flag, size := range map[*textFlag]*int64{&p.larger: &s.LargerThan, &p.target: &s.Target} {
		if flag.value == "" {
			continue
		}
		name := map[bool]string{true: "target", false: "larger-than"}[flag == &p.target]
		if *size, err = retention.ParseSize(flag.value); err != nil {
			return s, flagValueError(name, err)
		}
	}
	for words, ids := range map[*repeatedWords]*[]int64{&p.conversations: &s.Conversations, &p.except: &s.Except} {
		for _, name := range words.values {
			id, err := p.existing(ctx, c, name)
			if err != nil {
				return s, err
			}
			*ids = append(*ids, id)
		}
		slices.Sort(*ids)
	}
	return s, p.checkNames(ctx, db)
}

// existing is the id of a conversation that is in the file.
func (p *pruneFlags) existing(ctx context.Context, c *invocation, name string) (int64, error) {
	id, err := c.conversation(ctx, "CONV", name)
	if err == nil {
		_, err = c.db.Conversation(ctx, id)
	}
	if errors.Is(err, data.ErrNotFound) {
		err = unknownConversation(ctx, c.db, err)
		var h interface{ Hint() string }
		if errors.As(err, &h) && h.Hint() != "" {
			return 0, &usageError{msg: err.Error(), hint: h.Hint()}
		}
		return 0, usageErrorf("%v", err)
	}
	return id, err
}

// checkNames refuses agents, lanes and causes that no conversation has.
func (p *pruneFlags) checkNames(ctx context.Context, db *data.DB) error {
	if len(p.agents.values)+len(p.lanes.values)+len(p.causes.values) == 0 {
		return nil
	}
	all, err := db.Conversations(ctx)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		what  string
		given []string
	}{{"agent", p.agents.values}, {"lane", p.lanes.values}, {"cause", p.causes.values}} {
		known := knownValues(all, selectorFlags[f.what])
		for _, word := range f.given {
			if slices.Contains(known, word) {
				continue
			}
			there := "the file has none"
			if len(known) > 0 {
				there = "there is " + strings.Join(known[:min(len(known), 12)], ", ")
			}
			return usageErrorf("no conversation has the %s %q; %s%s", f.what, word, there, didYouMean(word, "", known))
		}
	}
	return nil
}

// flagValueError is an error about the value of a flag, as one of usage.
func flagValueError(flag string, err error) error {
	var h interface{ Hint() string }
	if errors.As(err, &h) {
		return &usageError{msg: "--" + flag + ": " + err.Error(), hint: h.Hint()}
	}
	return usageErrorf("--%s: %v", flag, err)
}
