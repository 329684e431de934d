package choose_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
)

// TestFallbacks: where the model in force fails, those of fallbackProviders are
// asked in order, each with its own key; whoever names a model in flags gets that
// one only.
func TestFallbacks(t *testing.T) {
	t.Parallel()
	v := fakevendor.New(t)
	host := choose.HostConfig{
		Model: "anthropic/401", Fallbacks: []string{"nobody/at-all", "anthropic/401", "openai/good"},
		Endpoints: map[string]choose.Endpoint{
			"anthropic": {BaseURL: v.URL, Key: model.NewSecret("key-of-anthropic")},
			"openai":    {BaseURL: v.URL, Key: model.NewSecret("key-of-openai")},
		},
	}
	once := choose.Choice{Retry: retry.Policy{Tries: 1, First: time.Millisecond}}
	m := chosen(t, once, env{}, host)
	if m.Name() != "anthropic/401" {
		t.Errorf("the first is %s", m.Name())
	}
	got, err := m.Summarize(t.Context(), fakevendor.Request)
	if err != nil || got.Model != "openai/good" || got.Text != fakevendor.Summary {
		t.Fatalf("%+v, %v", got, err)
	}
	hits := v.Hits()
	if len(hits) != 2 {
		t.Fatalf("%d requests", len(hits))
	}
	for i, want := range []string{"key-of-anthropic", "key-of-openai"} {
		header := strings.Join(append(hits[i].Header["Authorization"], hits[i].Header["X-Api-Key"]...), " ")
		if !strings.Contains(header, want) || strings.Count(header, "key-of-") != 1 {
			t.Errorf("request %d: the keys are %q", i, header)
		}
	}
	named := once
	named.Provider = "anthropic"
	if _, err := chosen(t, named, env{}, host).Summarize(t.Context(), fakevendor.Request); err == nil {
		t.Error("a model that wasn't asked for answered")
	}
}

// TestFallbacksAllFail: the error is that of all.
func TestFallbacksAllFail(t *testing.T) {
	t.Parallel()
	v := fakevendor.New(t)
	host := choose.HostConfig{
		Model: "anthropic/401", Fallbacks: []string{"openai/401"},
		Endpoints: map[string]choose.Endpoint{"anthropic": {BaseURL: v.URL}, "openai": {BaseURL: v.URL}},
	}
	c := choose.Choice{Retry: retry.Policy{Tries: 1, First: time.Millisecond}}
	_, err := chosen(t, c, env{"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}, host).Summarize(t.Context(), fakevendor.Request)
	if err == nil || !strings.Contains(err.Error(), "ask anthropic") || !strings.Contains(err.Error(), "ask openai") {
		t.Error(err)
	}
	if !errors.Is(err, summarize.ErrAuth) {
		t.Errorf("%v is not about a key", err)
	}
}

// TestAKeyOfTheFirstIsNotForItsFallback: a key without a vendor's name belongs to
// the model in force.
func TestAKeyOfTheFirstIsNotForItsFallback(t *testing.T) {
	t.Parallel()
	v := fakevendor.New(t)
	host := choose.HostConfig{
		Model: "anthropic/401", Fallbacks: []string{"openai/good"},
		Endpoints: map[string]choose.Endpoint{"anthropic": {BaseURL: v.URL}, "openai": {BaseURL: v.URL}},
	}
	c := choose.Choice{Retry: retry.Policy{Tries: 1, First: time.Millisecond}}
	m := chosen(t, c, env{"LCM_TUI_SUMMARY_API_KEY": "key-of-the-first"}, host)
	if _, err := m.Summarize(t.Context(), fakevendor.Request); err != nil {
		t.Error(err)
	}
	for i, hit := range v.Hits() {
		if i > 0 && strings.Contains(fmt.Sprint(hit.Header), "key-of-the-first") {
			t.Errorf("the fallback was sent the key: %v", hit.Header)
		}
	}
}
