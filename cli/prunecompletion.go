package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/data/lcm"
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
	{historyVerb, "records and trash of lcm-tui itself"},
}

// pruneWords are the words that may follow prune.
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
			words = append(words, describeCompletion(string(v.verb), v.about))
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
}

// selectorValues are the flags of prune whose value conversations of the file have, with what
// a conversation has of it.
var selectorValues = map[string]func(lcm.Conversation) string{
	"agent": lcm.Conversation.Agent,
	"lane":  lcm.Conversation.Lane,
	"cause": func(c lcm.Conversation) string { return c.ArchiveCause },
}

// knownValues are the values that conversations have, each once, without the empty one.
func knownValues(all []lcm.Conversation, of func(lcm.Conversation) string) (values []string) {
	for _, c := range all {
		if v := of(c); v != "" {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// completeSelector completes the value of a flag of selectorValues.
func (a *app) completeSelector(flag string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		c := &invocation{app: a}
		defer c.close()
		db, err := c.open(cmd.Context())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		all, _ := lcm.Conversations(cmd.Context(), db)
		values := slices.DeleteFunc(knownValues(all, selectorValues[flag]), func(v string) bool { return !strings.HasPrefix(v, begun) })
		return values, cobra.ShellCompDirectiveNoFileComp
	}
}
