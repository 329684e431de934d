package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/ask"
	"lcm-tui/engine/retrieve"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// questionResult is the answer to a question.
type questionResult struct {
	ask.Reply
	cli.WarningList
}

// askFlags is what a question starts from, and what it may take.
type askFlags struct {
	cli.ModelFlags
	scope             cli.ScopeFlags
	query             cli.TextFlag
	summaries         cli.RepeatedWords
	maxTokens, tokens *cli.IntegerFlag
	calls             *cli.IntegerFlag
	dollars           cli.DollarFlag
	total             cli.DurationFlag
	fresh             bool
	sendSecrets       bool
}

func askCommand(a *cli.App) *cobra.Command {
	f := &askFlags{
		query: cli.TextFlag{Noun: "QUERY"}, summaries: cli.RepeatedWords{Noun: "SUMMARY"},
		maxTokens: cli.AtLeast(1, "N"), tokens: cli.AtLeast(1, "N"), calls: cli.AtLeast(1, "N"),
		total: cli.DurationFlag{Most: ask.MaxTimeout},
	}
	cmd := a.Command(cli.GroupAgents, "ask PROMPT", "Answer a question from the memory", f.run)
	cmd.Long = `Answers a question as the agent tool lcm_expand_query does. It starts from the summaries that
--summary names and those that --query finds; without both, from those that hold the most and
rarest words of the question. A model then reads summaries and messages with lcm_describe,
lcm_expand and lcm_grep, and answers; it can reach nothing outside of the conversations, and no
more than --token-cap tokens. Without --conversation and such flags up to three conversations of
the file are asked, those that fit the question best, each by itself.

The model is the one that --provider and --model name, else expansionModel, else that of
summaries; lcm-tui config shows both. Without a model the answer is passages that are quoted
from the memory, best match first. The same question is answered from a cache for an hour.

Writes nothing to the database.`
	cmd.Example = `  lcm-tui ask "Which port does the gateway use?" --query "gateway port" --conversation 12
  lcm-tui ask "Why was red refused?" --summary sum_1a2b3c4d5e6f7a8b --provider claude
  lcm-tui ask "What was decided about backups?" --json`
	f.scope.Bind(a, cmd)
	fs := cmd.Flags()
	fs.Var(&f.query, "query", "search for these words in summaries, all of them")
	fs.Var(&f.summaries, "summary", "start from this summary; repeatable")
	fs.Var(f.maxTokens, "max-tokens", "the size of the answer in tokens (default 2,000)")
	fs.Var(f.tokens, "token-cap", "the most tokens to read, over all calls (default: maxExpandTokens, 4,000)")
	fs.Var(&f.total, "timeout", "the longest time for the whole question: seconds, or 90s or 2m, at most 10m")
	f.BindChoice(cmd, "answers")
	fs.Var(f.calls, "max-calls", "the greatest number of calls of the model")
	fs.Var(&f.dollars, "max-cost", "stop before the calls cost more than this many dollars")
	fs.BoolVar(&f.sendSecrets, "send-secrets", false, "leave passwords, keys and tokens in what the model reads")
	fs.BoolVar(&f.fresh, "fresh", false, "call the model even where an earlier answer is cached")
	return cmd
}

func (f *askFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	db, scope, ids, err := resolveSummaries(ctx, c, &f.scope, f.summaries.Values)
	if err != nil {
		return nil, err
	}
	a, err := cli.NewAsker(c, cli.AskerOptions{Chosen: f.Chosen(), Spending: summarize.NewSpending(int(f.calls.Value), f.dollars.Value), Fresh: f.fresh, SendSecrets: f.sendSecrets, Database: db.Path()})
	if err != nil {
		return nil, err
	}
	p := ask.Params{
		Prompt: c.Args[0], SummaryIDs: ids, Query: f.query.Value, AllConversations: scope.All() || len(scope.IDs()) > 1 && !f.scope.IsSet() || f.scope.Agent.Value != "",
		MaxTokens: f.maxTokens.Value, TokenCap: f.tokens.Value, Timeout: f.total.Value, FromPrompt: true,
	}
	reply, err := a.Ask(ctx, db, p, scope, ask.Caller{Session: "cli"}, f.progress(c))
	if errors.Is(err, retrieve.ErrNoScope) {
		err = f.scope.NothingFound()
	}
	if err != nil {
		return nil, questionError(err, p.AllConversations)
	}
	return &questionResult{Reply: reply}, nil
}

// progress shows each tool call on a terminal.
func (f *askFlags) progress(c *cli.Invocation) func(ask.Progress) {
	show := c.Progress()
	steps := make(chan struct{}, 1) // Several conversations are asked at once.
	return func(p ask.Progress) {
		steps <- struct{}{}
		defer func() { <-steps }()
		show(0, 0, fmt.Sprintf("conversation %d, %s of %s tokens read: %s %s", p.Conversation, ui.Num(p.Tokens), ui.Num(p.TokenCap), p.Tool, p.Call))
	}
}

// questionError returns an error of a question with a hint that names flags instead of parameters.
func questionError(err error, all bool) error {
	var input *ask.InputError
	if errors.As(err, &input) {
		if all {
			return &ask.InputError{Message: input.Message, Advice: "ask with other words, or search the messages too: lcm-tui search WORDS"}
		}
		return &ask.InputError{Message: input.Message, Advice: "lcm-tui grep finds summaries; --all looks into all conversations"}
	}
	var failed *ask.FailureError
	if errors.As(err, &failed) {
		return &ask.InputError{Message: failed.Message, Advice: failureAdvice(failed.Code)}
	}
	return err
}

// failureAdvice returns what helps where a model gave no answer.
func failureAdvice(code string) string {
	const withoutModel = "; --provider extractive quotes passages without a model"
	switch code {
	case ask.CodeReplyInvalid, ask.CodeReplyMissing:
		return `the model or command must reply with {"answer": "...", "citedIds": ["sum_..."]}: ask again, or choose another model with --model` + withoutModel
	case ask.CodeTimeout:
		return "allow more time with --timeout" + withoutModel
	}
	return "lcm-tui config shows the model and its account; choose another one with --provider and --model" + withoutModel
}

func (r *questionResult) Print(p *cli.Printer) {
	var b strings.Builder
	b.WriteString(strings.TrimRight(r.Answer, "\n") + "\n\n")
	if len(r.SourceConversationIDs) == 0 {
		b.WriteString("Ask with other words, or search the messages too: lcm-tui search WORDS. --all asks all conversations.\n\n")
	}
	line := func(name, value string) { fmt.Fprintf(&b, "%s: %s\n", name, value) }
	if len(r.CitedIDs) > 0 {
		line("Sources", strings.Join(r.CitedIDs, ", "))
	}
	if len(r.DroppedIDs) > 0 {
		line("Cited but never read, so left out", strings.Join(r.DroppedIDs, ", "))
	}
	read := plural.Count(int(r.ExpandedSummaryCount), "summary", "summaries") + ", " + plural.Count(int(r.TotalSourceTokens), "token", "tokens")
	if r.Truncated {
		read += "; not everything could be read"
	}
	line("Read", read)
	if r.Model != "" {
		line("Model", r.Model)
	}
	p.Answer(b.String())
}
