package choose_test

import (
	"errors"
	"testing"

	"lcm-tui/engine/model"
	"lcm-tui/engine/model/choose"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
)

func TestToolModelRetriesAndFallsBack(t *testing.T) {
	t.Parallel()
	const good = `{"choices":[{"message":{"content":"Done."},"finish_reason":"stop"}]}`
	first := fakevendor.NewScript(t, "status 503", "status 401", good)
	second := fakevendor.NewScript(t, good, good)
	host := choose.HostConfig{
		Provider: "one", Model: "x", Fallbacks: []string{"two/y"},
		Endpoints: map[string]choose.Endpoint{"one": {BaseURL: first.URL}, "two": {BaseURL: second.URL}},
	}
	spending := summarize.NewSpending(3, 0) // One of the first model, two of the second.
	m, err := choose.ToolModel(choose.Choice{Retry: quick}, env{}.get, host, spending)
	if err != nil {
		t.Fatal(err)
	}
	r := model.ToolRequest{MaxTokens: 500, Messages: []model.Exchange{{Role: model.RoleUser, Text: "Which port?"}}}
	for i := range 2 { // The second time the first model isn't asked any more.
		got, err := m.CallWithTools(t.Context(), r)
		if err != nil || got.Model != "two/y" {
			t.Fatalf("call %d: %+v, %v", i+1, got, err)
		}
	}
	if len(first.Bodies()) != 2 || len(second.Bodies()) != 2 {
		t.Errorf("%d and %d requests, want 2 and 2", len(first.Bodies()), len(second.Bodies()))
	}
	if _, err := m.CallWithTools(t.Context(), r); !errors.Is(err, summarize.ErrLimit) {
		t.Errorf("a call beyond the limit: %v", err)
	}
}

func TestToolModelIsOneOverHTTP(t *testing.T) {
	t.Parallel()
	for _, provider := range []string{model.Extractive, model.Exec} {
		c := choose.Choice{Provider: provider}
		if provider == model.Exec {
			c.Exec = "cat"
		}
		if _, err := choose.ToolModel(c, env{"PATH": "/bin:/usr/bin"}.get, choose.HostConfig{}, nil); err == nil {
			t.Errorf("the provider %s was taken for one that calls tools", provider)
		}
	}
}
