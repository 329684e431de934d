package ask

import (
	"errors"
	"math"
	"testing"
	"time"
)

// testGrant allows conversations 1 and 2 and two summaries, at a time that the test moves.
func testGrant() (*Grant, *time.Time) {
	now := time.Date(2026, 1, 2, 15, 0, 0, 0, time.UTC)
	g := NewGrant("0123456789abcdef", "main", func() time.Time { return now }, 1, 2)
	g.Summaries = []string{"sum_a", "sum_b"}
	return g, &now
}

func TestGrantRefusesInOrder(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change       func(g *Grant, now *time.Time)
		none         bool
		conversation int64
		summaries    []string
		want         Refusal
		says         string
	}{
		"there is none":                {none: true, conversation: 1, want: RefusedUnknown, says: "there is no grant for this call"},
		"revoked":                      {change: func(g *Grant, _ *time.Time) { g.Revoke() }, conversation: 1, want: RefusedRevoked, says: "the grant grant_0123456789ab was revoked"},
		"revoked before it is expired": {change: func(g *Grant, now *time.Time) { g.Revoke(); *now = now.Add(time.Hour) }, conversation: 9, want: RefusedRevoked, says: "the grant grant_0123456789ab was revoked"},
		"expired":                      {change: func(_ *Grant, now *time.Time) { *now = now.Add(5 * time.Minute) }, conversation: 1, want: RefusedExpired, says: "the grant grant_0123456789ab has expired"},
		"expired before outside":       {change: func(_ *Grant, now *time.Time) { *now = now.Add(time.Hour) }, conversation: 9, want: RefusedExpired, says: "the grant grant_0123456789ab has expired"},
		"another conversation":         {conversation: 3, want: RefusedConversation, says: "conversation 3 is outside of the delegated conversation scope"},
		"conversation before summary":  {conversation: 3, summaries: []string{"sum_x"}, want: RefusedConversation, says: "conversation 3 is outside of the delegated conversation scope"},
		"a summary of several":         {conversation: 1, summaries: []string{"sum_a", "sum_x", "sum_y"}, want: RefusedSummary, says: "sum_x, sum_y is outside of the summaries that the grant allows"},
		"allowed":                      {conversation: 2, summaries: []string{"sum_b"}},
		"one second before the end":    {change: func(_ *Grant, now *time.Time) { *now = now.Add(5*time.Minute - time.Second) }, conversation: 1},
	} {
		g, now := testGrant()
		if c.change != nil {
			c.change(g, now)
		}
		if c.none {
			g = nil
		}
		err := g.Check(c.conversation, c.summaries...)
		var refused *RefusalError
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", name, err)
		case c.want != "" && (!errors.As(err, &refused) || refused.Reason != c.want || refused.Error() != c.says):
			t.Errorf("%s: %v, want %s: %s", name, err, c.want, c.says)
		}
	}
}

func TestGrantWithoutSummariesAllowsAllOfItsConversations(t *testing.T) {
	t.Parallel()
	g, _ := testGrant()
	g.Summaries = nil
	if err := g.Check(1, "sum_any"); err != nil {
		t.Error(err)
	}
}

func TestGrantUsesUpItsTokensOverCalls(t *testing.T) {
	t.Parallel()
	g, _ := testGrant()
	for _, step := range []struct {
		tokens          float64
		consumed, asked int64
		clamped         int64
	}{
		{1000.9, 1000, 0, 3000},
		{-5, 1000, 5000, 3000},
		{math.NaN(), 1000, 200, 200},
		{2999, 3999, 4000, 1},
		{0.9, 3999, 4000, 1},
		{math.Inf(1), 4000, 4000, 0},
		{10, 4000, 1, 0},
	} {
		g.Consume(step.tokens)
		if g.Consumed() != step.consumed || g.ClampTokens(step.asked) != step.clamped {
			t.Errorf("after %v: consumed %d, a call may take %d; want %d and %d", step.tokens, g.Consumed(), g.ClampTokens(step.asked), step.consumed, step.clamped)
		}
	}
	var refused *RefusalError
	if err := g.CheckBudget(); !errors.As(err, &refused) || refused.Reason != RefusedBudget {
		t.Errorf("with no token left: %v", err)
	}
}

func TestGrantClampsDepth(t *testing.T) {
	t.Parallel()
	g, _ := testGrant()
	for asked, want := range map[int64]int64{-1: 3, 0: 3, 1: 1, 3: 3, 10: 3} {
		if got := g.ClampDepth(asked); got != want {
			t.Errorf("depth %d is clamped to %d, want %d", asked, got, want)
		}
	}
}

func TestChildGrantHasLess(t *testing.T) {
	t.Parallel()
	g, _ := testGrant()
	g.Consume(3500)
	child, err := g.Child("fedcba9876543210", "child", 4000)
	if err != nil {
		t.Fatal(err)
	}
	if child.MaxDepth != 2 || child.TokenCap != 500 || len(child.Conversations) != 2 || len(child.Summaries) != 2 || child.Issuer != "child" {
		t.Errorf("child: %+v", child)
	}
	if small, err := g.Child("fedcba9876543210", "child", 100); err != nil || small.TokenCap != 100 {
		t.Errorf("child with a lower setting: %d tokens, %v", small.TokenCap, err)
	}
	g.Consume(500)
	if _, err := g.Child("fedcba9876543210", "child", 4000); err == nil {
		t.Error("a grant without tokens gave a child")
	}
	g.Revoke()
	var refused *RefusalError
	if _, err := g.Child("fedcba9876543210", "child", 4000); !errors.As(err, &refused) || refused.Reason != RefusedRevoked {
		t.Errorf("child of a revoked grant: %v", err)
	}
}
