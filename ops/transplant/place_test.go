package transplant_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// writeHistory writes a conversation of random summaries and messages between two times,
// and leaves its newest messages as they are.
func writeHistory(h *fakehost.Writer, rng *rand.Rand, name string, from time.Time, step time.Duration) error {
	conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:" + name, Active: true, At: from})
	if err != nil {
		return err
	}
	at := from
	addMessages := func(n int) (ids []int64, err error) {
		for i := 0; i < n && err == nil; i++ {
			at = at.Add(step + time.Duration(rng.IntN(int(step))))
			var id int64
			id, err = h.Message(conv, fakehost.Message{Role: []string{"user", "assistant", "tool"}[rng.IntN(3)], Content: fmt.Sprintf("%s %d at %v", name, i, at), At: at})
			ids = append(ids, id)
		}
		return ids, err
	}
	var nodes []string
	for i := range 3 + rng.IntN(6) {
		ids, err := addMessages(1 + rng.IntN(5))
		if err != nil {
			return err
		}
		leaf, err := h.Leaf(conv, ids, fmt.Sprintf("leaf %d of %s, long enough to be known again", i, name), fakehost.SummaryOptions{At: at})
		if err != nil {
			return err
		}
		if nodes = append(nodes, leaf); len(nodes) > 1 && rng.IntN(2) == 0 {
			made, err := h.Condense(conv, nodes, fmt.Sprintf("branch %d of %s, long enough to be known again", i, name), fakehost.SummaryOptions{At: at})
			if err != nil {
				return err
			}
			if nodes = nil; rng.IntN(2) == 0 {
				nodes = []string{made}
			}
		}
	}
	_, err = addMessages(rng.IntN(8))
	return err
}

// TestPropertyOfRandomHistories: whatever is copied into whatever, the target keeps
// what it has in its order, everything it reached stays reachable, its newest message
// stays the newest, and undo brings back every byte. Where messages don't get in the
// way, the context stays in the order of time.
func TestPropertyOfRandomHistories(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 7))
			path := filepath.Join(t.TempDir(), "lcm.db")
			h, err := fakehost.Create(path, fakehost.Head)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
			err = h.Tx(func(h *fakehost.Writer) error {
				if err := writeHistory(h, rng, "source", start.Add(time.Duration(rng.IntN(600))*time.Minute), time.Minute); err != nil {
					return err
				}
				return writeHistory(h, rng, "target", start.Add(time.Duration(rng.IntN(600))*time.Minute), time.Minute)
			})
			if err := errors.Join(err, h.Close()); err != nil {
				t.Fatal(err)
			}
			db := open(t, path)
			p := roundTrip(t, path, db, &transplant.Op{Source: 1, Target: 2, Messages: seed%2 == 0})
			reached := countReachable(t, path)
			apply(t, db, plan(t, db, &transplant.Op{Source: 1, Target: 2, Messages: seed%2 == 0}))
			if now := countReachable(t, path); now < reached {
				t.Errorf("%d messages are reached of %d", now, reached)
			}
			if c := p.Contexts[0]; seed%2 == 1 && inOrder(c.Before) && !between(c) && !inOrder(c.After) {
				t.Errorf("not in the order of time: %v", c.After)
			}
		})
	}
}

// between reports whether a tool's result stands behind something new: then that was
// moved in front of the call.
func between(c ops.ContextChange) bool {
	own := map[string]bool{}
	for _, it := range c.Before {
		own[it.Ref()] = true
	}
	for i, it := range c.After {
		if !own[it.Ref()] && slices.ContainsFunc(c.After[i:], func(o lcm.ContextItem) bool { return o.Role == "tool" }) {
			return true
		}
	}
	return false
}

func inOrder(items []lcm.ContextItem) bool {
	return slices.IsSortedFunc(items, func(a, b lcm.ContextItem) int { return a.At.Compare(b.At.Time) })
}

