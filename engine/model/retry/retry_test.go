package retry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/model/wire"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
)

// at makes a model of a vendor, by what it does, in one of the formats.
func at(v *fakevendor.Vendor, provider, does string, p retry.Policy, timeout time.Duration) summarize.Model {
	api := wire.Messages
	if provider == "openai" {
		api = wire.Responses
	}
	return retry.Summaries(wire.New(wire.Server{Provider: provider, Model: does, API: api, BaseURL: v.URL}), retry.Options{
		Name: provider + "/" + does, Provider: provider, Identity: func() string { return v.URL }, Timeout: timeout, Policy: p,
		Price: func(int64, int64) (float64, bool) { return 0, false },
	})
}

// TestCancelEndsWaiting: the wait between two tries isn't sat out.
func TestCancelEndsWaiting(t *testing.T) {
	t.Parallel()
	m := at(fakevendor.New(t), "anthropic", "429", retry.Policy{First: time.Hour}, 0)
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := m.Summarize(ctx, fakevendor.Request); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestTimeout(t *testing.T) {
	t.Parallel()
	for _, provider := range []string{"anthropic", "openai"} {
		v := fakevendor.New(t)
		_, err := at(v, provider, "hang", retry.Policy{}, 30*time.Millisecond).Summarize(t.Context(), fakevendor.Request)
		var e *model.Error
		if !errors.As(err, &e) || e.Kind != model.KindTimeout || len(v.Hits()) > 1 {
			t.Errorf("%s: %v after %d calls", provider, err, len(v.Hits()))
		}
	}
}

// saying answers with what it is asked to summarize, or with the text in the place of that, and notes how it is asked.
type saying struct {
	instead string
	modes   []summarize.Mode
}

func (s *saying) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	s.modes = append(s.modes, r.Mode)
	if s.instead != "" {
		return summarize.Reply{Text: s.instead}, nil
	}
	return summarize.Reply{Text: r.Source}, nil
}

// TestAnEchoOfAMarkedSourceIsNoMarkedAnswer: it is as long as its source, so that another of its kind isn't paid for.
func TestAnEchoOfAMarkedSourceIsNoMarkedAnswer(t *testing.T) {
	t.Parallel()
	source := strings.Repeat("what was said at length ", 30) + "\n[Capped from 900 tokens to ~180]"
	for _, c := range []struct {
		instead string
		want    []summarize.Mode
	}{
		{"", []summarize.Mode{summarize.Normal, summarize.Aggressive}},
		{"short\n[Capped from 900 tokens to ~180]", []summarize.Mode{summarize.Normal, summarize.Normal}},
	} {
		one := &saying{instead: c.instead}
		m := retry.Summaries(one, retry.Options{
			Name: "exec/p", Identity: func() string { return "p" }, Price: func(int64, int64) (float64, bool) { return 0, false }, Policy: retry.Policy{Tries: 1},
		})
		_, _ = summarize.Summarize(t.Context(), m, summarize.Job{Source: source, TargetTokens: 500})
		if !slices.Equal(one.modes, c.want) {
			t.Errorf("%.10q was asked for by %q, want %q", c.instead, one.modes, c.want)
		}
	}
}

// TestASummaryHasNoNUL: a host on Node 22 reads a stored text only up to one.
func TestASummaryHasNoNUL(t *testing.T) {
	t.Parallel()
	m := retry.Summaries(&saying{instead: "first\x00second\xff"}, retry.Options{
		Name: "exec/p", Identity: func() string { return "p" }, Price: func(int64, int64) (float64, bool) { return 0, false }, Policy: retry.Policy{Tries: 1},
	})
	got, err := m.Summarize(t.Context(), summarize.Request{Source: strings.Repeat("what was said at length ", 30)})
	if want := "first\ufffdsecond\ufffd"; err != nil || got.Text != want {
		t.Errorf("%q, %v, want %q", got.Text, err, want)
	}
}
