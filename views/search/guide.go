package search

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"lcm-tui/internal/plural"
	"lcm-tui/ui"
	"lcm-tui/views"
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

// guide explains what can be searched, for an empty query.
func (v *Search) guide(width int) string {
	s := v.env.Styles
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
	if v.origin != 0 {
		b.WriteString("\n " + s.Key.Render("alt+i") + s.Muted.Render(" searches only "+ui.LineN(v.nameOfConversation(v.origin), max(8, width-24))) + "\n")
	}
	if last := v.history.last(3); len(last) > 0 {
		b.WriteString("\n " + s.Key.Render("ctrl+p") + s.Muted.Render(" earlier queries: ") + ui.LineN(strings.Join(last, "   "), max(8, width-26)) + "\n")
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

// offersText lists other queries that find something, each with its key.
func (v *Search) offersText(width int) string {
	s := v.env.Styles
	var b strings.Builder
	b.WriteString("\n " + s.Title.Render("Nothing was found.") + s.Muted.Render(" Other queries find something; ↑↓ and ⏎ choose one:") + "\n\n")
	for i, o := range v.offers {
		mark, style := "  ", s.Muted
		if i == v.offer {
			mark, style = s.Accent.Render("▌ "), s.Title
		}
		count := plural.Count(o.Count, "hit", "hits")
		if o.More {
			count = ui.Num(int64(o.Count)) + "+ hits"
		}
		b.WriteString(ui.Cut(" "+mark+s.Key.Render(views.Itoa(int64(i+1)))+" "+style.Render(ui.LineN(o.Query, max(8, width/2)))+
			s.Muted.Render("   "+ui.Line(o.Reason)+" · "+count), width) + "\n")
	}
	return b.String()
}

// offerKey takes a key while other queries are offered, and whether it was one for them.
func (v *Search) offerKey(m tea.KeyPressMsg) (tea.Cmd, bool) {
	switch k := m.String(); k {
	case "up", "k":
		v.offer = max(0, v.offer-1)
	case "down", "j":
		v.offer = min(len(v.offers)-1, v.offer+1)
	case "enter":
		return v.takeOffer(v.offer), true
	default:
		n := strings.Index("123456789", strings.TrimPrefix(k, "alt+"))
		if len(strings.TrimPrefix(k, "alt+")) != 1 || n < 0 || n >= len(v.offers) {
			return nil, false
		}
		return v.takeOffer(n), true
	}
	return nil, true
}

// takeOffer searches what is offered.
func (v *Search) takeOffer(i int) tea.Cmd {
	return tea.Batch(v.setQuery(v.offers[i].Query), v.remember())
}

// setQuery puts a query into the input and searches it.
func (v *Search) setQuery(text string) tea.Cmd {
	typing := v.input.Typing()
	v.input.Open(text)
	if !typing {
		v.input.Close()
	}
	return v.edited()
}
