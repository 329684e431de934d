package assemble_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/engine/assemble"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// answers are what the reference engine assembled.
type answers struct {
	Conversations []struct {
		ID    int64             `json:"conversationId"`
		Pool  []json.RawMessage `json:"pool"`
		Cases []answer          `json:"cases"`
	} `json:"conversations"`
}

// answer is one of them: the messages are indexes into the pool.
type answer struct {
	Via, Label, Timezone string
	Input                struct {
		Budget    int64  `json:"tokenBudget"`
		Count     int    `json:"freshTailCount"`
		MaxTokens *int64 `json:"freshTailMaxTokens"`
		Prompt    string `json:"prompt"`
		Aware     bool   `json:"promptAwareEviction"`
		Stubs     bool   `json:"stubLargeToolPayloads"`
	}
	Estimated int64     `json:"estimatedTokens"`
	Stats     *struct { // Nil where they weren't noted.
		Raw       int `json:"rawMessageCount"`
		Summaries int `json:"summaryCount"`
		Items     int `json:"totalContextItems"`
	}
	Messages []int
}

func (a answer) options() (assemble.Options, error) {
	in := a.Input
	at, err := time.LoadLocation(a.Timezone) // UTC for none.
	return assemble.Options{
		Budget: in.Budget, Tail: assemble.Tail{Count: in.Count, MaxTokens: in.MaxTokens},
		Prompt: in.Prompt, PromptAware: in.Aware, StubLargePayloads: in.Stubs, Location: at,
	}, err
}

// kind returns what a case asks for beside a budget and a number of messages.
func (a answer) kind() string {
	out := []string{"plain"}
	for name, is := range map[string]bool{
		"prompt": a.Input.Aware, "stubs": a.Input.Stubs, "tail tokens": a.Input.MaxTokens != nil, "zone": a.Timezone != "",
	} {
		if is {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return strings.TrimPrefix(strings.Join(out, "+"), "plain+")
}

// TestAssembledAsByTheReference: every context that the reference engine assembled is
// assembled alike, member for member and byte for byte.
func TestAssembledAsByTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, folder := range []string{"v0.1.0", "v0.15.3", "v1.0", "hard", "wild"} {
		for _, path := range testdb.FixtureFiles(t, folder+"/*.goldens/assemble.json") {
			path = filepath.Dir(path)
			t.Run(folder+"/"+strings.TrimSuffix(filepath.Base(path), ".goldens"), func(t *testing.T) {
				t.Parallel()
				b, err := os.ReadFile(filepath.Join(path, "assemble.json"))
				if err != nil {
					t.Fatal(err)
				}
				var want answers
				if err := json.Unmarshal(b, &want); err != nil {
					t.Fatal(err)
				}
				compareAll(t, testdb.Open(t, testdb.Copy(t, strings.TrimSuffix(path, ".goldens")+".db")), want)
			})
		}
	}
}

// compareAll compares what is assembled with what the reference engine did, and counts
// by kind of case what is equal, what differs in the order of members only, and what
// differs in more.
func compareAll(t *testing.T, db *data.DB, want answers) {
	t.Helper()
	counts, shown := map[string]int{}, 0
	for _, conv := range want.Conversations {
		pool := make([]string, len(conv.Pool))
		for i, m := range conv.Pool {
			pool[i] = string(jstext.Parse(string(m)))
		}
		for _, c := range conv.Cases {
			if c.Via != "" && c.Via != "ContextAssembler.assemble" {
				continue
			}
			verdict, why := compare(t, db, conv.ID, c, pool)
			counts[c.kind()+": "+verdict]++
			if verdict != "equal" {
				if shown++; shown <= 3 {
					t.Errorf("conversation %d, %s: %s%s", conv.ID, c.Label, verdict, why)
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		t.Logf("%4d %s", counts[name], name)
	}
	if shown > 3 {
		t.Errorf("and %d more differ", shown-3)
	}
}

// compare assembles a case and says in a word how it compares, and why.
func compare(t *testing.T, db *data.DB, conv int64, c answer, pool []string) (verdict, why string) {
	t.Helper()
	o, err := c.options()
	if err != nil {
		t.Fatal(err)
	}
	got, err := assemble.Assemble(t.Context(), db, conv, o)
	if err != nil {
		return "different", "\n" + err.Error()
	}
	want := make([]string, len(c.Messages))
	for i, m := range c.Messages {
		want[i] = pool[m]
	}
	stats := got.Stats
	if s := c.Stats; s != nil {
		stats = assemble.Stats{RawMessages: s.Raw, Summaries: s.Summaries, TotalItems: s.Items}
	}
	if got.Estimated != c.Estimated || got.Stats != stats || len(got.Warnings) > 0 {
		why = fmt.Sprintf("\n%d tokens of %+v, want %d of %+v; %v", got.Estimated, got.Stats, c.Estimated, stats, got.Warnings)
	}
	is := lines(t, got.Messages)
	if slices.Equal(is, want) {
		if why != "" {
			return "different", why
		}
		return "equal", ""
	}
	i := 0
	for i < min(len(is), len(want)) && is[i] == want[i] {
		i++
	}
	why += fmt.Sprintf("\nmessage %d of %d, want %d:\n%s\n%s", i, len(is), len(want), at(is, i), at(want, i))
	if slices.EqualFunc(is, want, sameMembers) {
		return "the order of members", why
	}
	return "different", why
}

func at(s []string, i int) string {
	if i < len(s) {
		return s[i]
	}
	return "(none)"
}

// sameMembers reports whether two objects have the same members in any order.
func sameMembers(a, b string) bool {
	sorted := func(s string) string {
		var v any
		if err := json.Unmarshal([]byte(s), &v); err != nil {
			return s
		}
		out, err := json.Marshal(v)
		if err != nil {
			return s
		}
		return string(out)
	}
	return sorted(a) == sorted(b)
}

// lines returns the JSON of messages.
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
