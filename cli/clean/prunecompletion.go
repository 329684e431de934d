package clean

import (
	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/ops/prune"
)

// pruneVerbs are the words that may follow prune, the one that loses least first, with what each
// removes.
var pruneVerbs = []struct {
	verb  prune.Verb
	about string
}{
	{prune.Copies, "second copies of texts"},
	{prune.Payloads, "inline media and large outputs of tools"},
	{prune.Text, "texts of messages below summaries"},
	{prune.Conversations, "whole conversations that are over"},
	{filesVerb, "large files that no row names"},
	{batchesVerb, "what hosts of 1.0 prepared and are done with"},
	{historyVerb, "records and trash of lcm-tui itself"},
}

// pruneWords returns the words that may follow prune.
func pruneWords() (words []string) {
	for _, v := range pruneVerbs {
		words = append(words, string(v.verb))
	}
	return words
}

// completeVerbs completes what to prune.
func completeVerbs(_ *cobra.Command, args []string, _ string) (words []string, _ cobra.ShellCompDirective) {
	for _, v := range pruneVerbs {
		if len(args) == 0 {
			words = append(words, cli.DescribeCompletion(string(v.verb), v.about))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}
