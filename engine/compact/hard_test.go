package compact_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testlength"
)

// hardRun is a run of the reference engine on a conversation that is hard to read.
type hardRun struct {
	golden
	order
	before string // The database.
}

// order is what a run of the reference engine was asked for.
type order struct {
	Conversation, Budget, Target, StopAt int64

	Op          string
	Force, Hard bool
	Times       int
}

// hardRuns returns all runs of the folder by name. A run NAME-N begins with NAME.db.
func hardRuns(t *testing.T) map[string]*hardRun {
	t.Helper()
	root := filepath.Join(filepath.Dir(fixtures(t)), "hard", "compaction")
	paths, err := filepath.Glob(filepath.Join(root, "*-*", "result.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no runs (%v)", err)
	}
	out := map[string]*hardRun{}
	for _, path := range paths {
		folder := filepath.Dir(path)
		name := filepath.Base(folder)
		r := &hardRun{before: filepath.Join(root, name[:len(name)-len("-1")]+".db")}
		r.read(t, folder)
		read(t, path, &r.order)
		var result struct {
			Result json.RawMessage
			Calls  int
		}
		read(t, path, &result)
		r.whole, r.Result, r.Calls, r.Summaries = true, result.Result, result.Calls, len(r.Rows)
		out[name] = r
	}
	return out
}

// request returns what the run asked for.
func (r *hardRun) request(t *testing.T) compact.Request {
	t.Helper()
	q := r.golden.request(t)
	q.Mode, q.Budget, q.Force, q.Hard = compact.Mode(r.Op), r.Budget, r.Force, r.Hard
	q.StopAt, q.Target = r.StopAt, r.Target
	return q
}

// copied returns a private copy of a database that nobody has open.
func copied(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	to := filepath.Join(t.TempDir(), "lcm.db")
	if err := os.WriteFile(to, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return to
}

func TestHardConversationsAsTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, g := range hardRuns(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r, m, path := g.request(t), &recorder{name: "test/rule"}, copied(t, g.before)
			var made []compact.NewSummary
			var o compact.Outcome
			for i, want := range g.wantedLines(t) {
				var err error
				if o, err = compact.Run(t.Context(), open(t, path), g.Conversation, r, m, noReport); err != nil {
					t.Fatal(err)
				}
				made = append(made, o.New...)
				if got := g.says(o); got != want {
					t.Errorf("step %d: %+v\nnot %+v", i+1, got, want)
				}
				if g.Times > 1 {
					apply(t, path, o)
				}
			}
			g.checkCalls(t, m.calls)
			g.checkRows(t, made, o.Context)
			if o.TokensAfter != g.ContextTokens.After {
				t.Errorf("%d tokens are stored afterwards, not %d", o.TokensAfter, g.ContextTokens.After)
			}
		})
	}
}

// wantedLines is what the reference engine says of one step.
type wantedLines struct {
	ActionTaken, Condensed, AuthFailure, StoppedAtBudget bool
	TokensBefore, TokensAfter                            int64
	Level                                                summarize.Level

	// Of a run until a target.
	Success     bool
	Rounds      int
	FinalTokens int64
}

// wantedLines returns what the reference engine said of each step.
func (r *hardRun) wantedLines(t *testing.T) []wantedLines {
	t.Helper()
	steps := make([]wantedLines, 1)
	var into any = &steps[0]
	if r.Op == "leaf" {
		into = &steps
	}
	if err := json.Unmarshal(r.Result, into); err != nil {
		t.Fatal(err)
	}
	return steps
}

// says returns what it would say of an outcome of ours.
func (r *hardRun) says(o compact.Outcome) wantedLines {
	if r.Op == "until" {
		return wantedLines{Success: o.Reached, Rounds: o.Rounds, FinalTokens: o.Counted}
	}
	return wantedLines{
		ActionTaken: o.Acted(), Condensed: o.Condensed, AuthFailure: o.Stopped == compact.Refused,
		StoppedAtBudget: o.Stopped == compact.IterationCap || o.Stopped == compact.Deadline,
		TokensBefore:    o.TokensBefore, TokensAfter: o.Counted, Level: o.Level,
	}
}
