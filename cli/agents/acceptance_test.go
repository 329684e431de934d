//go:build unix

package agents_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// The five criteria of docs/acceptance.md, each as a test of its name.

// compactionSettings are those with which the reference engine made the fixtures of compaction.
var compactionSettings = []string{
	"contextThreshold=0.0175", "freshTailCount=8", "leafChunkTokens=700", "leafTargetTokens=200", "condensedTargetTokens=80", "leafMinFanout=4", "condensedMinFanout=3",
	"condensedMinFanoutHard=2", "sweepMaxDepth=1", "incrementalMaxDepth=1", "summaryPrefixTargetTokens=200", "maxSweepIterations=12",
}

// compactionFixtures returns copies of the fixtures of compaction that aren't compacted as far as they can be.
func compactionFixtures(t *testing.T) (paths []string) {
	t.Helper()
	for _, name := range []string{"compaction/before.db", "hard/compaction/cjk.db", "hard/compaction/stubs.db"} {
		paths = append(paths, testdb.Fixture(t, name))
	}
	return paths
}

// tokens returns the size of each context, by conversation.
func (s *acceptedStore) tokens() map[int64]int {
	s.t.Helper()
	out := map[int64]int{}
	for _, c := range list(s.t, s.object("conversations"), "conversations") {
		out[int64(c["conversation_id"].(float64))] = int(c["context_tokens"].(float64))
	}
	return out
}

// list returns the objects of a list in a result.
func list(t *testing.T, r map[string]any, name string) (out []map[string]any) {
	t.Helper()
	all, ok := r[name].([]any)
	if !ok {
		t.Fatalf("no list %s in %v", name, slices.Sorted(maps.Keys(r)))
	}
	for _, one := range all {
		out = append(out, one.(map[string]any))
	}
	return out
}

// passes does passes until nothing is left to do.
func (s *acceptedStore) passes() {
	t := s.t
	t.Helper()
	args := []string{"work", "--once", "--json"}
	for _, setting := range compactionSettings {
		args = append(args, "--set", setting)
	}
	for range 10 {
		exit, out, errs := testcli.RunIn(t, s.env, args...)
		if exit != 0 {
			t.Fatalf("exit %d: %s", exit, errs)
		}
		if len(endedJobs(t, out)["done"]) == 0 {
			return
		}
	}
	t.Fatal("there is always more to do")
}

// TestAcceptanceAtLeast30PercentFewerTokens: of each context over its threshold.
func TestAcceptanceAtLeast30PercentFewerTokens(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const threshold = 2240 // 0.0175 of 128,000.
	onEachStore(t, func(t *testing.T, fill func(path string) *acceptedStore) {
		for i, path := range compactionFixtures(t) {
			if i >= often(2, 3) && strings.HasSuffix(t.Name(), "/home") { // The last one is large.
				continue
			}
			s := fill(path)
			before := s.tokens()
			s.passes()
			full := 0
			for id, n := range s.tokens() {
				if before[id] <= threshold {
					continue
				}
				full++
				if t.Logf("conversation %d: %d tokens, then %d", id, before[id], n); float64(n) > 0.7*float64(before[id]) {
					t.Errorf("conversation %d has %d of %d tokens left", id, n, before[id])
				}
			}
			if full == 0 {
				t.Errorf("%s has no context over its threshold", path)
			}
		}
	})
}

// TestAcceptanceEverySummaryExpandsToItsMessages: what the tool of the agents shows of each is all that it was made
// of, and together with the messages of the context it is everything.
func TestAcceptanceEverySummaryExpandsToItsMessages(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	onEachStore(t, func(t *testing.T, fill func(path string) *acceptedStore) {
		s := fill(compactionFixtures(t)[0])
		s.passes()
		for _, one := range list(t, s.object("summaries", "1"), "summaries") {
			id := one["summary_id"].(string)
			var shown []string
			for _, m := range list(t, s.object("expand", id, "--messages", "--depth", "20"), "messages") {
				shown = append(shown, fmt.Sprint(int64(m["messageId"].(float64))))
			}
			want := s.rows(`WITH RECURSIVE below(id) AS (SELECT summary_id FROM summaries WHERE summary_id = ? UNION SELECT p.parent_summary_id FROM summary_parents p JOIN below b ON p.summary_id = b.id)
				SELECT DISTINCT l.message_id FROM summary_messages l JOIN below b ON l.summary_id = b.id`, id)
			slices.Sort(shown)
			slices.Sort(want)
			if !slices.Equal(slices.Compact(shown), want) || len(want) == 0 {
				t.Errorf("%s is shown as made of %v, and is of %v", id, shown, want)
			}
		}
		s.covered()
	})
}

// covered fails where a message can't be reached from a context.
func (s *acceptedStore) covered() {
	s.t.Helper()
	if n := s.count(unreachableMessages); n != 0 {
		s.t.Errorf("%d messages can't be reached", n)
	}
}

