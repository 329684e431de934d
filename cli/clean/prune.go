package clean

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/cli"
	"lcm-tui/ops"
	"lcm-tui/ops/prune"
	"lcm-tui/ops/prune/selector"
)

// pruneFlags are the selectors of prune, and what else says how.
type pruneFlags struct {
	cli.SelectorFlags
	payload, filesDir   cli.TextFlag
	flags               *pflag.FlagSet
	own                 map[string]bool // Flags of this command.
	uncovered, forget   bool
	keepUser            bool
	externalise, noFile bool
	matching            matchingFlags
}

func pruneCommand(a *cli.App) *cobra.Command {
	p := &pruneFlags{}
	cmd := a.OperationOr("prune VERB", "Remove what may go, to make the database smaller", p.op, map[string]cli.Run{
		verifyAction: p.matching.receiptOf, proveAction: p.matching.receiptOf,
	})
	cmd.GroupID, cmd.ValidArgsFunction = cli.GroupCare, completeVerbs
	cmd.Long = `Removes from conversations what may go. VERB is, the one that loses least first:

  copies         second copies of texts in the metadata of their parts; nothing is lost
  payloads       inline media and large outputs of tools: into large files (--externalise),
                 where a model can still fetch them, or forgotten (--forget)
  text           texts of messages below summaries; a stub stays in their place
  conversations  whole conversations that are over
  files          large files older than a day that no row names (--files-dir)
  batches        what hosts of 1.0 prepared in the background, and published or gave up
                 more than a week ago; this can't be undone
  history        records and trash of lcm-tui itself (--older-than); this can't be undone

At least one selector says which conversations; all kinds that are given must match, and of a
kind one value. Rows that a host could miss stay. A conversation that may go on keeps its texts
where a host that is handed its history again would store all of it again: where a payload of a
message lies in a file, or one was never stored. In files of hosts of 1.0 it keeps the messages
by which its host finds its place in the transcript, and all of them where the host has vouched
for none. What is left as it is, and why, is listed too.

What is removed goes to the trash first, and undo restores it from there. The file becomes
smaller with lcm-tui reclaim.

prune text --matching QUERY forgets the messages that lcm-tui search finds with the query, and
says which, which stay and why, and where else the same words stand. With --apply it then looks
for what is left, in every text, page and file beside the database; --receipt keeps that, with
digests and without any text. prune verify RECEIPT looks again, such as after the trash was
emptied, and exits with 5 if something is left elsewhere than in the trash; prune prove ID
makes the receipt of a record later. Both write only the file that --receipt names.

Without --apply it only shows what would change and how large the file would be. With --apply
it writes, in short transactions beside a host.`
	cmd.Example = `lcm-tui prune copies --older-than 1d
lcm-tui prune payloads --externalise --at-least 64KiB --older-than 30d
lcm-tui prune text --older-than 90d --agent main
lcm-tui prune text --matching 'deploy role:user' --receipt gone.json --apply
lcm-tui prune conversations --archived --keep-last 1 --apply
lcm-tui prune conversations --lane cron --lane subagent --target 500MB
lcm-tui prune text --older-than 90d --keep-user
lcm-tui prune history --older-than 180d`
	p.bind(a, cmd)
	return cmd
}

func (p *pruneFlags) bind(a *cli.App, cmd *cobra.Command) {
	p.payload.Noun, p.filesDir.Noun = "SIZE", "DIR"
	fs := cmd.Flags()
	p.flags, p.own = fs, map[string]bool{}
	defer fs.VisitAll(func(f *pflag.Flag) { p.own[f.Name] = true })
	p.SelectorFlags.Bind(a, cmd, "")
	fs.Lookup("older-than").Usage += "; for text and payloads each message itself"
	fs.BoolVar(&p.NoKey, "no-key", false, "without a session key")
	fs.BoolVar(&p.Archived, "archived", false, "archived ones")
	fs.Var(&p.Causes, "cause", "archived for this cause, such as manual-reset; may be given again")
	fs.Var(&p.Target, "target", "the oldest ones, until the file would have this size, such as 500MB")
	fs.BoolVar(&p.uncovered, "uncovered", false, "text: also what no summary in the context covers")
	fs.BoolVar(&p.keepUser, "keep-user", false, "text, payloads: keep what users said")
	fs.BoolVar(&p.forget, "forget", false, "payloads: forget them; a stub stays")
	fs.BoolVar(&p.externalise, "externalise", false, "payloads: move them into large files, as the host does; nothing is lost")
	p.matching.bind(fs)
	fs.Var(&p.payload, "at-least", "payloads: outputs of tools from this size on (default 16KiB)")
	fs.Var(&p.filesDir, "files-dir", "files, payloads, conversations: the folder of the large files, which no other database may use")
	fs.BoolVar(&p.noFile, "keep-files", false, "conversations: leave their large files where they are")
	a.CompleteFlag(cmd, "cause", a.CompleteSelector("cause"))
}

