package summarize_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/summarize"
)

// priced answers everything with the same words, for a dollar.
type priced struct{ calls int }

func (*priced) Name() string { return "test/priced" }

func (p *priced) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	p.calls++
	return summarize.Reply{Text: "in short", Model: p.Name(), InputTokens: 7, Cost: 1, Priced: true}, nil
}

func (*priced) Price(int64, int64) (float64, bool) { return 1, true }

// TestCallsThatALimitRefusesAreNoCalls: they are not counted, and have no price that
// would be unknown.
func TestCallsThatALimitRefusesAreNoCalls(t *testing.T) {
	t.Parallel()
	for name, limit := range map[string]func(summarize.Model) summarize.Model{
		"calls":   func(m summarize.Model) summarize.Model { return summarize.Limit(m, 1, 0) },
		"dollars": func(m summarize.Model) summarize.Model { return summarize.Limit(m, 0, 1.5) },
	} {
		asked := &priced{}
		m := limit(asked)
		job := summarize.Job{Source: strings.Repeat("what was said at length ", 50), TargetTokens: 100, Overage: 3}
		var cost summarize.Cost
		for n := range 6 {
			r, err := summarize.Summarize(t.Context(), m, job)
			if refused := n > 0; errors.Is(err, summarize.ErrLimit) != refused {
				t.Fatalf("%s, call %d: %v", name, n, err)
			}
			cost = cost.Plus(r.Cost)
		}
		if want := (summarize.Cost{Calls: 1, InputTokens: 7, Dollars: 1}); cost != want || asked.calls != 1 {
			t.Errorf("%s: %+v after %d calls, want %+v", name, cost, asked.calls, want)
		}
		if got := cost.Price(); got != "$1.0000" {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// TestNobodyIsAskedAfterAPermanentFailure: after any other the next call is made.
func TestNobodyIsAskedAfterAPermanentFailure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		err   error
		calls int // Of three.
	}{{nil, 3}, {errors.New("oops"), 3}, {summarize.ErrIncomplete, 3}, {summarize.ErrPermanent, 1}, {summarize.ErrAuth, 1}} {
		asked := &pricedModel{err: c.err}
		m := summarize.StopAfterPermanent(asked)
		for n := range 3 {
			_, err := m.Summarize(t.Context(), summarize.Request{})
			if !errors.Is(err, c.err) || errors.Is(err, summarize.ErrNotAsked) != (n >= c.calls) {
				t.Errorf("%v, call %d: %v", c.err, n, err)
			}
		}
		if asked.calls != c.calls {
			t.Errorf("%v: %d calls", c.err, asked.calls)
		}
	}
}

func TestLimitOfARate(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 15, 0, 0, 0, time.UTC)
	s := summarize.NewSpending(0, 0).LimitRate(2, 10*time.Minute, 30*time.Minute, func() time.Time { return now })
	for _, step := range []struct {
		after time.Duration
		made  bool
	}{{0, true}, {9 * time.Minute, true}, {2 * time.Minute, true}, {time.Minute, false}, {29 * time.Minute, false}, {time.Minute, true}, {0, true}, {0, false}} {
		now = now.Add(step.after)
		if err := s.Reserve(0); (err == nil) != step.made || err != nil && !errors.Is(err, summarize.ErrLimit) {
			t.Errorf("at %s: %v, want made %v", now.Format("15:04"), err, step.made)
		}
	}
}
