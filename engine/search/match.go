package search

import (
	"context"
	"slices"

	"lcm-tui/data/textsearch"
)

// maxMatches is how many matches of a term are marked in one text.
const maxMatches = 1000

// Matches reports whether a text has every group of the query and none of its excluded terms.
// It doesn't look at filters.
func (q Query) Matches(text string) bool { return q.matches(context.Background(), text) }

// matches works as Matches. Once the context ended, its answer for a very long text may be wrong.
func (q Query) matches(ctx context.Context, text string) bool {
	for _, g := range q.Groups {
		if !slices.ContainsFunc(g, func(t Term) bool { return t.matches(ctx, text) }) {
			return false
		}
	}
	return !slices.ContainsFunc(q.Excluded, func(t Term) bool { return t.matches(ctx, text) })
}

func (t Term) matches(ctx context.Context, text string) bool {
	if m, ok := t.matcher.(regexpMatcher); ok && len(text) > textsearch.MaxTextBytes {
		return m.matchesLong(ctx, text)
	}
	_, ok := t.matcher.find(text, 0)
	return ok
}

// Highlight returns where the matches are in a text, in order and without overlaps. Of a term with
// very many it has the first ones.
func (q Query) Highlight(text string) []Span {
	var all []Span
	for _, g := range q.Groups {
		for _, t := range g {
			n := 0
			t.matcher.each(text, func(s Span) bool {
				if s.To > s.From {
					all = append(all, s)
				}
				n++
				return n < maxMatches
			})
		}
	}
	slices.SortFunc(all, func(a, b Span) int {
		if a.From != b.From {
			return a.From - b.From
		}
		return b.To - a.To
	})
	out := all[:0]
	for _, s := range all {
		if n := len(out); n > 0 && s.From < out[n-1].To {
			out[n-1].To = max(out[n-1].To, s.To)
			continue
		}
		out = append(out, s)
	}
	return out
}
