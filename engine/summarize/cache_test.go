package summarize_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lcm-tui/engine/summarize"
)

// pricedModel is a model that counts what it is asked.
type pricedModel struct {
	calls int
	err   error
}

func (d *pricedModel) Name() string { return "test/priced" }

func (d *pricedModel) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	d.calls++
	return summarize.Reply{Text: "an answer", Model: d.Name(), InputTokens: 9, Cost: 1, Priced: true}, d.err
}

// Price returns a cent for a thousand tokens of either kind, up to a million.
func (d *pricedModel) Price(in, out int64) (float64, bool) { return float64(in+out) / 1e5, in < 1e6 }

// TestEstimateCost: what calls would cost is known where the model's price is, also
// behind what keeps its answers.
func TestEstimateCost(t *testing.T) {
	t.Parallel()
	cached, err := summarize.Cache(&pricedModel{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	keptUnknown, err := summarize.Cache(&scripted{}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	calls := summarize.Cost{Calls: 3, InputTokens: 900, OutputTokens: 100, Dollars: 7}
	for _, c := range []struct {
		m    summarize.Model
		in   int64
		want string
	}{
		{&pricedModel{}, 900, "$0.0100"},
		{cached, 900, "$0.0100"},
		{cached, 1e6, "unknown: no price is known of the model"},
		{keptUnknown, 900, "unknown: no price is known of the model"},
		{nil, 900, "unknown: no price is known of the model"},
	} {
		calls.InputTokens = c.in
		if got := summarize.EstimateCost(c.m, calls).Price(); got != c.want {
			t.Errorf("%T of %d: %q, not %q", c.m, c.in, got, c.want)
		}
	}
}

func TestRemember(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "answers")
	d := &pricedModel{err: errors.New("overloaded")}
	m, err := summarize.Cache(d, folder)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(source string) (summarize.Reply, error) {
		return m.Summarize(t.Context(), summarize.Request{Source: source, Prompt: "p"})
	}
	if _, err := ask("a"); err == nil {
		t.Error("a failure was swallowed")
	}
	d.err = nil
	first, err := ask("a")
	if err != nil || first.Cost != 1 || d.calls != 2 {
		t.Errorf("%+v, %v after %d calls", first, err, d.calls)
	}
	again, err := ask("a")
	if err != nil || again.Text != first.Text || again.Model != first.Model || again.Cost != 0 || d.calls != 2 {
		t.Errorf("%+v, %v after %d calls", again, err, d.calls)
	}
	if _, err := ask("b"); err != nil || d.calls != 3 {
		t.Errorf("another request: %v after %d calls", err, d.calls)
	}
	files, err := filepath.Glob(filepath.Join(folder, "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	for _, f := range files {
		info, err := os.Stat(f)
		if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", f, info.Mode(), err)
		}
	}
	if err := os.WriteFile(files[0], []byte("{half"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().AddDate(0, -1, 0)
	if err := os.Chtimes(files[1], old, old); err != nil {
		t.Fatal(err)
	}
	if m, err = summarize.Cache(d, folder); err != nil {
		t.Fatal(err)
	}
	for _, source := range []string{"a", "b"} {
		if _, err := ask(source); err != nil {
			t.Error(err)
		}
	}
	if d.calls != 5 {
		t.Errorf("a damaged and an old answer were taken: %d calls", d.calls)
	}
}

func TestPriceSaysWhatIsUnknown(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]summarize.Cost{
		"nothing": {},
		"$0.0125": {Calls: 2, Dollars: 0.0125},
		"unknown: no price is known of the model": {Calls: 2, Unpriced: 2},
		"$0.5000, and 1 calls of unknown price":   {Calls: 3, Unpriced: 1, Dollars: 0.5},
	} {
		if got := c.Price(); got != want {
			t.Errorf("%+v costs %q, not %q", c, got, want)
		}
	}
}

// TestWhatIsNoSummaryIsNotKept: an answer that can't stand for its source is asked for
// again by the next run; one that led to a summary by a second call is cached.
func TestWhatIsNoSummaryIsNotKept(t *testing.T) {
	t.Parallel()
	source := strings.Repeat("what was said at length ", 50)
	job := summarize.Job{Source: source, TargetTokens: 100, Overage: 3}
	for name, c := range map[string]struct {
		answers []string // One after the other, the last for ever.
		calls   int      // Of two runs.
		fails   bool
	}{
		"a summary":           {[]string{"in short"}, 1, false},
		"too long at first":   {[]string{source + source, "in short"}, 2, false},
		"too long":            {[]string{source + source}, 4, true},
		"the source":          {[]string{source}, 4, true},
		"a marked one":        {[]string{"so\n[Truncated from 99 tokens]"}, 4, true},
		"nothing but thought": {[]string{"<think>so</think>"}, 2, true},
	} {
		m := &sayings{answers: c.answers}
		cached, err := summarize.Cache(m, t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		for run := range 2 {
			r, err := summarize.Summarize(t.Context(), cached, job)
			if (err != nil) != c.fails {
				t.Errorf("%s: %v", name, err)
			}
			if run == 1 && !c.fails && (r.Calls != 0 || r.Cached != c.calls || r.Dollars != 0) {
				t.Errorf("%s, again: %+v", name, r.Cost)
			}
		}
		if m.calls != c.calls {
			t.Errorf("%s: %d calls, want %d", name, m.calls, c.calls)
		}
	}
}

// sayings is a model that gives its answers in order.
type sayings struct {
	answers []string
	calls   int
}

func (*sayings) Name() string { return "test/sayings" }

func (s *sayings) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	s.calls++
	return summarize.Reply{Text: s.answers[min(s.calls, len(s.answers))-1], Model: s.Name()}, nil
}
