package search

import (
	"strings"

	"lcm-tui/ui"
)

// queryExamples explain the language of queries.
var queryExamples = [][2]string{
	{"retry budget", "both words, in any form of them"},
	{`"rg -n foo"`, "in this order; put a command in quotation marks"},
	{"deploy -staging", "the first word without the second"},
	{"roll*", "words that begin so"},
	{"deploy OR rollout", "one of the words"},
	{`/timeout=\d+/`, "a regular expression"},
}

// filterExamples explain the filters of queries.
var filterExamples = [][2]string{
	{"in:2  agent:main", "a conversation, an agent's conversations"},
	{"role:user,tool", "messages of these roles"},
	{"kind:summary  depth:1..2", "summaries, messages, parts or files"},
	{"tool:bash  has:error", "calls of a tool, failed ones"},
	{"after:2026-01-05  before:7d", "a time; also on:yesterday"},
	{"is:context  -in:3", "what the model sees; without a conversation"},
}

// guide explains what can be searched, for an empty query. from is the conversation from which the search was
// opened, or nothing; queries are the newest ones.
func guide(s *ui.Styles, from string, queries []string, width int) string {
	wide := 0
	for _, e := range append(queryExamples[:len(queryExamples):len(queryExamples)], filterExamples...) {
		wide = max(wide, len(e[0]))
	}
	var b strings.Builder
	list := func(title string, examples [][2]string) {
		b.WriteString("\n" + s.Title.Render(" "+title) + "\n")
		for _, e := range examples {
			b.WriteString("   " + s.Key.Render(ui.Pad(e[0], wide)) + "  " + s.Muted.Render(e[1]) + "\n")
		}
	}
	list("What you can type", queryExamples)
	list("Filters", filterExamples)
	if from != "" {
		b.WriteString("\n " + s.Key.Render("alt+i") + s.Muted.Render(" searches only "+ui.LineN(from, max(8, width-24))) + "\n")
	}
	if len(queries) > 0 {
		b.WriteString("\n " + s.Key.Render("ctrl+p") + s.Muted.Render(" earlier queries: ") + ui.LineN(strings.Join(queries, "   "), max(8, width-26)) + "\n")
	}
	return b.String()
}

// last returns the newest queries, the newest first.
func (h *queryHistory) last(n int) (out []string) {
	for i := len(h.queries) - 1; i >= 0 && len(out) < n; i-- {
		out = append(out, h.queries[i])
	}
	return out
}
