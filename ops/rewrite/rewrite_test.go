package rewrite_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/regenerate"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/rewrite"
)

var dump = testdb.Dump

func sample(t *testing.T, level fakehost.Level, faults ...string) (*data.DB, string) {
	t.Helper()
	path := testdb.Sample(t, level, faults...)
	return testdb.Open(t, path), path
}

func noReport(int, int, string) {}

// script is a model that answers by a function, and counts.
type script struct {
	answer func(r summarize.Request) (string, error)
	calls  atomic.Int64
	inside atomic.Int64
	most   atomic.Int64
	takes  time.Duration
}

func (s *script) Name() string { return "test/script" }

func (s *script) Summarize(ctx context.Context, r summarize.Request) (summarize.Reply, error) {
	s.calls.Add(1)
	now := s.inside.Add(1)
	defer s.inside.Add(-1)
	for old := s.most.Load(); now > old; old = s.most.Load() {
		if s.most.CompareAndSwap(old, now) {
			break
		}
	}
	select {
	case <-time.After(s.takes):
	case <-ctx.Done():
		return summarize.Reply{}, ctx.Err()
	}
	text, err := s.answer(r)
	return summarize.Reply{Text: text, Model: s.Name()}, err
}

// short answers with a few words that tell what was asked.
func short(r summarize.Request) (string, error) {
	return fmt.Sprintf("%s %d of %d", r.Kind, r.Depth, len(r.Source)), nil
}

func op(m summarize.Model, pick rewrite.Pick) *rewrite.Op {
	return &rewrite.Op{
		Conversation: 1, Pick: pick,
		Options: regenerate.Options{Model: m, Ask: true, LeafTarget: 2400, CondensedTarget: 2000, Job: summarize.Job{Overage: 3}},
	}
}

func plan(t *testing.T, db *data.DB, o *rewrite.Op) ops.Plan {
	t.Helper()
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestRoundTripAtEveryLevel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			db, path := sample(t, level)
			was := dump(t, path)
			p := plan(t, db, op(&script{answer: short}, rewrite.Pick{All: true}))
			if got := dump(t, path); got != was {
				t.Fatal("planning wrote")
			}
			id, err := ops.Apply(t.Context(), db, p)
			if err != nil {
				t.Fatal(err)
			}
			for _, text := range p.Texts {
				s, err := lcm.ReadSummary(t.Context(), db, text.ID)
				if err != nil || s.Content != text.After {
					t.Errorf("%s is %q, %v", text.ID, s.Content, err)
				}
			}
			counters(t, db)
			var stale *data.StaleError
			if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
				t.Errorf("again: %v", err)
			}
			if err := ops.Undo(t.Context(), db, id); err != nil {
				t.Fatal(err)
			}
			if got := dump(t, path); got != was {
				t.Error(cmp.Diff(was, got))
			}
		})
	}
}

