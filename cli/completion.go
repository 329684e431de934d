package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/data/lcm"
	"lcm-tui/ui"
)

var shells = []string{"bash", "zsh", "fish", "powershell"}

func (a *App) completion() *cobra.Command {
	cmd := a.Command(GroupOther, "completion SHELL", "Print a completion script for a shell", nil)
	cmd.Long = `Prints a script with which a shell completes commands, flags, conversation ids, session
keys and summary ids.

Writes nothing.`
	cmd.Example = "  source <(lcm-tui completion bash)\n  lcm-tui completion zsh > \"${fpath[1]}/_lcm-tui\"\n  lcm-tui completion fish | source"
	cmd.ValidArgs, cmd.ValidArgsFunction = shells, nil
	run := func(_ context.Context, c *Invocation) (Result, error) { return nil, script(cmd.Root(), c.Args[0]) }
	cmd.RunE = a.Command(GroupOther, cmd.Use, "", run).RunE
	return cmd
}

func script(root *cobra.Command, shell string) error {
	switch out := root.OutOrStdout(); shell {
	case "bash":
		return root.GenBashCompletionV2(out, true)
	case "zsh":
		return root.GenZshCompletion(out)
	case "fish":
		return root.GenFishCompletion(out, true)
	case "powershell":
		return root.GenPowerShellCompletionWithDesc(out)
	}
	return UsageErrorf("expected %s, not %q%s", ArgumentKinds["SHELL"], shell, DidYouMean(shell, "", shells))
}

// isCompletion reports whether a shell asks for completions.
func isCompletion(args []string) bool {
	return len(args) > 0 && strings.HasPrefix(args[0], cobra.ShellCompRequestCmd)
}

// CompleteFlag teaches a command to complete a flag, where a shell asks for completions:
// cobra keeps what it is taught, with the command, until the process ends.
func (a *App) CompleteFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if a.isCompletion {
		_ = cmd.RegisterFlagCompletionFunc(flag, complete) // It fails for unknown flags only.
	}
}

// completeFlags teaches every command the words and numbers of its flags.
func (a *App) completeFlags(root *cobra.Command) {
	for _, cmd := range root.Commands() {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			switch v := f.Value.(type) {
			case *ChoiceFlag:
				a.CompleteFlag(cmd, f.Name, cobra.FixedCompletions(v.Words, cobra.ShellCompDirectiveNoFileComp))
			case *ChoiceListFlag:
				a.CompleteFlag(cmd, f.Name, cobra.FixedCompletions(v.Words, cobra.ShellCompDirectiveNoFileComp))
			case *IntegerFlag:
				a.CompleteFlag(cmd, f.Name, cobra.NoFileCompletions)
			}
		})
	}
}

// CompleteArguments completes conversation ids, newest first, with their session keys,
// and the keys of those that go on.
func (a *App) CompleteArguments(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	_, args, names := actionOf(cmd, args)
	if n := len(names); n > 0 && len(args) >= n && strings.HasSuffix(names[n-1], "...") { // It may be given again.
		args = args[:n-1]
	}
	if len(args) < len(names) && slices.Contains([]string{"PLAN", "[FILE]"}, names[len(args)]) {
		return nil, cobra.ShellCompDirectiveDefault // Files.
	}
	if len(args) >= len(names) {
		return nil, no
	}
	switch strings.Trim(names[len(args)], "[].") {
	case "CONV", "SRC", "DST":
		return a.CompleteConversation(cmd, args, begun)
	case "SUMMARY":
		if len(args) > 0 {
			return a.CompleteSummaries(cmd, args, begun)
		}
		return a.CompleteDescribed(cmd, args, begun)
	}
	return nil, no
}

// CompleteActions completes what stands before the arguments, and the arguments.
func (a *App) CompleteActions(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	out, how := a.CompleteArguments(cmd, args, begun)
	if len(args) == 0 {
		for _, action := range slices.Sorted(maps.Keys(CommandActions[cmd.Name()])) {
			if strings.HasPrefix(action, begun) {
				out = append(out, action)
			}
		}
	}
	return out, how
}

func conversationCompletions(convs []lcm.Conversation, begun string) (out []string) {
	for _, conv := range convs {
		id := strconv.FormatInt(conv.ID, 10)
		switch {
		case strings.HasPrefix(id, begun):
			out = append(out, DescribeCompletion(id, strings.TrimSpace(conv.SessionKey+" "+conv.Title)))
		case conv.Active && strings.HasPrefix(conv.SessionKey, begun):
			out = append(out, DescribeCompletion(ui.Line(conv.SessionKey), strings.TrimSpace(id+" "+conv.Title)))
		}
	}
	return out
}

// CompleteSummaries completes the condensed summaries that stand in the context.
func (a *App) CompleteSummaries(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	c := &Invocation{App: a, Args: args}
	defer c.Close()
	if len(args) == 0 {
		return nil, no
	}
	db, conv, err := c.OpenConversation(cmd.Context())
	if err != nil {
		return nil, no
	}
	items, err := lcm.Context(cmd.Context(), db, conv.ID)
	if err != nil {
		return nil, no
	}
	items = slices.DeleteFunc(items, func(i lcm.ContextItem) bool {
		return i.Kind != lcm.KindCondensed || !strings.HasPrefix(i.Summary, begun)
	})
	var out []string
	for _, i := range items {
		out = append(out, DescribeCompletion(ui.Line(i.Summary), fmt.Sprintf("D%d %s %s", i.Depth, ui.Tokens(i.Tokens), i.Preview)))
	}
	return out, no | cobra.ShellCompDirectiveKeepOrder
}

// mostCompletions is how many ids a shell is offered of what may be thousands.
const mostCompletions = 100

// CompleteDescribed completes the ids of summaries, and for describe those of large files.
func (a *App) CompleteDescribed(cmd *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	const no = cobra.ShellCompDirectiveNoFileComp
	c := &Invocation{App: a}
	defer c.Close()
	describe := cmd.Name() == "describe"
	if describe && len(args) > 0 {
		return nil, no
	}
	db, err := c.Open(cmd.Context())
	if err != nil {
		return nil, no
	}
	found, _ := lcm.SummariesByPrefix(cmd.Context(), db, begun, mostCompletions)
	var out []string
	for _, s := range found {
		if !slices.Contains(args, s.ID) {
			out = append(out, DescribeCompletion(ui.Line(s.ID), fmt.Sprintf("D%d %s of conversation %d", s.Depth, ui.Tokens(s.Tokens), s.Conversation)))
		}
	}
	files := map[string]int64{}
	if describe {
		files, _ = lcm.FileIDs(cmd.Context(), db)
	}
	for _, id := range slices.Sorted(maps.Keys(files)) {
		if strings.HasPrefix(id, begun) && len(out) < 2*mostCompletions {
			out = append(out, DescribeCompletion(ui.Line(id), fmt.Sprintf("file of conversation %d", files[id])))
		}
	}
	return out, no
}

// DescribeCompletion puts what a word is about behind it, as shells show it.
func DescribeCompletion(word, about string) string {
	return cobra.CompletionWithDesc(word, ui.LineN(about, 60))
}
