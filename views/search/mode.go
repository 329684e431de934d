package search

import (
	"slices"
	"strings"
	"time"

	"lcm-tui/engine/search"
)

// searchMode is how the text of a query is searched, and in which order the hits are listed.
type searchMode struct {
	regexp, matchCase, wholeWord bool
	sort                         search.Sort
}

// options say how a query is read in this mode. Its days are those of the zone of now.
func (m searchMode) options(now time.Time) search.ParseOptions {
	return search.ParseOptions{Regexp: m.regexp, MatchCase: m.matchCase, WholeWord: m.wholeWord, Now: now, Location: now.Location()}
}

// text says in words how the query is searched.
func (m searchMode) text() string {
	parts := []string{"text", "any case", "any form of a word", sortText(m.sort)}
	switch {
	case m.regexp:
		parts[0], parts[1], parts[2] = "regular expression", "smart case", ""
	case m.matchCase:
		parts[2] = "the words as typed"
	}
	if m.matchCase {
		parts[1] = "match case"
	}
	if m.wholeWord {
		parts[2] = "whole words"
	}
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " · ")
}

// nextSort returns the order that comes next.
func (m searchMode) nextSort() search.Sort {
	return search.Sorts[(slices.Index(search.Sorts, m.sort)+1)%len(search.Sorts)]
}

// sortText returns an order in words.
func sortText(s search.Sort) string {
	switch s {
	case search.Best:
		return "best match first"
	case search.Oldest:
		return "oldest first"
	case search.ByConversation:
		return "by conversation"
	}
	return "newest first"
}
