package mcp

import (
	"context"
	"fmt"
	"strings"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/plural"
)

// statsTool says what summaries save, in tables.
func statsTool() tool {
	return tool{
		name: "lcm_stats", title: "Memory statistics",
		about: "Count conversations, messages, summaries and their tokens, and show how much summaries save, as a Markdown table. With verbose it has a row for each conversation.",
		parameters: []parameter{
			{name: "verbose", kind: isBoolean, about: "Also list each conversation."},
		},
		call: readStats,
	}
}

func readStats(ctx context.Context, c *call) (answer, error) {
	scope, err := c.confined(ctx)
	if err != nil {
		return answer{}, err
	}
	visible, err := c.visible(ctx, scope)
	if err != nil {
		return answer{}, err
	}
	isVisible := map[int64]bool{}
	for _, l := range visible {
		isVisible[l.ID] = true
	}
	all, err := lcm.AllTokenTotals(ctx, c.db)
	if err != nil {
		return answer{}, err
	}
	var sum lcm.TokenTotals
	var raw, compacted int64
	rows := []string{"", "| conversation | messages | summaries | depth | tokens | of summaries |", "|---:|---:|---:|---:|---:|---:|"}
	for _, t := range all {
		if !isVisible[t.Conversation] {
			continue
		}
		sum.Messages, sum.Summaries, sum.MaxDepth = sum.Messages+t.Messages, sum.Summaries+t.Summaries, max(sum.MaxDepth, t.MaxDepth)
		if t.IsCompacted() {
			compacted++
			raw, sum.SummaryTokens = raw+t.MessageTokens, sum.SummaryTokens+t.SummaryTokens
		}
		rows = append(rows, fmt.Sprintf("| %d | %d | %d | %d | %d | %d |", t.Conversation, t.Messages, t.Summaries, t.MaxDepth, t.MessageTokens, t.SummaryTokens))
	}
	saved := "-"
	if raw > 0 {
		saved = fmt.Sprintf("%.1f %%", 100*(1-float64(sum.SummaryTokens)/float64(raw)))
	}
	out := []string{"## LCM Stats", "**Conversation scope:** " + scope.String(), "", "| what | number |", "|---|---:|"}
	for _, row := range [][2]string{
		{"conversations", plural.Number(int64(len(visible)))},
		{"with summaries", plural.Number(compacted)},
		{"messages", plural.Number(sum.Messages)},
		{"summaries", plural.Number(sum.Summaries)},
		{"greatest depth", plural.Number(sum.MaxDepth)},
		{"tokens of messages in conversations with summaries", plural.Number(raw)},
		{"tokens of summaries", plural.Number(sum.SummaryTokens)},
		{"saved", saved},
	} {
		out = append(out, "| "+row[0]+" | "+row[1]+" |")
	}
	if c.args.yes("verbose") {
		out = append(out, rows...)
	}
	return answer{text: strings.Join(out, "\n") + "\n", narrower: "leave out verbose"}, nil
}
