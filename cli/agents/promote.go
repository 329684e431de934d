package agents

import (
	"context"
	"slices"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data/lcm"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/promote"
)

func promoteCommand(a *cli.App) *cobra.Command {
	all := false
	cmd := a.Operation("promote [CONV]", "Keep the summaries that say most as entries of memory", func(ctx context.Context, c *cli.Invocation) (ops.Op, error) {
		c.OwnDatabase = true
		if all == (len(c.Args) == 1) {
			return nil, cli.UsageErrorf("promote: expected a conversation id or session key, or --all")
		}
		db, err := c.Open(ctx)
		if err != nil {
			return nil, err
		}
		if !all {
			_, conv, err := c.OpenConversation(ctx)
			return &promote.Op{Conversations: []int64{conv.ID}}, err
		}
		convs, err := lcm.Conversations(ctx, db)
		o := &promote.Op{}
		for _, conv := range convs {
			o.Conversations = append(o.Conversations, conv.ID)
		}
		slices.Sort(o.Conversations) // A newer text takes the place of an older one.
		return o, err
	})
	cmd.Long = `Makes entries of promoted memory of the summaries that say most: those that tell of a decision
or a fix, name parts of a program, stand for many others, or are much shorter than what they
were made of. Why each was taken is in the plan. A summary is promoted once. Where an entry of
the project says the same, the newer one takes its place and the older one is archived.

Entries stand in a table of their own, which the first one makes; hosts pass over it. Hooks
put those of a project into the context of its new sessions. No model is called.

Without --apply it only shows the entries. With --apply it writes them.`
	cmd.Example = "  lcm-tui promote 12\n  lcm-tui promote --all --apply\n  lcm-tui memory"
	cmd.Flags().BoolVar(&all, "all", false, "summaries of all conversations")
	return cmd
}

// storeFlags is what is stored, and for which project.
type storeFlags struct {
	tags    cli.RepeatedWords
	project cli.TextFlag
}

func storeCommand(a *cli.App) *cobra.Command {
	f := &storeFlags{tags: cli.RepeatedWords{Noun: "TAG", Whole: true}, project: cli.TextFlag{Noun: "NAME"}}
	cmd := a.Operation("store TEXT", "Store a text as an entry of memory", f.op)
	cmd.Long = `Stores a text as an entry of promoted memory: a decision with its reason, a root cause, a
preference. TEXT is the text, or - for standard input; it has at most 8,000 characters.
Passwords, keys and tokens in it become placeholders.

The entry belongs to the project of the working folder, or to the one that --project names,
as lcm-tui memory shows it; --project all is every project. Hooks put the entries of a project
into the context of its new sessions.

Without --apply it only shows the entry. With --apply it writes it.`
	cmd.Example = `  lcm-tui store "We deploy from main only, because the mirror lags." --tag decision
  lcm-tui store "We deploy from main only, because the mirror lags." --tag decision --apply`
	cmd.Flags().Var(&f.tags, "tag", "a tag of the entry; repeatable")
	cmd.Flags().Var(&f.project, "project", "the project of the entry, or all (default: that of the working folder)")
	return cmd
}

func (f *storeFlags) op(_ context.Context, c *cli.Invocation) (ops.Op, error) {
	c.OwnDatabase = true
	text := c.Args[0]
	if text == "-" {
		var err error
		if text, err = cli.ReadText(c.Sys.In, text); err != nil {
			return nil, err
		}
	}
	masker, err := c.Sys.MaskerHere()
	if err != nil {
		return nil, err
	}
	o := &promote.Store{Tags: f.tags.Values, Project: projectNamed(c, f.project.Value)}
	o.Text, o.Masked = masker.Mask(text)
	return o, nil
}

// allProjects is the name of all projects together.
const allProjects = "all"

// projectNamed returns the project that a flag names, which is empty for all of them: without a name that of the
// working folder.
func projectNamed(c *cli.Invocation, name string) string {
	switch name {
	case allProjects:
		return ""
	case "":
		folder, err := c.Sys.Folder()
		if err != nil {
			return ""
		}
		return backfill.ProjectOf(folder)
	}
	return name
}
