package search

import (
	"context"
	"errors"
	"strings"
	"testing"

	"lcm-tui/internal/parallel"
)

// longText is more than is read to show a hit, without any of the words that the tests look for.
var longText = strings.Repeat("the quick brown fox jumps 0123456789\n", 300<<10/37)

func parsed(t *testing.T, query string) Query {
	t.Helper()
	q := Parse(query, ParseOptions{})
	if len(q.Groups) != 1 || q.Groups[0][0].Kind != Regexp {
		t.Fatalf("%s isn't an expression: %+v", query, q)
	}
	return q
}

// TestExpressionsEndWithTheContext: a search of a very long text ends with its context, and doesn't reach the end of the text then.
func TestExpressionsEndWithTheContext(t *testing.T) {
	t.Parallel()
	q, text := parsed(t, `/[a-z]+\d{5}(x|y)z/`), longText+"fox12345xz"
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if q.matches(ended, text) || !q.matches(t.Context(), text) {
		t.Errorf("found with a context that ended: %t, else: %t", q.matches(ended, text), q.matches(t.Context(), text))
	}
}

// TestExpressionsInLongTexts: a long text has the matches that a short one has.
func TestExpressionsInLongTexts(t *testing.T) {
	t.Parallel()
	for query, ends := range map[string]map[string]bool{
		`/needle/`:         {"needle": true, "NEEDLE": true, "need": false},
		`/Needle\d/`:       {"Needle7": true, "needle7": false},
		`/needle\d$/`:      {"needle7": true, "needle7x": false},
		`/^needle/`:        {"\nneedle": true, "a needle": false},
		`/\bneedle\b/`:     {"a needle.": true, "aneedle": false},
		`/\Athe quick/`:    {"": true},
		`/\Aquick/`:        {"": false},
		`/(nee|pin)dle\z/`: {"pindle": true, "pindle\n": false},
		`/ſ.needle/`:       {"ſ needle": true},
	} {
		q := parsed(t, query)
		for end, want := range ends {
			if got := q.Matches(longText + end); got != want {
				t.Errorf("%s in %q: %v", query, end, got)
			}
		}
	}
}

// brokenMatcher panics.
type brokenMatcher struct{}

func (brokenMatcher) find(string, int) (Span, bool) { panic("broken") }
func (brokenMatcher) each(string, func(Span) bool)  {}

// TestPanicInALongText: it comes to who searches, who can handle it.
func TestPanicInALongText(t *testing.T) {
	t.Parallel()
	r := &run{query: Query{Groups: []Group{{{matcher: brokenMatcher{}}}}}}
	err := parallel.Call(func() error {
		r.matches(t.Context(), longText)
		return nil
	})
	if caught := new(parallel.PanicError); !errors.As(err, &caught) || caught.Value != "broken" {
		t.Errorf("it is %v", err)
	}
}
