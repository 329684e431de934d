package agents

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/engine/retrieve"
)

// grepped is the result of grep.
type grepped struct {
	*retrieve.GrepResult
	cli.WarningList
}

// grepFlags is what grep searches, and how.
type grepFlags struct {
	scope                cli.ScopeFlags
	mode, in, sort       *cli.ChoiceFlag
	since, before, files cli.TextFlag
	limit                *cli.IntegerFlag
}

func grepCommand(a *cli.App) *cobra.Command {
	f := grepFlags{
		limit: cli.AtLeast(1, "N"),
		mode:  cli.OneOf(string(retrieve.Regex), string(retrieve.Regex), string(retrieve.FullText)),
		in:    cli.OneOf(string(retrieve.InBoth), string(retrieve.InMessages), string(retrieve.InSummaries), string(retrieve.InBoth), string(retrieve.InFiles)),
		sort:  cli.OneOf(string(retrieve.ByTime), string(retrieve.ByTime), string(retrieve.ByRelevance), string(retrieve.ByBoth)),
	}
	cmd := a.Command(cli.GroupAgents, "grep PATTERN", "Search as an agent does, with its tool lcm_grep", f.run)
	cmd.Long = `Prints what the agent tool lcm_grep answers. By default PATTERN is a regular expression as in
JavaScript, without flags; with --mode full_text it is words and phrases in quotation marks, all
of which have to be found. Regular expressions read the newest 10,000 messages and summaries.
Tool calls and their results that are stored beside a message are not searched, as in the
agent's tool: "lcm-tui search" finds these as well.

Writes nothing.`
	cmd.Example = "  lcm-tui grep 'OPS-\\d+'\n  lcm-tui grep --mode full_text '\"retry queue\" timeout' --conversation 12 --since 2026-01-05\n  lcm-tui grep tenant_id --scope files"
	f.scope.Bind(a, cmd)
	flags := cmd.Flags()
	f.since.Noun, f.before.Noun, f.files.Noun = "TIME", "TIME", "IDS"
	flags.Var(f.mode, "mode", "how PATTERN is read: regex or full_text")
	flags.Var(f.in, "scope", "what is searched: messages, summaries, both or files")
	flags.Var(f.sort, "sort", "recency, the newest first; with full_text also relevance, the best first, or hybrid, which lets older ones count less")
	flags.Var(&f.since, "since", "only what is not older, as 2026-01-31 (UTC) or 2026-01-31T09:30:00Z")
	flags.Var(&f.before, "before", "only what is older")
	flags.Var(&f.files, "file-ids", "with --scope files, only these, with commas between")
	flags.Var(f.limit, "limit", "at most this many messages, summaries or files, up to 200 (default 50)")
	return cmd
}

func (f *grepFlags) run(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
	if f.mode.Value == string(retrieve.Regex) && f.sort.Value != string(retrieve.ByTime) {
		return nil, cli.UsageErrorf("--sort %s is for --mode full_text; what a regular expression finds is sorted by time", f.sort.Value)
	}
	if f.files.Value != "" && f.in.Value != string(retrieve.InFiles) {
		return nil, cli.UsageErrorf("--file-ids is for --scope files")
	}
	db, scope, err := f.scope.Resolve(ctx, c)
	if err != nil {
		return nil, err
	}
	r := retrieve.GrepRequest{
		Pattern: c.Args[0], Mode: retrieve.GrepMode(f.mode.Value), In: retrieve.GrepIn(f.in.Value), Sort: retrieve.GrepSort(f.sort.Value),
		Limit: f.limit.Value, Since: f.since.Value, Before: f.before.Value, Folder: c.Locations.FilesDir, Ranks: c.Opts.JSON,
	}
	for id := range strings.SplitSeq(f.files.Value, ",") {
		if id = strings.TrimSpace(id); id != "" {
			r.Files = append(r.Files, id)
		}
	}
	found, err := r.Run(ctx, db, scope)
	if err != nil {
		return nil, retrievalError(err)
	}
	if f.limit.Value > retrieve.MostGrepRows {
		db.Warn(fmt.Errorf("--limit %d is taken as %d, as the agent tool does it; lcm-tui search finds more", f.limit.Value, retrieve.MostGrepRows))
	}
	for _, note := range found.Notes {
		db.Warn(errors.New(note))
	}
	found.Notes = nil
	return &grepped{GrepResult: found}, nil
}

func (g *grepped) Print(p *cli.Printer) {
	p.Answer(g.Text())
}
