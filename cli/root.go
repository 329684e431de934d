package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
)

// The groups of commands in the help of the whole.
const (
	groupBrowse = "browse"
	groupChange = "change"
	groupCare   = "care"
	groupOther  = "other"
)

// Root makes the command without a name, with all commands below it.
func (a *app) Root() *cobra.Command {
	root := &cobra.Command{
		Use:   program,
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
		&cobra.Group{ID: groupBrowse, Title: "Browse (writes nothing, except doctor --apply)"},
		&cobra.Group{ID: groupChange, Title: "Change (shown first; undo undoes it)"},
		&cobra.Group{ID: groupCare, Title: "Care for the file: its size, its secrets, its copies"},
		&cobra.Group{ID: groupOther, Title: "Other commands"},
	)
	root.SetHelpCommandGroupID(groupOther)
	root.SetHelpCommand(a.helpCommand())
	root.AddCommand(a.completion(), a.man())
	for _, r := range a.rooms {
		root.AddCommand(r.Commands(a)...)
	}
	a.completeFlags(root)
	if a.isCompletion {
		acceptRepeats(root)
	} else {
		refuseRepeats(root)
	}
	return root
}

// bare is the program without a command.
func (a *app) bare(cmd *cobra.Command, args []string) error {
	switch {
	case a.opts.version:
		return a.printVersion()
	case len(args) > 0:
		return unknownCommand(cmd, args[0])
	case a.opts.JSON:
		return usageErrorf("--json is for commands, such as %s conversations --json", program)
	case a.opts.sessions.value != "" && !exists(a.opts.sessions.value):
		return usageErrorf("--sessions: there is no folder %q", a.opts.sessions.value)
	}
	if _, err := a.resolveModel(a.opts.model.chosen()); isUsageError(err) { // The screens show any other.
		return err
	}
	if !a.sys.interactive() {
		return usageErrorf("the UI needs a terminal; in a pipe use a command, such as %s conversations --json", program)
	}
	return a.crash(a.showScreens(cmd.Context()))
}

func (a *app) printVersion() error {
	_, err := fmt.Fprintln(a.sys.Out, program, a.sys.version())
	return err
}

// runner is what a command does. Its result may be nil. With an error it counts only
// if the command wrote something before.
type runner func(ctx context.Context, c *invocation) (result, error)

// command makes a command of which use names the arguments; those in brackets may
// be left out. The caller sets Long and Example.
func (a *app) command(group, use, short string, run runner) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, GroupID: group,
		Args:                  cobra.ArbitraryArgs, // They are checked below, after --version.
		DisableFlagsInUseLine: true,
		ValidArgsFunction:     a.completeArguments,
		RunE: func(cmd *cobra.Command, args []string) error {
			if a.opts.version {
				return a.printVersion()
			}
			action, args, expect := actionOf(cmd, args)
			if err := checkArguments(cmd, expect, args); err != nil {
				return err
			}
			c := &invocation{app: a, name: cmd.Name(), action: action, args: args}
			if err := errors.Join(a.checkDatabases(cmd), checkFlagRules(cmd, action, args)); err != nil {
				return err
			}
			defer c.close()
			r, err := c.guarded(cmd.Context(), run)
			c.wipe()
			return c.end(r, err)
		},
	}
}

// helpCommand is help as a command of its own.
func (a *app) helpCommand() *cobra.Command {
	return &cobra.Command{
		Use: "help [COMMAND]", Short: "Explain a command", GroupID: groupOther, DisableFlagsInUseLine: true,
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
