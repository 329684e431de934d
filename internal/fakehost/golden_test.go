package fakehost_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// run is a compaction of the reference engine, as it was recorded.
type run struct {
	Config struct {
		FreshTailCount, FreshTailMaxTokens, LeafChunkTokens, CondensedTargetTokens int
		LeafMinFanout, CondensedMinFanout, CondensedMinFanoutHard                  int
	}
	ContextItemsAfter [][]any
	Summaries         []struct {
		SummaryID    string `json:"summary_id"`
		Conversation int64  `json:"conversation_id"`
		Kind         string
		Content      string
		Counted      int `json:"source_message_token_count"`
	}
	SummaryMessages map[string][]int64
	SummaryParents  []struct {
		SummaryID string `json:"summary_id"`
		Source    string `json:"parent_summary_id"`
	}
}

// TestCompactsAsTheReference: what the host picks, pass by pass, and the context that it
// leaves are those of the reference engine.
func TestCompactsAsTheReference(t *testing.T) {
	t.Parallel()
	root := filepath.Join(testdb.Fixtures(t), "compaction")
	for _, name := range []string{"full-sweep", "full-sweep-deep", "full-sweep-tail-cap", "leaf-incremental", "until-under", "escalation"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var g run
			b, err := os.ReadFile(filepath.Join(root, name, "result.json"))
			if err == nil {
				err = json.Unmarshal(b, &g)
			}
			if err != nil {
				t.Fatal(err)
			}
			path := testdb.Fixture(t, "compaction/before.db")
			c := fakehost.Config{
				FreshTailCount: g.Config.FreshTailCount, FreshTailMaxTokens: g.Config.FreshTailMaxTokens, LeafChunkTokens: g.Config.LeafChunkTokens,
				CondensedTarget: g.Config.CondensedTargetTokens, LeafMinFanout: g.Config.LeafMinFanout,
				CondensedMinFanout: g.Config.CondensedMinFanout, HardMinFanout: g.Config.CondensedMinFanoutHard,
			}
			h := start(t, path, c)
			names := g.follow(t, h)
			if diff := cmp.Diff(g.context(), contextOf(t, h, 0, names)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// follow plays the passes of a run and returns the reference's names of their summaries.
func (g run) follow(t *testing.T, h *fakehost.Host) map[string]string {
	t.Helper()
	theirs, ours := map[string]string{}, map[string]string{}
	for n, s := range g.Summaries {
		pick := h.ChooseLeaf
		if s.Kind == "condensed" {
			pick = func(conv int64) (fakehost.Choice, bool, error) {
				c, ok, err := h.ChooseCondensed(conv, -1, false)
				if !ok && err == nil {
					c, ok, err = h.ChooseCondensed(conv, -1, true)
				}
				return c, ok, err
			}
		}
		c, ok, err := pick(s.Conversation)
		if err != nil || !ok {
			t.Fatalf("pass %d: nothing to choose (%v)", n+1, err)
		}
		var sources []string
		for _, p := range g.SummaryParents {
			if p.SummaryID == s.SummaryID {
				sources = append(sources, ours[p.Source])
			}
		}
		if diff := cmp.Diff(g.SummaryMessages[s.SummaryID], c.Messages); diff != "" {
			t.Fatalf("pass %d: %s", n+1, diff)
		}
		if diff := cmp.Diff(sources, c.Summaries); diff != "" {
			t.Fatalf("pass %d: %s", n+1, diff)
		}
		id, err := h.Write(c, s.Content)
		if err != nil {
			t.Fatal(err)
		}
		theirs[id], ours[s.SummaryID] = s.SummaryID, id
		var counted int
		if err := h.Read([]any{&counted}, "SELECT source_message_token_count FROM summaries WHERE summary_id = ?", id); err != nil || counted != s.Counted {
			t.Errorf("pass %d: %d tokens of messages, want %d (%v)", n+1, counted, s.Counted, err)
		}
	}
	return theirs
}

func (g run) context() (out []string) {
	for _, i := range g.ContextItemsAfter {
		out = append(out, fmt.Sprintf("%v: %v is %v %v", i[0], i[1], i[2], i[3]))
	}
	return out
}

// contextOf returns the context of a conversation, or with 0 of all, a line for each place.
func contextOf(t *testing.T, h *fakehost.Host, conv int64, names map[string]string) (out []string) {
	t.Helper()
	err := h.Each(`SELECT conversation_id, ordinal, item_type, coalesce(summary_id, message_id) FROM context_items
		WHERE ?1 IN (0, conversation_id) ORDER BY 1, 2`, []any{conv}, func(scan func(...any) error) error {
		var c, o int64
		var kind, id string
		err := scan(&c, &o, &kind, &id)
		if names[id] != "" {
			id = names[id]
		}
		out = append(out, fmt.Sprintf("%d: %d is %s %s", c, o, kind, id))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// start starts a host on a file until the test ends.
func start(t *testing.T, path string, c fakehost.Config) *fakehost.Host {
	t.Helper()
	h, err := fakehost.Start(path, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// begin makes a file of a level with one active conversation, number 1, and starts a host.
func begin(t *testing.T, level fakehost.Level, c fakehost.Config) *fakehost.Host {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, level)
	if err != nil {
		t.Fatal(err)
	}
	_, err = w.Conversation(fakehost.Conversation{SessionKey: key, Active: true})
	if cerr := w.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		t.Fatal(err)
	}
	return start(t, path, c)
}

const key = "agent:main:main"

// turns returns n messages that all differ, with transcript entries or without.
func turns(first, n int, ids bool) (out []fakehost.Message) {
	for i := first; i < first+n; i++ {
		m := fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("what was said as number %d, at some length", i)}
		if ids {
			m.EntryID = fmt.Sprintf("entry%03d", i)
		}
		out = append(out, m)
	}
	return out
}

// number returns what a query answers with.
func number(t *testing.T, h *fakehost.Host, query string, args ...any) (n int) {
	t.Helper()
	if err := h.Read([]any{&n}, query, args...); err != nil {
		t.Fatal(err)
	}
	return n
}

// must fails the test on an error.
func must[T any](t *testing.T) func(T, error) T {
	return func(v T, err error) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}
