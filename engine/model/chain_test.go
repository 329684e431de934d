package model_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// TestFallbacks: where the model in force fails, those of fallbackProviders are
// asked in order, each with its own key; whoever names a model in flags gets that
// one only.
func TestFallbacks(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	host := model.HostConfig{
		Model: "anthropic/401", Fallbacks: []string{"nobody/at-all", "anthropic/401", "openai/good"},
		Endpoints: map[string]model.Endpoint{
			"anthropic": {BaseURL: v.URL, Key: model.NewSecret("key-of-anthropic")},
			"openai":    {BaseURL: v.URL, Key: model.NewSecret("key-of-openai")},
		},
	}
	quick := model.Choice{Retry: model.Retry{Tries: 1, First: time.Millisecond}}
	m := choose(t, quick, env{}, host)
	if m.Name() != "anthropic/401" {
		t.Errorf("the first is %s", m.Name())
	}
	got, err := m.Summarize(t.Context(), request)
	if err != nil || got.Model != "openai/good" || got.Text != summary {
		t.Fatalf("%+v, %v", got, err)
	}
	hits := v.hits()
	if len(hits) != 2 {
		t.Fatalf("%d requests", len(hits))
	}
	for i, want := range []string{"key-of-anthropic", "key-of-openai"} {
		header := strings.Join(append(hits[i].header["Authorization"], hits[i].header["X-Api-Key"]...), " ")
		if !strings.Contains(header, want) || strings.Count(header, "key-of-") != 1 {
			t.Errorf("request %d: the keys are %q", i, header)
		}
	}
	named := quick
	named.Provider = "anthropic"
	if _, err := choose(t, named, env{}, host).Summarize(t.Context(), request); err == nil {
		t.Error("a model that wasn't asked for answered")
	}
}

// TestFallbacksAllFail: the error is that of all.
func TestFallbacksAllFail(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	host := model.HostConfig{
		Model: "anthropic/401", Fallbacks: []string{"openai/401"},
		Endpoints: map[string]model.Endpoint{"anthropic": {BaseURL: v.URL}, "openai": {BaseURL: v.URL}},
	}
	c := model.Choice{Retry: model.Retry{Tries: 1, First: time.Millisecond}}
	_, err := choose(t, c, env{"ANTHROPIC_API_KEY": "a", "OPENAI_API_KEY": "o"}, host).Summarize(t.Context(), request)
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
	v := newVendor(t)
	host := model.HostConfig{
		Model: "anthropic/401", Fallbacks: []string{"openai/good"},
		Endpoints: map[string]model.Endpoint{"anthropic": {BaseURL: v.URL}, "openai": {BaseURL: v.URL}},
	}
	c := model.Choice{Retry: model.Retry{Tries: 1, First: time.Millisecond}}
	m := choose(t, c, env{"LCM_TUI_SUMMARY_API_KEY": "key-of-the-first"}, host)
	if _, err := m.Summarize(t.Context(), request); err != nil {
		t.Error(err)
	}
	for i, hit := range v.hits() {
		if i > 0 && strings.Contains(fmt.Sprint(hit.header), "key-of-the-first") {
			t.Errorf("the fallback was sent the key: %v", hit.header)
		}
	}
}