func countReachable(t *testing.T, path string) int {
	t.Helper()
	n, err := testdb.Count(path, `WITH RECURSIVE below(id) AS (SELECT summary_id FROM context_items WHERE conversation_id = 2 AND summary_id IS NOT NULL
		UNION SELECT parent_summary_id FROM below JOIN summary_parents ON summary_id = id)
		SELECT (SELECT count(DISTINCT message_id) FROM summary_messages JOIN below ON summary_id = id) +
			(SELECT count(*) FROM context_items WHERE conversation_id = 2 AND message_id IS NOT NULL)`)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestNothingComesBetweenACallAndItsResult: the target has a call and its result an
// hour apart, and the source's summary is of the time between.
func TestNothingComesBetweenACallAndItsResult(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2026, 3, 1, 8, 0, 0, 0, time.UTC)
	err = h.Tx(func(h *fakehost.Writer) error {
		if _, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:target", Active: true}); err != nil {
			return err
		}
		for i, role := range []string{"user", "assistant", "tool", "assistant"} {
			if _, err := h.Message(1, fakehost.Message{Role: role, Content: role, At: at.Add(time.Duration(i) * time.Hour)}); err != nil {
				return err
			}
		}
		if _, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:source", Active: true}); err != nil {
			return err
		}
		id, err := h.Message(2, fakehost.Message{Role: "user", Content: "meanwhile", At: at.Add(90 * time.Minute)})
		if err != nil {
			return err
		}
		_, err = h.Leaf(2, []int64{id}, "what was said meanwhile, elsewhere")
		return err
	})
	if err := errors.Join(err, h.Close()); err != nil {
		t.Fatal(err)
	}
	p := roundTrip(t, path, open(t, path), &transplant.Op{Source: 2, Target: 1})
	if got := p.Contexts[0].After[1]; !got.IsSummary() {
		t.Errorf("the summary isn't in front of the call: %v", p.Contexts[0].After)
	}
}

// TestOrdinalsWithGaps: pruning leaves them; they stay as they are, moved as a whole.
func TestOrdinalsWithGaps(t *testing.T) {
	t.Parallel()
	path, _ := twoBranches(t)
	host(t, path, func(h *fakehost.Writer) error {
		return h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal IN (0, 3)")
	})
	db := open(t, path)
	was := dump(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	id := apply(t, db, p)
	checkContext(t, db, p)
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was {
		t.Error("undo leaves something else")
	}
}

// TestAnEmptyTarget: there is no newest message to keep the newest.
func TestAnEmptyTarget(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	host(t, path, func(h *fakehost.Writer) error {
		_, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:new", Active: true})
		return err
	})
	db := open(t, path)
	apply(t, db, plan(t, db, &transplant.Op{Source: 1, Target: 3, Messages: true}))
	checkNoFaults(t, path)
	if n, err := testdb.Count(path, "SELECT min(seq) FROM messages WHERE conversation_id = 3"); err != nil || n != 1 {
		t.Errorf("its seqs begin at %d, %v", n, err)
	}
}

// TestSeqsNeverBecomeZero: programs take 0 for none.
func TestSeqsNeverBecomeZero(t *testing.T) {
	t.Parallel()
	for _, first := range []int{1, 3} {
		path, _ := twoBranches(t)
		host(t, path, func(h *fakehost.Writer) error {
			return h.Exec("UPDATE messages SET seq = seq + 1000 WHERE conversation_id = 1 AND seq > 0")
		})
		host(t, path, func(h *fakehost.Writer) error {
			return h.Exec("UPDATE messages SET seq = seq - 1001 + ? WHERE conversation_id = 1", first)
		})
		db := open(t, path)
		apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1}))
		bad, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id = 1 AND seq = 0")
		if err != nil || bad > 0 {
			t.Errorf("%d messages have seq 0, %v", bad, err)
		}
		lowest, err := testdb.Count(path, "SELECT min(seq) FROM messages WHERE conversation_id = 1")
		if want := first - 8; err != nil || lowest != want && lowest != want-1 {
			t.Errorf("from %d the lowest is %d, %v", first, lowest, err)
		}
	}
}
