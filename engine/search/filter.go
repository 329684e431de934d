package search

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// filterNames are the names of all filters.
var filterNames = []string{
	"in", "agent", "session", "role", "kind", "depth", "tool", "has", "file", "before", "after", "on", "is", "under", "id",
}

// filterChoices are the values of the filters that have a fixed set of them.
var filterChoices = map[string][]string{
	"role": {"user", "assistant", "tool", "system"},
	"kind": {"message", "summary", "leaf", "condensed", "part", "file", "focus"},
	"has":  {"file", "error", "marker", "parts"},
	"is":   {"context"},
}

// addFilter adds a filter to the query. It reports false, with a note, for what has to be
// searched as text.
func (p *parser) addFilter(t token) bool {
	switch {
	case !slices.Contains(filterNames, t.name) && len(t.values) == 0:
		return false // A word with a colon behind it.
	case !slices.Contains(filterNames, t.name):
		p.note("no such filter: %s (it is searched as text)", t.name)
		return false
	case len(t.values) == 0:
		p.note("%s: needs a value", t.name)
		return true
	}
	f := Filter{Name: t.name, Not: t.not}
	for _, v := range unique(t.values, func(v string) string { return v }) {
		if !p.addValue(&f, v) {
			p.note("%s: %q is %s; it is left out", f.Name, clipped(v), wrongValue(f.Name))
		}
	}
	if len(f.Values) > 0 {
		p.query.Filters = append(p.query.Filters, f)
	}
	return true
}

// wrongValue says why a filter doesn't take a value.
func wrongValue(name string) string {
	switch name {
	case "before", "after", "on":
		return "no date such as 2026-01-05, 7d or yesterday"
	case "depth":
		return "no depth such as 0, 2 or 0..2"
	case "under":
		return "no id of a summary"
	}
	return "none of " + strings.Join(filterChoices[name], ", ")
}

// addValue adds a value to a filter, if the filter takes it.
func (p *parser) addValue(f *Filter, v string) bool {
	if choices := filterChoices[f.Name]; choices != nil {
		if v = strings.ToLower(v); !slices.Contains(choices, v) {
			return false
		}
	}
	switch f.Name {
	case "before", "after", "on":
		span, ok := dateSpan(f.Name, v, p.Now, p.Location)
		if !ok {
			return false
		}
		f.Spans = append(f.Spans, span)
	case "depth":
		depths, ok := parseDepths(v)
		if !ok {
			return false
		}
		f.Depths = append(f.Depths, depths)
	case "under":
		if !strings.HasPrefix(v, "sum_") {
			return false
		}
	}
	f.Values = append(f.Values, v)
	return true
}

// dateSpan returns the span of time that a filter lets pass: before a date, from its beginning on,
// or the whole day, month or year.
func dateSpan(name, v string, now time.Time, in *time.Location) (TimeSpan, bool) {
	span, ok := parseDate(v, now, in)
	switch {
	case name == "before":
		return TimeSpan{Until: span.From}, ok
	case name == "after":
		return TimeSpan{From: span.From}, ok
	case span.From.Equal(span.Until): // An instant: its day.
		return dayOf(span.From.In(in), 0), ok
	}
	return span, ok
}

// parseDepths reads 2, 0..2, 1.. or ..2.
func parseDepths(v string) (DepthRange, bool) {
	const deepest = 1 << 30
	low, high, isRange := strings.Cut(v, "..")
	if !isRange {
		high = low
	}
	depth := func(s string, empty int64) (int64, bool) {
		if s == "" && isRange {
			return empty, true
		}
		n, err := strconv.ParseInt(s, 10, 32)
		return n, err == nil && n >= 0
	}
	least, ok := depth(low, 0)
	most, okToo := depth(high, deepest)
	return DepthRange{least, most}, ok && okToo && v != ".."
}