// counters fails unless every counter is what the graph says.
func counters(t *testing.T, db *data.DB) {
	t.Helper()
	if !db.Schema().Has("summaries", "descendant_token_count") {
		return
	}
	g, err := lineage.Load(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	of := func(n *lineage.Node) lineage.Counters {
		return lineage.Counters{Descendants: n.Descendants, DescendantTokens: n.DescendantTokens, SourceTokens: n.SourceTokens}
	}
	for _, n := range g.Nodes() {
		if got := g.Counters(n, func(n *lineage.Node) int64 { return n.Tokens }, of); got != of(n) {
			t.Errorf("%s counts %+v, not %+v", n.ID, of(n), got)
		}
	}
}

// TestParentsAreMadeOfNewTexts: what was made of rewritten summaries is made of
// what they say now.
func TestParentsAreMadeOfNewTexts(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	sawNew := false
	m := &script{answer: func(r summarize.Request) (string, error) {
		if r.Kind == lcm.KindCondensed && strings.Contains(r.Source, "NEWTEXT") {
			sawNew = true
		}
		return "NEWTEXT", nil
	}}
	plan(t, db, op(m, rewrite.Pick{All: true}))
	if !sawNew {
		t.Error("no condensed summary was made of a new text")
	}
}

func TestAnEstimateCallsNobody(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	m := &script{answer: short}
	o := op(m, rewrite.Pick{All: true})
	o.Ask = false
	p := plan(t, db, o)
	if m.calls.Load() != 0 || !p.Estimate() || p.Impact.InputTokens == 0 || p.Impact.OutputTokens == 0 {
		t.Errorf("%d calls, %+v", m.calls.Load(), p.Impact)
	}
	p = plan(t, db, o.Generating().(*rewrite.Op))
	if int(m.calls.Load()) != p.Impact.ModelCalls || p.Estimate() {
		t.Errorf("%d calls, %+v", m.calls.Load(), p.Impact)
	}
}

func TestSideBySide(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	m := &script{answer: short, takes: 20 * time.Millisecond}
	o := op(m, rewrite.Pick{All: true})
	o.Jobs = 3
	plan(t, db, o)
	if most := m.most.Load(); most < 2 || most > 3 {
		t.Errorf("%d calls at once", most)
	}
}

// TestFailuresKeepWhatWasPaidFor: one summary that fails keeps its old text; the
// others are planned.
func TestFailuresKeepWhatWasPaidFor(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	first := true
	m := &script{answer: func(r summarize.Request) (string, error) {
		if first {
			first = false
			return "", errors.New("overloaded")
		}
		return short(r)
	}}
	p := plan(t, db, op(m, rewrite.Pick{All: true}))
	if len(p.Texts) == 0 || !strings.Contains(strings.Join(p.Warnings, "\n"), "overloaded") {
		t.Errorf("%d texts, %v", len(p.Texts), p.Warnings)
	}
}

func TestARefusedKeyEndsTheRun(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	m := &script{answer: func(summarize.Request) (string, error) { return "", summarize.ErrAuth }}
	if _, err := op(m, rewrite.Pick{All: true}).Plan(t.Context(), db, noReport); !errors.Is(err, summarize.ErrAuth) || m.calls.Load() != 1 {
		t.Errorf("%v after %d calls", err, m.calls.Load())
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	ctx, cancel := context.WithCancel(t.Context())
	m := &script{answer: func(r summarize.Request) (string, error) {
		cancel()
		return short(r)
	}}
	if _, err := op(m, rewrite.Pick{All: true}).Plan(ctx, db, noReport); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

func TestByHand(t *testing.T) {
	t.Parallel()
	db, path := sample(t, fakehost.Head)
	g, err := lineage.Load(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	id := g.Nodes()[0].ID
	o := &rewrite.Op{Conversation: 1, Pick: rewrite.Pick{Summary: id}, Texts: map[string]string{id: "written by hand about quokkas"}}
	p := plan(t, db, o)
	if p.Title != "edit 1 summary of Moving the ledger #1" {
		t.Errorf("the title is %q", p.Title)
	}
	if _, err := ops.Apply(t.Context(), db, p); err != nil {
		t.Fatal(err)
	}
	s, err := lcm.ReadSummary(t.Context(), db, id)
	if err != nil || s.Content != "written by hand about quokkas" || s.Model != regenerate.ByHand || s.Tokens == 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM summaries_fts WHERE summaries_fts MATCH 'quokkas'"); err != nil || n != 1 {
		t.Errorf("found %d times, %v", n, err)
	}
	if _, err := o.Plan(t.Context(), db, noReport); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("the same again: %v", err)
	}
}

func TestPicks(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	g, err := lineage.Load(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	var top, leaf *lineage.Node
	for _, n := range g.Nodes() {
		if top == nil || n.Depth > top.Depth {
			top = n
		}
		if n.Depth == 0 && len(n.Derived) > 0 {
			leaf = n
		}
	}
	zero := int64(0)
	leaves := 0
	for _, n := range g.Nodes() {
		if n.Depth == 0 {
			leaves++
		}
	}
	for name, c := range map[string]struct {
		pick rewrite.Pick
		want int
	}{
		"one":                  {rewrite.Pick{Summary: leaf.ID}, 1},
		"with what is made of": {rewrite.Pick{Summary: leaf.ID, Ancestors: true}, 1 + len(g.Ancestors(leaf.ID))},
		"a branch":             {rewrite.Pick{Subtree: top.ID}, len(g.Below(top.ID))},
		"a depth":              {rewrite.Pick{Depth: &zero}, leaves},
		"all":                  {rewrite.Pick{All: true}, len(g.Nodes())},
	} {
		if p := plan(t, db, op(&script{answer: short}, c.pick)); len(p.Texts) != c.want {
			t.Errorf("%s: %d texts, not %d", name, len(p.Texts), c.want)
		}
	}
	if _, err := op(&script{answer: short}, rewrite.Pick{Summary: "sum_nothing"}).Plan(t.Context(), db, noReport); !errors.Is(err, data.ErrNotFound) {
		t.Errorf("an id that isn't there: %v", err)
	}
}

// TestAnEstimateCountsCachedAnswers: what a model answered before is not paid for again,
// and the estimate says so.
func TestAnEstimateCountsCachedAnswers(t *testing.T) {
	t.Parallel()
	db, _ := sample(t, fakehost.Head)
	m, err := summarize.Cache(&script{answer: short}, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	depth := int64(0)
	estimate := func() ops.Plan {
		o := op(m, rewrite.Pick{Depth: &depth})
		o.Ask = false
		return plan(t, db, o)
	}
	if p := estimate(); p.Impact.InputTokens == 0 || strings.Contains(strings.Join(p.Notes, "\n"), "cached") {
		t.Errorf("before: %+v, %q", p.Impact, p.Notes)
	}
	plan(t, db, op(m, rewrite.Pick{Depth: &depth}))
	if p := estimate(); p.Impact.InputTokens != 0 || !strings.Contains(strings.Join(p.Notes, "\n"), "cached") {
		t.Errorf("after: %+v, %q", p.Impact, p.Notes)
	}
}
