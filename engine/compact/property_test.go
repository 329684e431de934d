package compact_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/lineage"
	"lcm-tui/engine/summarize"
	"lcm-tui/engine/token"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testlength"
)

var sampleCache samples.Cache

// some returns a random request whose settings are small enough for a sample.
func some(rng *rand.Rand) compact.Request {
	c := compact.Defaults()
	c.Timezone = "UTC"
	c.FreshTailCount = rng.IntN(6)
	if limit := rng.IntN(80); rng.IntN(2) == 0 {
		c.FreshTailMaxTokens = new(int64(limit))
	}
	c.LeafChunkTokens = int64(20 + rng.IntN(200))
	c.LeafMinFanout, c.CondensedMinFanout, c.CondensedMinFanoutHard = 2+rng.IntN(3), 2+rng.IntN(2), 2
	c.CondensedTargetTokens = int64(10 + rng.IntN(60))
	c.SweepMaxDepth = rng.IntN(4) - 1
	c.SummaryPrefixTargetTokens = int64(rng.IntN(200))
	c.MaxSweepIterations = rng.IntN(20)
	return compact.Request{
		Mode:   []compact.Mode{compact.Sweep, compact.Leaf, compact.Until}[rng.IntN(3)],
		Config: c, Budget: int64(50 + rng.IntN(1000)), Force: rng.IntN(2) == 0, Hard: rng.IntN(2) == 0,
		StopAt: int64(rng.IntN(2) * rng.IntN(300)), Target: int64(1 + rng.IntN(400)), Fallback: true,
	}
}

// short is a model that answers with a tenth of what it reads, and sometimes
// doesn't manage to.
type short struct{ rng *rand.Rand }

func (short) Name() string { return "test/short" }

func (m short) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	n := len(r.Source) / 10
	switch m.rng.IntN(12) {
	case 0:
		n = 0
	case 1:
		n = 2 * len(r.Source)
	}
	b := make([]byte, n)
	for i := range b {
		b[i] = "aeiou "[m.rng.IntN(6)]
	}
	return summarize.Reply{Text: string(b), Model: "test/short"}, nil
}

func TestWhateverIsAskedNothingIsLost(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(1, 2))
			for round := range 3 {
				path := filepath.Join(t.TempDir(), fmt.Sprintf("lcm%d.db", round))
				if err := sampleCache.Sample(path, level); err != nil {
					t.Fatal(err)
				}
				db := open(t, path)
				for range 3 {
					was := reachable(t, db)
					r := some(rng)
					o, err := compact.Run(t.Context(), db, 1, r, short{rng}, noReport)
					if err != nil {
						t.Fatalf("%+v: %v", r, err)
					}
					holds(t, db, o)
					apply(t, path, o)
					is := reachable(t, db)
					for id := range was {
						if !is[id] {
							t.Fatalf("%+v: message %d can't be reached any more", r, id)
						}
					}
				}
			}
		})
	}
}

// holds checks what is true of every outcome.
func holds(t *testing.T, db *data.DB, o compact.Outcome) {
	t.Helper()
	sum, last := int64(0), int64(-1)
	for _, it := range o.Context {
		sum += it.Tokens
		if it.Ordinal <= last {
			t.Errorf("ordinal %d comes after %d", it.Ordinal, last)
		}
		last = it.Ordinal
	}
	if sum != o.TokensAfter || len(o.New) != len(o.Passes) {
		t.Errorf("%d tokens in the context, %d said; %d summaries of %d passes", sum, o.TokensAfter, len(o.New), len(o.Passes))
	}
	made := map[string]lcm.Summary{}
	for i, s := range o.New {
		depth := int64(0)
		for _, id := range s.Sources {
			source, ok := made[id]
			if !ok {
				var err error
				if source, err = lcm.ReadSummary(t.Context(), db, id); err != nil {
					t.Errorf("source %s is made later, or never: %v", id, err)
				}
			}
			depth = max(depth, source.Depth+1)
		}
		if s.Depth != depth || s.Condensed() != (depth > 0) || len(s.Messages) > 0 == s.Condensed() {
			t.Errorf("%s %s of depth %d is made of %d messages and of summaries up to depth %d", s.Kind, s.ID, s.Depth, len(s.Messages), depth-1)
		}
		if s.Tokens != token.Weighted.Count(s.Content) || s.Content == "" || o.Passes[i].Summary != s.ID || o.Passes[i].Source == "" {
			t.Errorf("%s: %d tokens of %q", s.ID, s.Tokens, s.Content)
		}
		made[s.ID] = s.Summary
	}
}