// op makes the operation of the command line.
func (p *pruneFlags) op(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
	verb := prune.Verb(c.Args[0])
	switch verb {
	case filesVerb, batchesVerb, historyVerb:
		return p.upkeep(ctx, c, verb)
	}
	if p.filesDir.Value != "" && verb != prune.Conversations && !p.externalise {
		return nil, cli.UsageErrorf("--files-dir has no effect on prune %s: it is for prune files, prune conversations and prune payloads --externalise", verb)
	}
	if err := p.checkVerb(verb); err != nil {
		return nil, err
	}
	if _, err := c.Open(ctx); err != nil { // The locations are known from then on.
		return nil, err
	}
	o := &prune.Op{Verb: verb, Uncovered: p.uncovered, KeepUser: p.keepUser, Externalise: p.externalise, Payload: prune.DefaultPayload, StateFolder: c.Locations.StateDir}
	if !p.noFile {
		folder, err := p.filesFolder(ctx, c)
		if err != nil {
			return nil, err
		}
		o.FilesFolder = folder
	}
	if o.Externalise && o.FilesFolder == "" {
		return nil, cli.UsageErrorf("prune payloads --externalise: say with --files-dir DIR where the large files of this database lie; %s isn't beside it", c.Locations.FilesDir)
	}
	if p.payload.Value != "" {
		var err error
		if o.Payload, err = selector.ParseSize(p.payload.Value); err != nil {
			return nil, cli.FlagValueError("at-least", err)
		}
	}
	var err error
	if o.Selector, err = p.Selector(ctx, c); err != nil {
		return nil, err
	}
	if o.Matching, err = p.matching.choice(ctx, c); err != nil {
		return nil, err
	}
	if o.Selector.IsEmpty() && o.Matching == nil {
		return nil, cli.UsageErrorf("prune %s: say what to prune, such as --older-than 90d, --archived, --lane cron or --conv 7; nothing is never everything", verb)
	}
	return o, nil
}

// checkVerb refuses verbs that don't exist and flags that have no effect on the one that is given.
func (p *pruneFlags) checkVerb(verb prune.Verb) error {
	if words := pruneWords(); !slices.Contains(words, string(verb)) {
		return cli.UsageErrorf("expected what to prune: %s, not %q%s", strings.Join(words, ", "), verb, cli.DidYouMean(string(verb), "", words))
	}
	for _, f := range []struct {
		name  string
		given bool
		of    prune.Verb
	}{
		{"uncovered", p.uncovered, prune.Text},
		{"matching", p.matching.query.Value != "", prune.Text},
		{"forget", p.forget, prune.Payloads},
		{"externalise", p.externalise, prune.Payloads},
		{"at-least", p.payload.Value != "", prune.Payloads},
		{"keep-files", p.noFile, prune.Conversations},
	} {
		if f.given && verb != f.of {
			return cli.UsageErrorf("--%s has no effect on prune %s: it is for prune %s", f.name, verb, f.of)
		}
	}
	if p.keepUser && verb != prune.Text && verb != prune.Payloads {
		return cli.UsageErrorf("--keep-user has no effect on prune %s: it is for prune text and prune payloads", verb)
	}
	if verb == prune.Payloads && p.forget == p.externalise {
		return cli.UsageErrorf("prune payloads: say what becomes of them, --externalise or --forget")
	}
	return nil
}
