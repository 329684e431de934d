package model_test

import (
	"errors"
	"fmt"
	"slices"
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

// two are a first model and its fallback at one server, by what they do.
func two(t *testing.T, v *vendor, first, second string) summarize.Model {
	t.Helper()
	host := model.HostConfig{
		Model: "anthropic/" + first, Fallbacks: []string{"openai/" + second},
		Endpoints: map[string]model.Endpoint{"anthropic": {BaseURL: v.URL}, "openai": {BaseURL: v.URL}},
	}
	return choose(t, model.Choice{Retry: model.Retry{Tries: 1, First: time.Millisecond}}, env{}, host)
}

// rooms are the models that were asked, with the room they were given.
func rooms(v *vendor) (out []string) {
	for _, h := range v.hits() {
		room := h.body["max_tokens"]
		if room == nil {
			room = h.body["max_output_tokens"]
		}
		out = append(out, fmt.Sprint(h.body["model"], " ", room))
	}
	return out
}

// TestMoreRoomBeforeTheNextModel: a model whose answer isn't complete is given more room
// before another has its turn, and nobody is asked a third time.
func TestMoreRoomBeforeTheNextModel(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second string
		want          []string
		fails         bool
	}{
		{"max", "good", []string{"max 2348", "max 4696", "good 2348"}, false},
		{"small", "good", []string{"small 2348", "small 4696"}, false},
		{"500", "max", []string{"500 2348", "max 2348", "max 4696"}, true},
		{"max", "blank", []string{"max 2348", "max 4696", "blank 2348", "blank 4696"}, true},
	} {
		v := newVendor(t)
		m := two(t, v, c.first, c.second)
		got, err := m.Summarize(t.Context(), request)
		if !slices.Equal(rooms(v), c.want) || (err != nil) != c.fails || got.Calls != len(c.want) {
			t.Errorf("%s, %s: asked %q in %d calls (%v), want %q", c.first, c.second, rooms(v), got.Calls, err, c.want)
		}
		if c.fails && (!errors.Is(err, summarize.ErrIncomplete) || !errors.Is(err, summarize.ErrTokenLimitRaised)) {
			t.Errorf("%s, %s: %v", c.first, c.second, err)
		}
		if whole := strings.Repeat("something that was said at length ", 300); c.fails {
			v := newVendor(t)
			r, err := summarize.Summarize(t.Context(), two(t, v, c.first, c.second), summarize.Job{Source: whole, TargetTokens: 500})
			if err == nil || r.Calls != len(c.want) || len(v.hits()) != len(c.want) {
				t.Errorf("%s, %s: a summary took %d calls of %d (%v)", c.first, c.second, r.Calls, len(v.hits()), err)
			}
		}
	}
}

// TestAFailureIsPermanentOnlyIfNobodyCanAnswer: a refused key of one and a hiccup of the
// other isn't the end; one that failed for good isn't asked again.
func TestAFailureIsPermanentOnlyIfNobodyCanAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		first, second   string
		permanent, auth bool
		hits            int // Of two calls.
	}{
		{"401", "500", false, false, 3},
		{"401", "429", false, false, 3},
		{"500", "401", false, false, 3},
		{"500", "529", false, false, 4},
		{"401", "quota", true, true, 2},
		{"quota", "404", true, false, 2},
		{"quota", "good", false, false, 3},
	} {
		v := newVendor(t)
		m := two(t, v, c.first, c.second)
		_, _ = m.Summarize(t.Context(), request)
		got, err := m.Summarize(t.Context(), request)
		if errors.Is(err, summarize.ErrPermanent) != c.permanent || errors.Is(err, summarize.ErrAuth) != c.auth || len(v.hits()) != c.hits {
			t.Errorf("%s, %s: %d requests, %v", c.first, c.second, len(v.hits()), err)
		}
		if errors.Is(err, summarize.ErrNotAsked) != c.permanent || c.permanent && got.Calls != 0 {
			t.Errorf("%s, %s: the second call asked %d: %v", c.first, c.second, got.Calls, err)
		}
	}
}

// TestALimitCountsTheCallsOfFallbacks, and ends them.
func TestALimitCountsTheCallsOfFallbacks(t *testing.T) {
	t.Parallel()
	v := newVendor(t)
	m := summarize.Limit(two(t, v, "500", "good"), 1, 0)
	if got, err := m.Summarize(t.Context(), request); !errors.Is(err, summarize.ErrLimit) || got.Calls != 1 || len(v.hits()) != 1 {
		t.Errorf("%d requests, %+v, %v", len(v.hits()), got, err)
	}
}
