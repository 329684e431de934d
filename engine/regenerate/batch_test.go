package regenerate_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// scribe is a model that says which depth it was asked for, and remembers what it was
// shown.
type scribe struct {
	mu    sync.Mutex
	shown []summarize.Request
	fails string // A request that shows this fails.
}

func (*scribe) Name() string { return "test/scribe" }

func (s *scribe) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.shown = append(s.shown, r)
	if s.fails != "" && strings.Contains(r.Source, s.fails) {
		return summarize.Reply{}, errors.New("no")
	}
	return summarize.Reply{Text: strings.Repeat("regenerated ", r.Depth+1), Model: s.Name()}, nil
}

// batch returns one over all summaries of the sample's first conversation.
func batch(t *testing.T, s *scribe) *regenerate.Batch {
	t.Helper()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	g, err := lineage.Load(t.Context(), db, 1, data.WholeText)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, n := range g.Nodes() {
		ids = append(ids, n.ID)
	}
	return &regenerate.Batch{
		Options: regenerate.Options{Model: s, Ask: true, Jobs: 4, Job: summarize.Job{Overage: 3}, LeafTarget: 2400, CondensedTarget: 2000},
		DB:      db, Graph: g, Nodes: g.BottomUp(ids...), Texts: map[string]regenerate.Text{},
	}
}

func noReport(int, int, string) {}

// TestWhatIsAboveIsMadeOfNewTexts: a condensed summary waits for its sources.
func TestWhatIsAboveIsMadeOfNewTexts(t *testing.T) {
	t.Parallel()
	s := &scribe{}
	b := batch(t, s)
	if err := b.Generate(t.Context(), noReport); err != nil {
		t.Fatal(err)
	}
	if len(b.Texts) != len(b.Nodes) || len(b.Failures) != 0 {
		t.Fatalf("%d of %d are made, %d failed", len(b.Texts), len(b.Nodes), len(b.Failures))
	}
	condensed := 0
	for _, r := range s.shown {
		if r.Kind != "condensed" {
			continue
		}
		condensed++
		if !strings.Contains(r.Source, "regenerated") {
			t.Errorf("depth %d was made of old texts: %s", r.Depth, r.Source)
		}
	}
	if condensed == 0 {
		t.Error("the sample has nothing condensed")
	}
}

// TestBrokenTextsAreShownToNoModel: neither as a source nor as what came before; what
// was made of one that isn't regenerated keeps its text, and says why.
func TestBrokenTextsAreShownToNoModel(t *testing.T) {
	t.Parallel()
	s := &scribe{}
	b := batch(t, s)
	var leaf *lineage.Node
	for _, n := range b.Nodes {
		if !n.Condensed() && len(n.Derived) > 0 {
			leaf = n
			break
		}
	}
	stored, err := lcm.ReadSummary(t.Context(), b.DB, leaf.ID)
	if err != nil {
		t.Fatal(err)
	}
	b.Broken, b.Skip = map[string]bool{leaf.ID: true}, map[string]bool{leaf.ID: true}
	if err := b.Generate(t.Context(), noReport); err != nil {
		t.Fatal(err)
	}
	for _, r := range s.shown {
		if strings.Contains(r.Prompt, stored.Content) {
			t.Errorf("a model was shown it: %s", r.Prompt)
		}
	}
	var why *regenerate.BrokenError
	for _, f := range b.Failures {
		errors.As(f.Err, &why)
	}
	if why == nil || why.Source != leaf.ID {
		t.Errorf("what was made of it: %+v", b.Failures)
	}
}

// TestOneFailureLeavesTheOthers: each has its own state.
func TestOneFailureLeavesTheOthers(t *testing.T) {
	t.Parallel()
	s := &scribe{}
	b := batch(t, s)
	first, err := b.JobFor(t.Context(), b.Nodes[0])
	if err != nil {
		t.Fatal(err)
	}
	s.fails = first.Source
	b.Items = &regenerate.Progress{}
	if err := b.Generate(t.Context(), noReport); err != nil {
		t.Fatal(err)
	}
	if len(b.Failures) != 1 || b.Failures[0].ID != b.Nodes[0].ID || len(b.Texts) != len(b.Nodes)-1 {
		t.Errorf("%d made, failed %+v", len(b.Texts), b.Failures)
	}
	last := map[string]regenerate.State{}
	for _, item := range b.Items.All() {
		last[item.ID] = item.State
	}
	for _, n := range b.Nodes {
		want := regenerate.StateReady
		if n == b.Nodes[0] {
			want = regenerate.StateFailed
		}
		if last[n.ID] != want {
			t.Errorf("%s is %s, not %s", n.ID, last[n.ID], want)
		}
	}
}

