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

	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
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
func tokens(t *testing.T, path string) map[int64]int {
	t.Helper()
	out := map[int64]int{}
	for _, c := range list(t, testcli.Object(t, path, "conversations"), "conversations") {
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
func passes(t *testing.T, path string) {
	t.Helper()
	args := []string{"work", "--once", "--json"}
	for _, s := range compactionSettings {
		args = append(args, "--set", s)
	}
	for range 10 {
		exit, out, errs := testcli.Run(t, path, args...)
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
	const threshold = 2240 // 0.0175 of 128,000.
	for _, path := range compactionFixtures(t) {
		before := tokens(t, path)
		passes(t, path)
		full := 0
		for id, n := range tokens(t, path) {
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
}

// TestAcceptanceEverySummaryExpandsToItsMessages: what the tool of the agents shows of each is all that it was made
// of, and together with the messages of the context it is everything.
func TestAcceptanceEverySummaryExpandsToItsMessages(t *testing.T) {
	t.Parallel()
	for _, path := range compactionFixtures(t)[:1] {
		passes(t, path)
		for _, s := range list(t, testcli.Object(t, path, "summaries", "1"), "summaries") {
			id := s["summary_id"].(string)
			var shown []string
			for _, m := range list(t, testcli.Object(t, path, "expand", id, "--messages", "--depth", "20"), "messages") {
				shown = append(shown, fmt.Sprint(int64(m["messageId"].(float64))))
			}
			want := testdb.Rows(t, path, `WITH RECURSIVE below(id) AS (SELECT '`+id+`' UNION SELECT parent_summary_id FROM summary_parents JOIN below ON summary_id = below.id)
				SELECT DISTINCT message_id FROM summary_messages JOIN below ON summary_id = below.id`)
			slices.Sort(shown)
			slices.Sort(want)
			if !slices.Equal(slices.Compact(shown), want) || len(want) == 0 {
				t.Errorf("%s is shown as made of %v, and is of %v", id, shown, want)
			}
		}
		covered(t, path)
	}
}

// covered fails where a message of a conversation can't be reached from its context.
func covered(t *testing.T, path string) {
	t.Helper()
	for _, conv := range testdb.Rows(t, path, "SELECT conversation_id FROM conversations") {
		query := "SELECT count(*) FROM messages m WHERE m.conversation_id = ?1 AND m.message_id NOT IN (" + change.CoveredSQL + ")"
		if n, err := testdb.Count(path, query, conv); err != nil || n != 0 {
			t.Errorf("conversation %s: %d messages can't be reached, %v", conv, n, err)
		}
	}
}

// TestAcceptanceSearchFindsMessagesAndSummaries: after a compaction too.
func TestAcceptanceSearchFindsMessagesAndSummaries(t *testing.T) {
	t.Parallel()
	path := crowded(t, 1, 12)
	testdb.Execute(t, path, "UPDATE messages SET content = 'the zeppelin was moored, ' || content WHERE seq = (SELECT min(seq) FROM messages)")
	if exit, _, errs := testcli.Run(t, path, "repair", "--all", "--fault", "X", "--apply", "--quiet-ok"); exit != 0 {
		t.Fatalf("exit %d: %s", exit, errs)
	}
	if exit, _, errs := testcli.Run(t, path, once()...); exit != 0 {
		t.Fatalf("exit %d: %s", exit, errs)
	}
	found := map[string]int{}
	for _, query := range []string{"zeppelin", "ferry"} {
		for _, h := range list(t, testcli.Object(t, path, "search", query, "--limit", "50"), "hits") {
			found[fmt.Sprint(h["kind"])]++
		}
	}
	if found["message"] == 0 || found["summary"] == 0 {
		t.Errorf("%v", found)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM context_items ci JOIN messages m USING (message_id) WHERE m.content LIKE '%zeppelin%'"); err != nil || n != 0 {
		t.Errorf("the message that was searched for is still in the context: %d, %v", n, err)
	}
}

// TestAcceptanceZeroBrokenLineageAndZeroLostMessages: after 1,000 passes of workers, during which a host chooses, says
// more and writes, as it does, what it chose before.
func TestAcceptanceZeroBrokenLineageAndZeroLostMessages(t *testing.T) { //nolint:tparallel // What is within ends first.
	t.Parallel()
	const each = 20
	worlds := uint64(1000 / each)
	if testdb.Race {
		worlds = 5
	}
	var done, crossed atomic.Int64
	t.Run("worlds", func(t *testing.T) {
		for seed := range worlds {
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
	if done.Load() < int64(worlds)*each/4 || crossed.Load() < int64(worlds)*each/20 {
		t.Error("hardly anything crossed")
	}
}

// TestAcceptanceSafeUnderConcurrentWriters: several workers and a host that goes on write to one file. Nobody fails,
// everything can be reached, and a check finds no damage.
func TestAcceptanceSafeUnderConcurrentWriters(t *testing.T) {
	t.Parallel()
	const conversations, workers, turns = 6, 4, 30
	path := crowded(t, conversations, 12)
	h, err := fakehost.Start(path, fakehost.Defaults())
	testdb.Must(t, err)
	var all sync.WaitGroup
	all.Go(func() {
		for i := range turns {
			if _, err := h.Append(int64(i%conversations)+1, fakehost.Message{Role: "user", Content: fmt.Sprintf("turn %d: %s", i, strings.Repeat("a new berth ", 20))}); err != nil {
				t.Error(err)
			}
		}
	})
	for range workers {
		all.Go(func() {
			const busy = 75
			for range 3 {
				if exit, _, errs := testcli.Run(t, path, once()...); exit != 0 && exit != busy {
					t.Errorf("exit %d: %s", exit, errs)
				}
			}
		})
	}
	all.Wait()
	testdb.Must(t, h.Close())
	covered(t, path)
	if n, err := testdb.Count(path, "SELECT count(*) FROM messages"); err != nil || n != conversations*12+turns {
		t.Errorf("%d messages, %v", n, err)
	}
	if n, err := testdb.Count(path, "SELECT count(*) FROM summaries"); err != nil || n == 0 {
		t.Errorf("%d summaries, %v", n, err)
	}
	for _, f := range list(t, testcli.Object(t, path, "doctor"), "findings") {
		if f["severity"] != "info" {
			t.Errorf("%v", f)
		}
	}
}