// reachable returns the messages of conversation 1 that its context reaches.
func reachable(t *testing.T, db *data.DB) map[int64]bool {
	t.Helper()
	items, err := lcm.Context(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, err := lineage.Load(t.Context(), db, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	links, err := lcm.MessageLinks(t.Context(), db, 1)
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	out := map[int64]bool{}
	for _, it := range items {
		if it.IsSummary() {
			for _, n := range g.Below(it.Summary) {
				shown[n.ID] = true
			}
		} else if !it.Missing {
			out[it.Message] = true
		}
	}
	for _, l := range links {
		if shown[l.Summary] {
			out[l.Message] = true
		}
	}
	return out
}

// TestASweepLeavesNothingForTheNext: what a sweep to its end leaves, another one
// leaves alone.
func TestASweepLeavesNothingForTheNext(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, level := range fakehost.Levels() {
		path := filepath.Join(t.TempDir(), "lcm.db")
		if err := sampleCache.Sample(path, level); err != nil {
			t.Fatal(err)
		}
		db := open(t, path)
		r := compact.Request{Mode: compact.Sweep, Config: compact.Defaults(), Force: true}
		r.Config.FreshTailCount, r.Config.LeafChunkTokens, r.Config.SummaryPrefixTargetTokens = 4, 100, 1
		for run, want := range []compact.Reason{compact.Compacted, compact.Nothing} {
			o, err := compact.Run(t.Context(), db, 1, r, &recorder{script: terse}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if o.Stopped != want || o.Acted() != (run == 0) {
				t.Errorf("%s: run %d of %d passes: %s", level, run+1, len(o.Passes), o.Stopped)
			}
			apply(t, path, o)
		}
	}
}

// terse returns a model that always does better.
func terse(n int) (string, bool, error) { return fmt.Sprintf("Point %d.", n), true, nil }

// TestHugeNumbersOfTokens: a number of tokens that can't be true doesn't join a message to a chunk, and
// no counter of what is made becomes less than nothing.
func TestHugeNumbersOfTokens(t *testing.T) {
	t.Parallel()
	path := writeConversation(t, "u1 sA u2 sB u3 a3 u4 a4 u5")
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	const most = "9223372036854775807"
	err = errors.Join(
		h.Exec("UPDATE messages SET token_count = "+most+" WHERE seq = 4"),
		h.Exec("UPDATE summaries SET descendant_count = "+most+", descendant_token_count = "+most+", source_message_token_count = "+most+" WHERE content LIKE 'A%'"),
		h.Close())
	if err != nil {
		t.Fatal(err)
	}
	r, m := request(), &recorder{script: terse}
	r.Config.LeafChunkTokens, r.Config.CondensedTargetTokens, r.Config.SummaryPrefixTargetTokens = 30, 1, 1
	r.Config.LeafMinFanout, r.Hard = 2, true
	o, err := compact.Run(t.Context(), open(t, path), 1, r, m, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"u3 <>", "a3 <Point 1.>", "u4 <Point 2.>", "A B Point Point Point <>"}
	if diff := cmp.Diff(want, asked(m.calls)); diff != "" {
		t.Error(diff)
	}
	for _, s := range o.New {
		if s.SourceTokens < 0 || s.DescendantTokens < 0 || s.Descendants < 0 {
			t.Errorf("a %s of %v: %d tokens of messages, %d summaries of %d tokens below", s.Kind, s.Messages, s.SourceTokens, s.Descendants, s.DescendantTokens)
		}
	}
}

// TestDamagedFiles: whatever is wrong with a file, a run ends, and what it makes
// hangs together.
func TestDamagedFiles(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, fault := range faults.Names() {
		t.Run(fault, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "lcm.db")
			if err := sampleCache.Sample(path, fakehost.Head, fault); err != nil {
				t.Skip(err)
			}
			db, err := data.Open(t.Context(), path)
			if err != nil {
				t.Skip(err)
			}
			defer db.Close()
			convs, err := lcm.Conversations(t.Context(), db)
			if err != nil {
				t.Skip(err)
			}
			for _, conv := range convs {
				r := compact.Request{Mode: compact.Sweep, Config: compact.Defaults(), Force: true}
				r.Config.FreshTailCount, r.Config.LeafChunkTokens, r.Config.SummaryPrefixTargetTokens = 2, 60, 1
				o, err := compact.Run(t.Context(), db, conv.ID, r, &recorder{script: terse}, nil)
				var read *data.Error
				if err != nil && !errors.As(err, &read) {
					t.Errorf("conversation %d: %v", conv.ID, err)
				}
				for _, s := range o.New {
					if len(s.Messages)+len(s.Sources) == 0 {
						t.Errorf("%s is made of nothing", s.ID)
					}
				}
			}
		})
	}
}
