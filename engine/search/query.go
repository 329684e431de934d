package search

import (
	"slices"
	"strings"
	"time"
)

// Query is what a user typed, taken apart. Every group has to match and no excluded term may.
type Query struct {
	Text     string // As it was typed.
	Groups   []Group
	Excluded []Term
	Filters  []Filter
	// Notes say what could not be understood and what was done with it, for the user.
	Notes []string

	options ParseOptions // With which it was read.
}

// Group has the terms between which OR stands: one of them has to match.
type Group []Term

// TermKind is how the text of a term is compared.
type TermKind int

// The kinds of term. A word matches as the search tables match it: whatever its ending, its
// case and its accents. A phrase is several words in a row, a prefix the beginning of a word.
const (
	Word TermKind = iota
	Phrase
	Prefix
	Regexp
)

// Term is one text that is searched.
type Term struct {
	Kind TermKind
	Text string // Without quotes, slashes or star.

	matcher matcher
}

// Filter is a condition on where a text stands, such as role:tool. One of its values has to
// hold, or none of them if Not is set.
type Filter struct {
	Name   string
	Not    bool
	Values []string
	Spans  []TimeSpan   // What the values of after, before and on stand for.
	Depths []DepthRange // What the values of depth stand for.
}

// TimeSpan is a span of time from From until before Until. A zero time is no limit.
type TimeSpan struct{ From, Until time.Time }

// Contains reports whether an instant lies in the span.
func (s TimeSpan) Contains(at time.Time) bool {
	return (s.From.IsZero() || !at.Before(s.From)) && (s.Until.IsZero() || at.Before(s.Until))
}

// DepthRange has the depths of summaries from Min to Max.
type DepthRange struct{ Min, Max int64 }

// IsEmpty reports whether the query asks for nothing.
func (q Query) IsEmpty() bool {
	return len(q.Groups) == 0 && len(q.Excluded) == 0 && len(q.Filters) == 0
}

// HasText reports whether the query asks for a text, and not only for rows that its filters
// take.
func (q Query) HasText() bool { return len(q.Groups) > 0 }

// filters returns those of the query with a name.
func (q Query) filters(name string) []Filter {
	return slices.DeleteFunc(slices.Clone(q.Filters), func(f Filter) bool { return f.Name != name })
}

// WithFilter returns the text of the query with one more filter, such as -in:2. A filter that is
// there already isn't added.
func (q Query) WithFilter(filter string) string {
	if slices.Contains(strings.Fields(q.Text), filter) {
		return q.Text
	}
	return strings.TrimSpace(q.Text + " " + filter)
}

// String returns the query in a form in which every detail of its meaning shows.
func (q Query) String() string {
	var parts []string
	for _, g := range q.Groups {
		parts = append(parts, g.String())
	}
	for _, t := range q.Excluded {
		parts = append(parts, "-"+t.String())
	}
	for _, f := range q.Filters {
		parts = append(parts, f.String())
	}
	return strings.Join(parts, " AND ")
}

// String returns the group as it could be typed.
func (g Group) String() string {
	var terms []string
	for _, t := range g {
		terms = append(terms, t.String())
	}
	return strings.Join(terms, " OR ")
}

// String returns the term as it could be typed.
func (t Term) String() string {
	switch t.Kind {
	case Phrase:
		return `"` + t.Text + `"`
	case Prefix:
		return t.Text + "*"
	case Regexp:
		return "/" + t.Text + "/"
	}
	return t.Text
}

// String returns the filter as it could be typed.
func (f Filter) String() string {
	var values []string
	for _, v := range f.Values {
		if strings.ContainsAny(v, " ,") {
			v = `"` + v + `"`
		}
		values = append(values, v)
	}
	text := f.Name + ":" + strings.Join(values, ",")
	if f.Not {
		text = "-" + text
	}
	return text
}
