package review

import (
	"strings"

	"lcm-tui/data/change"
	"lcm-tui/internal/plural"
	"lcm-tui/ui"
)

// rowNouns are what the rows of a table are, one and many.
var rowNouns = map[string][2]string{
	"conversations":                {"conversation", "conversations"},
	"messages":                     {"message", "messages"},
	"message_parts":                {"part of a message", "parts of messages"},
	"summaries":                    {"summary", "summaries"},
	"summary_messages":             {"link from a summary to a message", "links from summaries to messages"},
	"summary_parents":              {"link from a summary to one below it", "links from summaries to those below them"},
	"context_items":                {"item of a context", "items of contexts"},
	"large_files":                  {"large file", "large files"},
	"focus_briefs":                 {"focus brief", "focus briefs"},
	"focus_brief_sources":          {"source of a focus brief", "sources of focus briefs"},
	"conversation_bootstrap_state": {"note on a session file", "notes on session files"},
}

// changeGroup is the rows of one table that fared alike.
type changeGroup struct {
	sign, did, table string
	n                int
	first, last      string // Their keys.
}

// changeLines says in words what became of rows, one line for those of a table that fared
// alike.
func changeLines(s *ui.Styles, cs []change.Change) string {
	var groups []*changeGroup
	known := map[[2]string]*changeGroup{}
	for _, c := range cs {
		sign, did := s.Accent.Render("~"), "changed"
		switch {
		case c.Before == nil:
			sign, did = s.Added.Render("+"), "added"
		case c.After == nil:
			sign, did = s.Removed.Render("−"), "deleted"
		}
		_, key, _ := strings.Cut(c.Label(), " ")
		g := known[[2]string{c.Table, did}]
		if g == nil {
			g = &changeGroup{sign: sign, did: did, table: c.Table, first: key}
			known[[2]string{c.Table, did}], groups = g, append(groups, g)
		}
		g.n, g.last = g.n+1, key
	}
	var b strings.Builder
	for _, g := range groups {
		b.WriteString(g.sign + " " + g.text(s) + "\n")
	}
	return b.String()
}

func (g *changeGroup) text(s *ui.Styles) string {
	noun, ok := rowNouns[g.table]
	if !ok {
		noun = [2]string{"row of " + ui.Line(g.table), "rows of " + ui.Line(g.table)}
	}
	keys := ui.Line(g.first)
	if g.n > 1 {
		keys += " … " + ui.Line(g.last)
	}
	return plural.Count(g.n, noun[0], noun[1]) + " " + g.did + "  " + s.Muted.Render(keys)
}
