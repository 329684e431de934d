package read

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// statistics is the result of stats.
type statistics struct {
	Projects    int              `json:"projects"`
	Number      int              `json:"conversations"`
	Compacted   int              `json:"compacted_conversations"` // With a summary.
	Messages    int64            `json:"messages"`
	Summaries   int64            `json:"summaries"`
	MaxDepth    int64            `json:"max_depth"`
	Raw         int64            `json:"raw_tokens"` // Of the messages of compacted conversations.
	SummaryToks int64            `json:"summary_tokens"`
	StoredRatio float64          `json:"stored_ratio"`
	Compression float64          `json:"compression"` // What summaries in contexts cover, by what they take.
	Promoted    int64            `json:"promoted_count"`
	Details     []statisticsItem `json:"conversation_details"`
	Redactions  redactionCounts  `json:"redaction_counts"`
	cli.WarningList

	verbose bool
}

// statisticsItem is the numbers of a conversation.
type statisticsItem struct {
	Conversation int64   `json:"conversation_id"`
	Messages     int64   `json:"messages"`
	Summaries    int64   `json:"summaries"`
	MaxDepth     int64   `json:"max_depth"`
	Raw          int64   `json:"raw_tokens"`
	Summary      int64   `json:"summary_tokens"`
	StoredRatio  float64 `json:"stored_ratio"`
	Promoted     int64   `json:"promoted_count"`
}

// redactionCounts is how often a text was redacted before it was stored, by where the pattern stood.
type redactionCounts struct {
	BuiltIn int64 `json:"built_in"`
	Global  int64 `json:"global"`
	Project int64 `json:"project"`
	Total   int64 `json:"total"`
}

func statsCommand(a *cli.App) *cobra.Command {
	verbose := false
	cmd := a.Command(cli.GroupBrowse, "stats", "Show how much summaries save", func(ctx context.Context, c *cli.Invocation) (cli.Result, error) {
		r, err := readStatistics(ctx, c)
		if err != nil {
			return nil, err
		}
		r.verbose = verbose
		return r, nil
	})
	cmd.Long = `Counts conversations, messages and summaries, and the tokens that they take. What is stored
is compared as lossless-claude does it: the messages of conversations that have a summary with
all their summaries. The compression in contexts compares the summaries that a model gets with
the messages that they cover. A saving below zero says that summaries take more than what
they were made from.

Writes nothing.`
	cmd.Example = "  lcm-tui stats\n  lcm-tui stats --verbose\n  lcm-tui stats --json"
	cmd.Flags().BoolVar(&verbose, "verbose", false, "the numbers of each conversation as well")
	return cmd
}

// readStatistics counts what a database holds.
func readStatistics(ctx context.Context, c *cli.Invocation) (*statistics, error) {
	db, err := c.Open(ctx)
	if err != nil {
		return nil, err
	}
	all, err := lcm.AllTokenTotals(ctx, db)
	if err != nil {
		return nil, err
	}
	r := &statistics{Number: len(all), Details: []statisticsItem{}}
	for _, t := range all {
		r.add(t)
	}
	r.StoredRatio = ratio(r.Raw, r.SummaryToks)
	if r.Projects, err = countProjects(ctx, db, r.Messages); err != nil {
		return nil, err
	}
	compression, err := lcm.ReadCompression(ctx, db)
	if err != nil {
		return nil, err
	}
	r.Compression = ratio(compression.Covered, compression.Summaries)
	if r.Promoted, err = lcm.PromotedCount(ctx, db); err != nil {
		return nil, err
	}
	counts, err := lcm.RedactionCounts(ctx, db)
	r.Redactions = redactionCounts{BuiltIn: counts["built_in"], Global: counts["global"], Project: counts["project"]}
	r.Redactions.Total = r.Redactions.BuiltIn + r.Redactions.Global + r.Redactions.Project
	return r, err
}

// add counts a conversation.
func (r *statistics) add(t lcm.TokenTotals) {
	r.Messages += t.Messages
	r.Summaries += t.Summaries
	r.MaxDepth = max(r.MaxDepth, t.MaxDepth)
	item := statisticsItem{
		Conversation: t.Conversation, Messages: t.Messages, Summaries: t.Summaries, MaxDepth: t.MaxDepth,
		Raw: t.MessageTokens, Summary: t.SummaryTokens, StoredRatio: ratio(t.MessageTokens, t.SummaryTokens),
	}
	if t.IsCompacted() {
		r.Compacted++
		r.Raw += t.MessageTokens
		r.SummaryToks += t.SummaryTokens
	}
	r.Details = append(r.Details, item)
}

// countProjects returns of how many projects the conversations are: the second words of session keys. Those without a
// key are one, as a file of lossless-claude is. A file without messages has none.
func countProjects(ctx context.Context, db *data.DB, messages int64) (int, error) {
	all, err := lcm.Conversations(ctx, db)
	if err != nil || messages == 0 {
		return 0, err
	}
	projects := map[string]bool{}
	for _, c := range all {
		words := strings.SplitN(c.SessionKey, ":", 3)
		if len(words) < 3 {
			words = []string{"", ""}
		}
		projects[words[1]] = true
	}
	return len(projects), nil
}

// ratio returns how many of a there are for one of b, or 0 where one is 0.
func ratio(a, b int64) float64 {
	if a == 0 || b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

// Print implements cli.Result.
func (r *statistics) Print(p *cli.Printer) {
	p.Fact("conversations", fmt.Sprintf("%s of %s, %s with summaries", ui.Num(int64(r.Number)), plural.Count(r.Projects, "project", "projects"), ui.Num(int64(r.Compacted))))
	p.Fact("messages", ui.Num(r.Messages))
	p.Fact("summaries", fmt.Sprintf("%s, depth up to %d", ui.Num(r.Summaries), r.MaxDepth))
	if r.Promoted > 0 {
		p.Fact("promoted", ui.Num(r.Promoted))
	}
	if t := r.Redactions; t.Total > 0 {
		p.Fact("redactions", fmt.Sprintf("%s: %s built in, %s global, %s of the project", ui.Num(t.Total), ui.Num(t.BuiltIn), ui.Num(t.Global), ui.Num(t.Project)))
	}
	if r.Raw > 0 {
		const cells = 30
		saved := 1 - float64(r.SummaryToks)/float64(r.Raw)
		p.Fact("stored", fmt.Sprintf("%s tokens of messages, %s of summaries: %.1f to 1", ui.Num(r.Raw), ui.Num(r.SummaryToks), r.StoredRatio))
		p.Fact("saved", fmt.Sprintf("%s %.1f %%", ui.Bar(cells, max(saved, 0)), 100*saved))
	}
	if r.Compression > 0 {
		p.Fact("in contexts", fmt.Sprintf("%.1f to 1", r.Compression))
	}
	if !r.verbose {
		return
	}
	var rows [][]string
	for _, d := range r.Details {
		rows = append(rows, []string{ui.Num(d.Conversation), ui.Num(d.Messages), ui.Num(d.Summaries), ui.Num(d.MaxDepth), ui.Num(d.Raw), ui.Num(d.Summary), fmt.Sprintf("%.1f", d.StoredRatio)})
	}
	p.Line("")
	p.Table([]cli.Column{
		{Title: "conversation", Right: true},
		{Title: "messages", Right: true},
		{Title: "summaries", Right: true},
		{Title: "depth", Right: true},
		{Title: "tokens", Right: true},
		{Title: "of summaries", Right: true},
		{Title: "ratio", Right: true},
	}, rows)
}
