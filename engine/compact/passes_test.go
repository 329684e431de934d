package compact_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/compact"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
)

func noReport(int, int, string) {}

// before returns a private copy of the database that the reference engine's runs began
// with.
func before(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(fixtures(t), "before.db"))
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "lcm.db")
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

func open(t testing.TB, path string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	db.Now = func() time.Time { return time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC) }
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// apply writes an outcome into the file, as an operation would.
func apply(t *testing.T, path string, o compact.Outcome) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	err = h.Tx(func(h *fakehost.Writer) error {
		for _, s := range o.New {
			if err := store(h, s); err != nil {
				return err
			}
		}
		if err := h.Exec("DELETE FROM context_items WHERE conversation_id = ?", o.Conversation); err != nil {
			return err
		}
		for _, it := range o.Context {
			if err := h.Row("context_items", it.Row()); err != nil {
				return err
			}
		}
		return nil
	})
	if e := h.Close(); err == nil {
		err = e
	}
	if err != nil {
		t.Fatal(err)
	}
}

func store(h *fakehost.Writer, s compact.NewSummary) error {
	row := map[string]any{
		"summary_id": s.ID, "conversation_id": s.Conversation, "kind": s.Kind, "depth": s.Depth, "content": s.Content,
		"token_count": s.Tokens, "file_ids": s.FileIDs, "earliest_at": s.EarliestAt.Raw, "latest_at": s.LatestAt.Raw,
		"descendant_count": s.Descendants, "descendant_token_count": s.DescendantTokens,
		"source_message_token_count": s.SourceTokens, "model": s.Model, "created_at": s.CreatedAt.Raw,
	}
	for column := range row {
		if !h.Has("summaries", column) {
			delete(row, column)
		}
	}
	if err := h.Row("summaries", row); err != nil {
		return err
	}
	for i, m := range s.Messages {
		if err := h.Exec("INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES (?, ?, ?)", s.ID, m, i); err != nil {
			return err
		}
	}
	for i, id := range s.Sources {
		if err := h.Exec("INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES (?, ?, ?)", s.ID, id, i); err != nil {
			return err
		}
	}
	return nil
}

// TestLeavesAsTheReference: each run goes on from the file that the one before
// left.
func TestLeavesAsTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, name := range []string{"leaf-incremental", "leaf-trigger"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := goldens(t)[name]
			r := g.request(t)
			r.Mode, r.Force = compact.Leaf, name == "leaf-incremental"
			path, m := before(t), &recorder{}
			var made []compact.NewSummary
			var o compact.Outcome
			for i, want := range g.steps(t) {
				var err error
				if o, err = compact.Run(t.Context(), open(t, path), 1, r, m, noReport); err != nil {
					t.Fatal(err)
				}
				apply(t, path, o)
				made = append(made, o.New...)
				t.Logf("step %d: %d tokens are stored, the reference counts %d; %s", i+1, o.TokensAfter, o.Counted, o.Stopped)
				want.CreatedSummaryID = ""
				if got := (step{o.Acted(), o.TokensBefore, o.Counted, "", o.Condensed}); got != want {
					t.Errorf("step %d: %+v, not %+v", i+1, got, want)
				}
			}
			g.checkCalls(t, m.calls)
			g.checkRows(t, made, o.Context)
			if g.whole && o.TokensAfter != g.ContextTokens.After {
				t.Errorf("%d tokens are stored afterwards, not %d", o.TokensAfter, g.ContextTokens.After)
			}
		})
	}
}

// step is what the reference engine says of one run.
type step struct {
	ActionTaken               bool
	TokensBefore, TokensAfter int64
	CreatedSummaryID          string
	Condensed                 bool
}

func (g *golden) steps(t *testing.T) []step {
	t.Helper()
	var nested []struct {
		step
		Result *step
	}
	if err := json.Unmarshal(g.Result, &nested); err != nil {
		t.Fatal(err)
	}
	out := make([]step, len(nested))
	for i, n := range nested {
		if out[i] = n.step; n.Result != nil {
			out[i] = *n.Result
		}
	}
	return out
}

func TestUntilAsTheReference(t *testing.T) {
	t.Parallel()
	for name, target := range map[string]int64{"until-under": 1200, "until-under-unreachable": 50} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := goldens(t)[name]
			r := g.request(t)
			r.Mode, r.Target = compact.Until, target
			m := &recorder{}
			o, err := compact.Run(t.Context(), open(t, before(t)), 1, r, m, noReport)
			if err != nil {
				t.Fatal(err)
			}
			var want struct {
				Success     bool
				Rounds      int
				FinalTokens int64
			}
			if err := json.Unmarshal(g.Result, &want); err != nil {
				t.Fatal(err)
			}
			t.Logf("%d tokens are stored, the reference counts %d; %s", o.TokensAfter, o.Counted, o.Stopped)
			got := fmt.Sprint(o.Reached, o.Rounds, o.Counted)
			if exp := fmt.Sprint(want.Success, want.Rounds, want.FinalTokens); got != exp {
				t.Errorf("%s, not %s", got, exp)
			}
			g.checkCalls(t, m.calls)
			g.checkRows(t, o.New, o.Context)
			if g.whole && o.TokensAfter != g.ContextTokens.After {
				t.Errorf("%d tokens are stored afterwards, not %d", o.TokensAfter, g.ContextTokens.After)
			}
		})
	}
}