// TestAcceptanceSearchFindsMessagesAndSummaries: after a compaction too.
func TestAcceptanceSearchFindsMessagesAndSummaries(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	onEachStore(t, func(t *testing.T, fill func(path string) *acceptedStore) {
		path := crowded(t, 1, 12)
		testdb.Execute(t, path, "UPDATE messages SET content = 'the zeppelin was moored, ' || content WHERE seq = (SELECT min(seq) FROM messages)")
		if exit, _, errs := testcli.Run(t, path, "repair", "--all", "--fault", "X", "--apply", "--quiet-ok"); exit != 0 {
			t.Fatalf("exit %d: %s", exit, errs)
		}
		s := fill(path)
		if exit, _, errs := testcli.RunIn(t, s.env, once()...); exit != 0 {
			t.Fatalf("exit %d: %s", exit, errs)
		}
		found := map[string]int{}
		for _, query := range []string{"zeppelin", "ferry"} {
			r := s.object("search", query, "--limit", "50")
			for _, h := range list(t, r, "hits") {
				found[fmt.Sprint(h["kind"])]++
			}
			if notes := fmt.Sprint(r["notes"]); strings.Contains(notes, "one by one") {
				t.Errorf("%s: %s", query, notes)
			}
		}
		if found["message"] == 0 || found["summary"] == 0 {
			t.Errorf("%v", found)
		}
		if n := s.count("SELECT count(*) FROM context_items ci JOIN messages m ON m.message_id = ci.message_id WHERE m.content LIKE '%zeppelin%'"); n != 0 {
			t.Errorf("the message that was searched for is still in the context: %d", n)
		}
	})
}

// TestAcceptanceZeroBrokenLineageAndZeroLostMessages: after 1,000 passes of workers, during which a host chooses, says
// more and writes, as it does, what it chose before.
func TestAcceptanceZeroBrokenLineageAndZeroLostMessages(t *testing.T) { //nolint:tparallel // What is within ends first.
	t.Parallel()
	testlength.Long(t)
	const each, worlds = 20, 50
	var done, crossed atomic.Int64
	t.Run("worlds", func(t *testing.T) {
		for seed := range uint64(worlds) {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				b := newBesideHost(t, rand.New(rand.NewPCG(seed, 4))) //nolint:gosec // The same every time.
				for range each {
					b.interleave()
				}
				b.end()
				done.Add(b.done)
				crossed.Add(b.crossed)
			})
		}
	})
	t.Logf("%d compactions by workers; %d choices of the host were written after one", done.Load(), crossed.Load())
	if done.Load() < worlds*each/4 || crossed.Load() < worlds*each/20 {
		t.Error("hardly anything crossed")
	}
}

// TestAcceptanceZeroBrokenLineageAndZeroLostMessagesAtAHome: after passes of the workers of two machines. While one of them asks its
// model, messages are appended, and the other one does passes of its own.
func TestAcceptanceZeroBrokenLineageAndZeroLostMessagesAtAHome(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	w := newHomeWorld(t, rand.New(rand.NewPCG(7, 4))) //nolint:gosec // The same every time.
	passes := often(16, 300)
	for range passes {
		w.interleave()
	}
	w.whole()
	t.Logf("%d passes: %d compactions, %d of them while others compacted or appended", passes, w.done, w.crossed)
	if w.done < int64(passes)/4 || w.crossed == 0 {
		t.Error("hardly anything crossed")
	}
}

// TestAcceptanceSafeUnderConcurrentWriters: several workers and a host that goes on write to one store. Nobody fails,
// everything can be reached, and a check finds no damage.
func TestAcceptanceSafeUnderConcurrentWriters(t *testing.T) {
	t.Parallel()
	onEachStore(t, func(t *testing.T, fill func(path string) *acceptedStore) {
		conversations, workers, passes, turns := 6, 4, 3, 30
		if strings.HasSuffix(t.Name(), "/home") {
			conversations, workers, passes, turns = often(3, 6), often(2, 4), often(2, 3), often(12, 30)
		}
		s := fill(crowded(t, conversations, 12))
		var all sync.WaitGroup
		all.Go(func() {
			appends := s.appender()
			for i := range turns {
				if err := appends(int64(i%conversations)+1, fmt.Sprintf("turn %d: %s", i, strings.Repeat("a new berth ", 20))); err != nil {
					t.Error(err)
				}
			}
		})
		for range workers {
			env := s.otherMachine()
			all.Go(func() {
				const busy = 75
				for range passes {
					if exit, _, errs := testcli.RunIn(t, env, once()...); exit != 0 && exit != busy {
						t.Errorf("exit %d: %s", exit, errs)
					}
				}
			})
		}
		all.Wait()
		s.covered()
		if n := s.count("SELECT count(*) FROM messages"); n != conversations*12+turns {
			t.Errorf("%d messages", n)
		}
		if n := s.count("SELECT count(*) FROM summaries"); n == 0 {
			t.Error("no summaries")
		}
		for _, f := range list(t, s.object("doctor"), "findings") {
			if f["severity"] != "info" {
				t.Errorf("%v", f)
			}
		}
	})
}
