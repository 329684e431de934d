package retry_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/model/retry"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakevendor"
)

// two returns a first model and its fallback at one server, by what they do.
func two(v *fakevendor.Vendor, first, second string) summarize.Model {
	once := retry.Policy{Tries: 1, First: time.Millisecond}
	return retry.Chain(once, at(v, "anthropic", first, once, 0), at(v, "openai", second, once, 0))
}

// rooms returns the models that were asked, with the room they were given.
func rooms(v *fakevendor.Vendor) (out []string) {
	for _, h := range v.Hits() {
		room := h.Body["max_tokens"]
		if room == nil {
			room = h.Body["max_output_tokens"]
		}
		out = append(out, fmt.Sprint(h.Body["model"], " ", room))
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
		v := fakevendor.New(t)
		m := two(v, c.first, c.second)
		got, err := m.Summarize(t.Context(), fakevendor.Request)
		if !slices.Equal(rooms(v), c.want) || (err != nil) != c.fails || got.Calls != len(c.want) {
			t.Errorf("%s, %s: asked %q in %d calls (%v), want %q", c.first, c.second, rooms(v), got.Calls, err, c.want)
		}
		if c.fails && (!errors.Is(err, summarize.ErrIncomplete) || !errors.Is(err, summarize.ErrTokenLimitRaised)) {
			t.Errorf("%s, %s: %v", c.first, c.second, err)
		}
		if whole := strings.Repeat("something that was said at length ", 300); c.fails {
			v := fakevendor.New(t)
			r, err := summarize.Summarize(t.Context(), two(v, c.first, c.second), summarize.Job{Source: whole, TargetTokens: 500})
			if err == nil || r.Calls != len(c.want) || len(v.Hits()) != len(c.want) {
				t.Errorf("%s, %s: a summary took %d calls of %d (%v)", c.first, c.second, r.Calls, len(v.Hits()), err)
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
		v := fakevendor.New(t)
		m := two(v, c.first, c.second)
		_, _ = m.Summarize(t.Context(), fakevendor.Request)
		got, err := m.Summarize(t.Context(), fakevendor.Request)
		if errors.Is(err, summarize.ErrPermanent) != c.permanent || errors.Is(err, summarize.ErrAuth) != c.auth || len(v.Hits()) != c.hits {
			t.Errorf("%s, %s: %d requests, %v", c.first, c.second, len(v.Hits()), err)
		}
		if errors.Is(err, summarize.ErrNotAsked) != c.permanent || c.permanent && got.Calls != 0 {
			t.Errorf("%s, %s: the second call asked %d: %v", c.first, c.second, got.Calls, err)
		}
	}
}

// pausing is a model that isn't asked for a while.
type pausing struct{ summarize.Model }

func (pausing) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{}, fmt.Errorf("%w: %w", summarize.ErrLimit, summarize.ErrResting)
}

// TestAModelThatRestsLeavesOthersToAnswer: the next one is asked without a wait. What counts is its failure, as long as
// it may answer another call.
func TestAModelThatRestsLeavesOthersToAnswer(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		second          string
		fails           bool
		limit, resting  bool
		requests, calls int
	}{
		{"good", false, false, false, 1, 1},
		{"500", true, false, false, 1, 1},
		{"401", true, true, true, 1, 1},
	} {
		v := fakevendor.New(t)
		patient := retry.Policy{Tries: 1, First: time.Hour}
		first := pausing{at(v, "anthropic", "first", patient, 0)}
		got, err := retry.Chain(patient, first, at(v, "openai", c.second, patient, 0)).Summarize(t.Context(), fakevendor.Request)
		if (err != nil) != c.fails || errors.Is(err, summarize.ErrLimit) != c.limit || errors.Is(err, summarize.ErrResting) != c.resting || errors.Is(err, summarize.ErrPermanent) {
			t.Errorf("%s: %v", c.second, err)
		}
		if len(v.Hits()) != c.requests || got.Calls != c.calls {
			t.Errorf("%s: %d requests, %d calls", c.second, len(v.Hits()), got.Calls)
		}
	}
}

// TestALimitCountsTheCallsOfFallbacks, and ends them.
func TestALimitCountsTheCallsOfFallbacks(t *testing.T) {
	t.Parallel()
	v := fakevendor.New(t)
	m := summarize.Limit(two(v, "500", "good"), 1, 0)
	if got, err := m.Summarize(t.Context(), fakevendor.Request); !errors.Is(err, summarize.ErrLimit) || got.Calls != 1 || len(v.Hits()) != 1 {
		t.Errorf("%d requests, %+v, %v", len(v.Hits()), got, err)
	}
}
