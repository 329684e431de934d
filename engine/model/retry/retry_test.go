package retry_test

import (
	"context"
	"errors"
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