// TestEstimateAsksNobody, and leaves out of the cost what is kept.
func TestEstimateAsksNobody(t *testing.T) {
	t.Parallel()
	s := &scribe{}
	b := batch(t, s)
	kept, err := summarize.Cache(s, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b.Model = kept
	f, err := b.Estimate(t.Context())
	if err != nil || f.Calls != len(b.Nodes) || f.InputTokens == 0 || f.Saved() != "" || len(s.shown) != 0 {
		t.Errorf("%+v after %d calls, %v", f, len(s.shown), err)
	}
	if err := b.Generate(t.Context(), noReport); err != nil {
		t.Fatal(err)
	}
	b.Texts = map[string]regenerate.Text{}
	f, err = b.Estimate(t.Context())
	if err != nil || f.Cached != len(b.Nodes) || f.Calls != 0 || f.InputTokens != 0 || f.Saved() == "" {
		t.Errorf("afterwards %+v, %v", f, err)
	}
	// Of a source that keeps its old text, what is made of it is another request.
	var leaf *lineage.Node
	for _, n := range b.Nodes {
		if !n.Condensed() && len(n.Derived) > 0 {
			leaf = n
			break
		}
	}
	b.Skip = map[string]bool{leaf.ID: true}
	f, err = b.Estimate(t.Context())
	if above := len(b.Graph.Ancestors(leaf.ID)); err != nil || f.Calls != above || f.Cached != len(b.Nodes)-1-above || above == 0 {
		t.Errorf("without %s, of which %d are made: %+v, %v", leaf.ID, above, f, err)
	}
}

// TestReportsComeFromOneGoroutine: a report that touches what only one goroutine may
// touch is no data race.
func TestReportsComeFromOneGoroutine(t *testing.T) {
	t.Parallel()
	b := batch(t, &scribe{})
	var seen []int
	if err := b.Generate(t.Context(), func(done, total int, _ string) {
		seen = append(seen, done)
		if total != len(b.Nodes) {
			t.Errorf("%d of %d", done, total)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if len(seen) != len(b.Nodes) || !slices.IsSorted(seen) {
		t.Errorf("reported %v", seen)
	}
}

// failing is a model that answers a few times, and then fails.
type failing struct {
	scribe
	answers int
	err     error
}

func (f *failing) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	reply, err := f.scribe.Summarize(ctx, r)
	if f.mu.Lock(); len(f.shown) > f.answers {
		reply, err = summarize.Reply{}, f.err
	}
	f.mu.Unlock()
	return reply, err
}

// TestARunEndsOnlyOnWhatIsPermanent: after another failure the next one is asked. Where it
// ends, every summary is in its true state, and the error has what was paid for.
func TestARunEndsOnlyOnWhatIsPermanent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		err  error
		ends bool
	}{
		"a hiccup":         {errors.New("oops"), false},
		"no answer":        {context.DeadlineExceeded, false},
		"incomplete":       {summarize.ErrIncomplete, false},
		"a refused key":    {fmt.Errorf("no: %w", summarize.ErrAuth), true},
		"a quota, used up": {fmt.Errorf("no: %w", summarize.ErrPermanent), true},
	} {
		m := &failing{answers: 1, err: c.err}
		b := batch(t, &m.scribe)
		b.Model, b.Jobs, b.Items = m, 1, &regenerate.Progress{}
		err := b.Generate(t.Context(), noReport)
		var stopped *regenerate.StoppedError
		if errors.As(err, &stopped) != c.ends {
			t.Errorf("%s: %v", name, err)
			continue
		}
		count := map[regenerate.State]int{}
		for _, item := range b.Items.All() {
			count[item.State]++
		}
		n := len(b.Nodes)
		want := map[regenerate.State]int{regenerate.StateReady: 1, regenerate.StateFailed: n - 1}
		if c.ends {
			want = map[regenerate.State]int{regenerate.StateReady: 1, regenerate.StateFailed: 1, regenerate.StateNotAsked: n - 2}
			if stopped.Cost.Calls != 2 || !strings.Contains(stopped.Outcome(), "2 calls were made") || b.Items.Cost().Calls != 2 {
				t.Errorf("%s: %s", name, stopped.Outcome())
			}
		}
		if !maps.Equal(count, want) {
			t.Errorf("%s: %v, want %v", name, count, want)
		}
	}
}

// TestACancelledRunTellsTheTrueStates: what was asked is cancelled, what had no turn
// wasn't asked, and the answers that were there are kept.
func TestACancelledRunTellsTheTrueStates(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	m := &hanging{answers: 2, hangs: cancel}
	kept, err := summarize.Cache(m, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	b := batch(t, &m.scribe)
	b.Model, b.Jobs, b.Items = kept, 1, &regenerate.Progress{}
	err = b.Generate(ctx, noReport)
	var stopped *regenerate.StoppedError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &stopped) || !stopped.Cancelled() {
		t.Fatal(err)
	}
	if got := stopped.Outcome(); got != "3 calls were made; 2 answers are cached and cost nothing again" {
		t.Error(got)
	}
	count := map[regenerate.State]int{}
	for _, item := range b.Items.All() {
		count[item.State]++
	}
	if want := map[regenerate.State]int{regenerate.StateReady: 2, regenerate.StateCancelled: 1, regenerate.StateNotAsked: len(b.Nodes) - 3}; !maps.Equal(count, want) {
		t.Errorf("%v, want %v", count, want)
	}
}

// hanging is a model that answers a few times, and then not until it's cancelled.
type hanging struct {
	scribe
	answers int
	hangs   func()
}

func (h *hanging) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	h.mu.Lock()
	n := len(h.shown)
	h.mu.Unlock()
	if n < h.answers {
		return h.scribe.Summarize(ctx, r)
	}
	h.hangs()
	<-ctx.Done()
	return summarize.Reply{}, ctx.Err()
}
