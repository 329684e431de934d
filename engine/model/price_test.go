package model_test

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/engine/model"
	"lcm-tui/engine/summarize"
)

// TestUnknownPriceIsNamed: what isn't known isn't zero, and what stands in the
// user's file is known.
func TestUnknownPriceIsNamed(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	folder := t.TempDir()
	at := filepath.Join(folder, "lcm-tui", "prices.json")
	e := env{"ANTHROPIC_API_KEY": secret, "XDG_CONFIG_HOME": folder}
	// A known model's price is the vendor's own, not that of another address.
	for _, name := range []string{"good", "claude-haiku-4-5"} {
		got, err := choose(t, model.Choice{Provider: "anthropic", Model: name, BaseURL: v.URL}, e, model.HostConfig{}).Summarize(t.Context(), request)
		if err != nil || got.Priced || got.Cost != 0 || estimatedCost(t, name, v.URL, e).Unpriced != 1 {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(`{"anthropic/claude-new": {"input": 2, "output": 20}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := choose(t, model.Choice{Provider: "anthropic", Model: "claude-new-20270101", BaseURL: v.URL}, e, model.HostConfig{}).Summarize(t.Context(), request)
	if err != nil || !got.Priced || got.Cost != 0.004 || estimatedCost(t, "claude-new", v.URL, e).Dollars != 0.004 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(at, []byte(`{"x": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := model.Choose(model.Choice{}, e.get, model.HostConfig{}); err == nil {
		t.Error("a broken file of prices passed")
	}
}

// estimatedCost is what a call would cost.
func estimatedCost(t *testing.T, name, base string, e env) summarize.Cost {
	t.Helper()
	m := choose(t, model.Choice{Provider: "anthropic", Model: name, BaseURL: base}, e, model.HostConfig{})
	return summarize.EstimateCost(m, summarize.Cost{Calls: 1, InputTokens: 1000, OutputTokens: 100})
}
