package assemble_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/engine/assemble"

	"lcm-tui/internal/testdb"
)

// fixtures is the folder of databases that the reference engine wrote.
func fixtures(t testing.TB) string {
	t.Helper()
	path := testdb.Fixtures(t)
	return path
}

// replica is a copy of a database and its -wal, so that nothing touches the fixture.
func replica(t testing.TB, path string) string {
	t.Helper()
	to := filepath.Join(t.TempDir(), "lcm.db")
	for _, suffix := range []string{"", "-wal"} {
		b, err := os.ReadFile(path + suffix)
		if suffix != "" && os.IsNotExist(err) {
			continue
		}
		if err == nil {
			err = os.WriteFile(to+suffix, b, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return to
}

func opened(t testing.TB, path string) *data.DB {
	t.Helper()
	db, err := data.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

// answers are what the reference engine assembled.
type answers struct {
	Conversations []struct {
		ID    int64             `json:"conversationId"`
		Pool  []json.RawMessage `json:"pool"`
		Cases []answer          `json:"cases"`
	} `json:"conversations"`
}

type answer struct {
	Via, Label string
	Input      struct {
		Budget    int64  `json:"tokenBudget"`
		Count     int    `json:"freshTailCount"`
		MaxTokens *int64 `json:"freshTailMaxTokens"`
		Prompt    string `json:"prompt"`
		Aware     bool   `json:"promptAwareEviction"`
	}
	Estimated int64 `json:"estimatedTokens"`
	Stats     struct {
		Raw       int `json:"rawMessageCount"`
		Summaries int `json:"summaryCount"`
		Items     int `json:"totalContextItems"`
	}
	Messages []int
}

func (a answer) options() assemble.Options {
	in := a.Input
	return assemble.Options{
		Budget: in.Budget, Tail: assemble.Tail{Count: in.Count, MaxTokens: in.MaxTokens},
		Prompt: in.Prompt, PromptAware: in.Aware, Location: time.UTC,
	}
}

func TestAssembledAsByTheReference(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join(fixtures(t), "v0.15*", "*.goldens", "assemble.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no goldens (%v)", err)
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var want answers
		if err := json.Unmarshal(b, &want); err != nil {
			t.Fatal(err)
		}
		db := opened(t, replica(t, strings.TrimSuffix(filepath.Dir(path), ".goldens")+".db"))
		n := 0
		for _, conv := range want.Conversations {
			for _, c := range conv.Cases {
				if c.Via == "ContextAssembler.assemble" {
					n++
					sameAs(t, db, conv.ID, c, conv.Pool)
				}
			}
		}
		t.Logf("%s: %d cases", path, n)
	}
}

func sameAs(t *testing.T, db *data.DB, conv int64, c answer, pool []json.RawMessage) {
	t.Helper()
	got, err := assemble.Assemble(t.Context(), db, conv, c.options())
	if err != nil {
		t.Errorf("conversation %d, %s: %v", conv, c.Label, err)
		return
	}
	want := make([]string, len(c.Messages))
	for i, m := range c.Messages {
		want[i] = string(pool[m])
	}
	stats := assemble.Stats{RawMessages: c.Stats.Raw, Summaries: c.Stats.Summaries, TotalItems: c.Stats.Items}
	if got.Estimated != c.Estimated || got.Stats != stats {
		t.Errorf("conversation %d, %s: %d tokens of %+v, want %d of %+v", conv, c.Label, got.Estimated, got.Stats, c.Estimated, stats)
	}
	if diff := cmp.Diff(compact(t, want), lines(t, got.Messages)); diff != "" {
		t.Errorf("conversation %d, %s: %s", conv, c.Label, diff)
	}
	if len(got.Warnings) > 0 {
		t.Errorf("conversation %d, %s: %v", conv, c.Label, got.Warnings)
	}
}

// compact is JSON without white space, its members in their order.
func compact(t *testing.T, in []string) []string {
	t.Helper()
	out := make([]string, len(in))
	for i, s := range in {
		var b strings.Builder
		e := json.NewEncoder(&b)
		e.SetEscapeHTML(false)
		if err := e.Encode(json.RawMessage(s)); err != nil {
			t.Fatal(err)
		}
		out[i] = strings.TrimSuffix(b.String(), "\n")
	}
	return out
}

// lines is the JSON of messages.
func lines(t *testing.T, ms []assemble.Message) []string {
	t.Helper()
	out := make([]string, len(ms))
	for i, m := range ms {
		b, err := m.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		out[i] = string(b)
	}
	return out
}
