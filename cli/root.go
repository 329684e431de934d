package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"lcm-tui/internal/outcome"

	"github.com/spf13/cobra"
)

// The groups of commands in the help of the whole.
const (
	GroupStart  = "start"
	GroupBrowse = "browse"
	GroupChange = "change"
	GroupCare   = "care"
	GroupAgents = "agents"
	GroupOther  = "other"
)

// firstCommands are those that a newcomer needs; they stand first in the help of the whole.
var firstCommands = []string{"conversations", "databases", "demo", "doctor", "repair", "search", "summaries", "undo"}

// Root makes the command without a name, with all commands below it.
func (a *App) Root() *cobra.Command {
	root := &cobra.Command{
		Use:   Program,
		Short: "Look into an agent's memory, and change it with undo",
		Long: `lcm-tui shows and repairs the lcm.db of a Lossless Context Management host: conversations,
messages, the summaries that are made from them, and the context that a model gets.

Without a command it opens the UI. The database is --db FILE, else LCM_DATABASE_PATH, else
the one that OpenClaw's configuration names, else lcm.db in the state folder. Where several
are on this machine and none is named, or --db is given several times, the UI lists them first;
lcm-tui databases prints them.

Browsing never writes. Every change is shown first and written only with --apply; lcm-tui
undo undoes it. Summaries are made by the model that --provider and --model name, else by
LCM_TUI_SUMMARY_PROVIDER and LCM_TUI_SUMMARY_MODEL, else by the model of openclaw.json; or by
a command, --exec or LCM_TUI_SUMMARY_EXEC. lcm-tui config shows which model is in force.`,
		Example: `# The UI on the database of this machine:
lcm-tui
# Try it without a database:
lcm-tui demo
# Find what was once said, and where that message is now:
lcm-tui search '"connection pool" after:30d'
lcm-tui trace msg:4711
# Find damage, and see what a repair would change:
lcm-tui doctor
lcm-tui repair --all
# The UI with another model:
lcm-tui --provider anthropic --model claude-haiku-4-5`,
		Args:                  cobra.ArbitraryArgs,
		SilenceErrors:         true,
		SilenceUsage:          true,
		DisableFlagsInUseLine: true,
		CompletionOptions:     cobra.CompletionOptions{DisableDefaultCmd: true},
		RunE:                  func(cmd *cobra.Command, args []string) error { return a.bare(cmd, args) },
	}
	a.bind(root)
	root.DisableSuggestions = true
	root.SetFlagErrorFunc(flagError)
	root.AddGroup(
		&cobra.Group{ID: GroupStart, Title: "Start with these"},
		&cobra.Group{ID: GroupBrowse, Title: "Browse (writes nothing, except doctor --apply)"},
		&cobra.Group{ID: GroupChange, Title: "Change (shown first; undo undoes it)"},
		&cobra.Group{ID: GroupCare, Title: "Care for the file: its size, its secrets, its copies"},
		&cobra.Group{ID: GroupAgents, Title: "What agents see, and how they get to it"},
		&cobra.Group{ID: GroupOther, Title: "Other commands"},
	)
	root.SetHelpCommandGroupID(GroupOther)
	root.SetHelpCommand(helpCommand())
	root.AddCommand(a.completion(), man(a), versionCommand(a))
	for _, r := range a.rooms {
		root.AddCommand(r.Commands(a)...)
	}
	for _, cmd := range root.Commands() {
		if slices.Contains(firstCommands, cmd.Name()) {
			cmd.GroupID = GroupStart
		}
	}
	for _, cmd := range root.Commands() {
		for _, r := range a.rooms {
			if r.Instead == nil {
				continue
			}
			if run := r.Instead(a, cmd); run != nil {
				a.instead[cmd.Name()] = run
			}
		}
	}
	a.completeFlags(root)
	if a.isCompletion {
		acceptRepeats(root)
	} else {
		refuseRepeats(root)
	}
	return root
}

// bare runs the program without a command.
func (a *App) bare(cmd *cobra.Command, args []string) error {
	switch {
	case a.Opts.version:
		return printVersion(a)
	case len(args) > 0:
		return unknownCommand(cmd, args[0])
	case a.Opts.JSON:
		return UsageErrorf("--json is for commands, such as %s conversations --json", Program)
	case a.Opts.sessions.Value != "" && !FileExists(a.Opts.sessions.Value):
		return UsageErrorf("--sessions: there is no folder %q", a.Opts.sessions.Value)
	}
	if _, err := a.ResolveModel(a.Opts.Model.Chosen()); isUsageError(err) { // The screens show any other.
		return err
	}
	if !a.Sys.Interactive() {
		return UsageErrorf("the UI needs a terminal; in a pipe use a command, such as %s conversations --json", Program)
	}
	err := a.showScreens(a.withLocks(asReader(cmd.Context(), a, "screens")))
	printStack(a, err)
	return err
}

// versionCommand returns --version as a command of its own.
func versionCommand(a *App) *cobra.Command {
	cmd := a.Command(GroupOther, "version", "Print the version", func(context.Context, *Invocation) (Result, error) { return nil, printVersion(a) })
	cmd.Long = "Prints the version, as --version and -v do.\n\nWrites nothing."
	cmd.Example = "  lcm-tui version"
	return cmd
}

func printVersion(a *App) error {
	_, err := fmt.Fprintln(a.Sys.Out, Program, a.Sys.VersionText())
	return err
}

// runner is what a command does. Its result may be nil. With an error it counts only
// if the command wrote something before.
type runner func(ctx context.Context, c *Invocation) (Result, error)

// Command makes a command of which use names the arguments; those in brackets may
// be left out. The caller sets Long and Example.
func (a *App) Command(group, use, short string, run runner) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, GroupID: group,
		Args:                  cobra.ArbitraryArgs, // They are checked below, after --version.
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     a.CompleteArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.Opts.version {
				return printVersion(a)
			}
			action, args, expect := actionOf(cmd, args)
			if err := checkArguments(cmd, expect, args); err != nil {
				return err
			}
			c := &Invocation{App: a, Name: cmd.Name(), Called: cmd.CalledAs(), Action: action, Args: args}
			if err := errors.Join(a.checkDatabases(cmd), checkFlagRules(a.flagRules(cmd.Name()), cmd, action, args)); err != nil {
				return err
			}
			defer c.Close()
			ctx, changed := outcome.With(a.withLocks(asReader(cmd.Context(), a, cmd.Name())))
			c.Outcome = changed
			r, err := c.guarded(ctx, a.inPlaceOf(cmd, run))
			c.Wipe()
			return c.end(r, withOrder(c, err, cmd.Flags().Lookup("plan-out") != nil))
		},
	}
}

// inPlaceOf returns what runs as a command: what a room puts into its place, where that wants to, else the command itself.
func (a *App) inPlaceOf(cmd *cobra.Command, run runner) runner {
	return func(ctx context.Context, c *Invocation) (Result, error) {
		if instead := a.instead[cmd.Name()]; instead != nil {
			if r, runs, err := instead(ctx, c); runs || err != nil {
				return r, err
			}
		}
		if err := refuseAtHome(ctx, a, cmd.Name()); err != nil {
			return nil, err
		}
		return run(ctx, c)
	}
}

// helpCommand returns help as a command of its own.
func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command", GroupID: GroupOther, DisableFlagsInUseLine: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			if len(args) == 0 {
				return root.Help()
			}
			for _, c := range root.Commands() {
				if c.Name() == args[0] || c.HasAlias(args[0]) {
					return c.Help()
				}
			}
			return unknownCommand(root, args[0])
		},
	}
}
