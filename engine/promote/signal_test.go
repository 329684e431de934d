package promote_test

import (
	"slices"
	"testing"

	"lcm-tui/engine/promote"
)

// TestSignals: each of lossless-claude's signals, at its bounds.
func TestSignals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		summary promote.Summary
		want    []string
	}{
		{promote.Summary{Text: "Nothing of note was said."}, nil},
		{promote.Summary{Text: "We DECIDED on it."}, []string{promote.Decision}},
		{promote.Summary{Text: "They are going with Postgres; the root cause is known."}, []string{promote.Decision, promote.Fix}},
		{promote.Summary{Text: "a workaround"}, []string{promote.Fix}},
		{promote.Summary{Text: "see src/db/config.ts now"}, []string{promote.Architecture}},
		{promote.Summary{Text: "the QueryEngine is slow"}, []string{promote.Architecture}},
		{promote.Summary{Text: "an interface Store was added"}, []string{promote.Architecture}},
		{promote.Summary{Text: "the client's engine"}, nil},
		{promote.Summary{Text: "plain", Depth: 1}, nil},
		{promote.Summary{Text: "plain", Depth: 2}, []string{promote.Depth}},
		{promote.Summary{Text: "plain", Tokens: 29, SourceTokens: 100}, []string{promote.Compressed}},
		{promote.Summary{Text: "plain", Tokens: 30, SourceTokens: 100}, nil},
		{promote.Summary{Text: "plain", Tokens: 30}, nil},
		{promote.Summary{Text: "agreed, fixed, class Foo", Depth: 3, Tokens: 1, SourceTokens: 9}, []string{promote.Decision, promote.Fix, promote.Architecture, promote.Depth, promote.Compressed}},
	} {
		if got := promote.Signals(c.summary); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.summary, got, c.want)
		}
	}
	for n, want := range map[int]float64{0: 0, 1: 0.25, 4: 1, 5: 1} {
		if got := promote.Confidence(n); got != want {
			t.Errorf("%d signals: %v", n, got)
		}
	}
}
