package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/nearest"
	"lcm-tui/internal/sorting"
	"lcm-tui/ui"
)

// Summary opens the database and returns the summary that an argument names there, without its text: by
// its id, or by the beginning of an id that no other has.
func (c *Invocation) Summary(ctx context.Context, arg string) (lcm.Summary, error) {
	if err := CheckName("SUMMARY", arg); err != nil {
		return lcm.Summary{}, err
	}
	db, err := c.Open(ctx)
	if err != nil {
		return lcm.Summary{}, err
	}
	found, err := lcm.SummariesByPrefix(ctx, db, arg, maxCandidates+1)
	switch {
	case err != nil:
		return lcm.Summary{}, err
	case len(found) == 0:
		return lcm.Summary{}, suggestSummaries(ctx, db, arg, db.NotFound("summary", arg))
	case len(found) == 1, found[0].ID == arg:
		return found[0], nil
	}
	return lcm.Summary{}, &UsageError{
		Message: fmt.Sprintf("%q begins the ids of several summaries; give more of it", arg),
		Next:    summaryCandidates(found),
	}
}

// SummaryIDs returns the ids of the summaries that arguments name. What nothing is called stays as it is:
// damaged files refer to summaries that they lack.
func (c *Invocation) SummaryIDs(ctx context.Context, args []string) ([]string, error) {
	ids := make([]string, len(args))
	for i, arg := range args {
		s, err := c.Summary(ctx, arg)
		switch {
		case errors.Is(err, data.ErrNotFound):
			s.ID = arg
		case err != nil:
			return nil, err
		}
		ids[i] = s.ID
	}
	return ids, nil
}

// mostRead is how many ids of summaries are compared with one that nothing has.
const mostRead = 100_000

// suggestSummaries adds to an error about a summary that isn't there those whose ids begin much like the
// word, or else what lists them.
func suggestSummaries(ctx context.Context, db *data.DB, word string, err error) error {
	all, _ := lcm.SummariesByPrefix(ctx, db, "", mostRead) // Without them there is less to suggest.
	least, likely := max(1, (len(word)-len("sum_"))/3), []lcm.Summary(nil)
	distance := map[string]int{}
	for _, s := range all {
		if d := nearest.Distance(strings.ToLower(word), s.ID[:min(len(s.ID), len(word))]); d <= least {
			distance[s.ID] = d
			likely = append(likely, s)
		}
	}
	if len(likely) == 0 {
		return hint.Wrap(err, "lcm-tui summaries CONV lists the summaries of a conversation")
	}
	sorting.Stable(likely, func(a, b *lcm.Summary) int { return distance[a.ID] - distance[b.ID] })
	const few = 5
	return hint.Wrap(err, "did you mean one of these?\n"+summaryCandidates(likely[:min(len(likely), few)]))
}

// summaryCandidates lists summaries, one a line.
func summaryCandidates(all []lcm.Summary) string {
	var b strings.Builder
	for i, s := range all {
		if i == maxCandidates {
			b.WriteString("…\n")
			break
		}
		fmt.Fprintf(&b, "%s  d%d, %s, conversation %d\n", ui.LineN(s.ID, 60), s.Depth, ui.Tokens(s.Tokens), s.Conversation)
	}
	return b.String()
}

// formerArgument marks flags that are arguments today.
const formerArgument = "former-argument"

// BindFormerFlag accepts the last argument of a command as the flag that it was in earlier versions. Help
// doesn't name it.
func (a *App) BindFormerFlag(cmd *cobra.Command, name string) {
	f := cmd.Flags().VarPF(&RepeatedWords{Noun: "ID"}, name, "", "the argument, as in earlier versions")
	f.Hidden, f.Annotations = true, map[string][]string{formerArgument: nil}
	a.CompleteFlag(cmd, name, a.CompleteSummaries)
}

// withFormerFlags returns arguments with those that were given as flags.
func withFormerFlags(cmd *cobra.Command, args []string) []string {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, is := f.Annotations[formerArgument]; is {
			args = append(args[:len(args):len(args)], f.Value.(*RepeatedWords).Values...)
		}
	})
	return args
}
