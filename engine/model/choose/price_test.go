package choose_test

import (
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
)

// TestUnknownPriceIsNamed: what isn't known isn't zero, and what stands in the
// user's file is known.
func TestUnknownPriceIsNamed(t *testing.T) {
	t.Parallel()
	v := fakevendor.New(t)
	folder := t.TempDir()
	at := filepath.Join(folder, "lcm-tui", "prices.json")
	e := env{"ANTHROPIC_API_KEY": keyText, "XDG_CONFIG_HOME": folder}
	// A known model's price is the vendor's own, not that of another address.
	for _, name := range []string{"good", "claude-haiku-4-5"} {
		got, err := chosen(t, choose.Choice{Provider: "anthropic", Model: name, BaseURL: v.URL}, e, choose.HostConfig{}).Summarize(t.Context(), fakevendor.Request)
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
	got, err := chosen(t, choose.Choice{Provider: "anthropic", Model: "claude-new-20270101", BaseURL: v.URL}, e, choose.HostConfig{}).Summarize(t.Context(), fakevendor.Request)
	if err != nil || !got.Priced || got.Cost != 0.004 || estimatedCost(t, "claude-new", v.URL, e).Dollars != 0.004 {
		t.Errorf("%+v, %v", got, err)
	}
	if err := os.WriteFile(at, []byte(`{"x": 1}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := choose.Model(choose.Choice{}, e.get, choose.HostConfig{}); err == nil {
		t.Error("a broken file of prices passed")
	}
}

// estimatedCost returns what a call would cost.
func estimatedCost(t *testing.T, name, base string, e env) summarize.Cost {
	t.Helper()
	m := chosen(t, choose.Choice{Provider: "anthropic", Model: name, BaseURL: base}, e, choose.HostConfig{})
	return summarize.EstimateCost(m, summarize.Cost{Calls: 1, InputTokens: 1000, OutputTokens: 100})
}
