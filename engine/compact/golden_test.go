package compact_test

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/compact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// call is one call of the model as the reference engine recorded it.
type call struct {
	N          int    `json:"n"`
	Aggressive bool   `json:"aggressive"`
	Text       string `json:"text"`
	Options    struct {
		PreviousSummary string `json:"previousSummary"`
		IsCondensed     bool   `json:"isCondensed"`
		Depth           int    `json:"depth"`
	} `json:"options"`
	LLM    *struct{ MaxTokens, TargetTokens int } `json:"llm"`
	Output string                                 `json:"output"`
	Threw  string                                 `json:"threw"`
}

// recorder is the model of the fixtures, and keeps what it was asked.
type recorder struct {
	calls []summarize.Request
	name  string // claude-sonnet-4-5 unless set.
	// script gives the answer to the n-th call, from 1, where it isn't by the rule.
	script func(n int) (text string, ok bool, err error)
}

func (r *recorder) Name() string { return cmp.Or(r.name, "claude-sonnet-4-5") }

func (r *recorder) Summarize(_ context.Context, q summarize.Request) (summarize.Reply, error) {
	r.calls = append(r.calls, q)
	if r.script != nil {
		if text, ok, err := r.script(len(r.calls)); ok {
			return summarize.Reply{Text: text}, err
		}
	}
	return summarize.Reply{Text: rule(q)}, nil
}

// rule returns how the fixtures' model writes; see their README.
func rule(q summarize.Request) string {
	mode, target := "n", 60
	if q.Kind == lcm.KindCondensed {
		target = 90
	}
	if q.Mode == summarize.Aggressive {
		mode, target = "a", 40
	}
	sum := sha256.Sum256([]byte(q.Source))
	text := fmt.Sprintf("S%d%s:%x", q.Depth, mode, sum[:6])
	for i := 1; (len(text)+3)/4 < target; i++ {
		text += fmt.Sprintf(" w%d", i)
	}
	return text
}

// golden is a run of the reference engine.
type golden struct {
	Note   string
	Config json.RawMessage
	// From index.json.
	Calls, Summaries int
	Result           json.RawMessage
	// From result.json, where there is one.
	ContextTokens     struct{ Before, After int64 }
	ContextItemsAfter [][]any
	Rows              []row `json:"-"`
	SummaryMessages   links
	SummaryParents    []struct {
		Summary string `json:"summary_id"`
		Parent  string `json:"parent_summary_id"`
	}
	Recorded []call `json:"-"`
	whole    bool
}

// row is a stored summary.
type row struct {
	ID               string `json:"summary_id"`
	Kind             string `json:"kind"`
	Depth            int64  `json:"depth"`
	Content          string `json:"content"`
	Tokens           int64  `json:"token_count"`
	FileIDs          string `json:"file_ids"`
	Earliest         string `json:"earliest_at"`
	Latest           string `json:"latest_at"`
	Descendants      int64  `json:"descendant_count"`
	DescendantTokens int64  `json:"descendant_token_count"`
	SourceTokens     int64  `json:"source_message_token_count"`
	Model            string `json:"model"`
	CreatedAt        string `json:"created_at"`
}

// links are the messages of each summary, in link order. The folders of runs have
// them in two shapes.
type links map[string][]int64

// UnmarshalJSON implements json.Unmarshaler.
func (l *links) UnmarshalJSON(b []byte) error {
	var rows []struct {
		Summary string `json:"summary_id"`
		Message int64  `json:"message_id"`
	}
	if json.Unmarshal(b, &rows) != nil {
		return json.Unmarshal(b, (*map[string][]int64)(l))
	}
	*l = links{}
	for _, r := range rows {
		(*l)[r.Summary] = append((*l)[r.Summary], r.Message)
	}
	return nil
}

func fixtures(t testing.TB) string {
	t.Helper()
	root := testdb.Fixtures(t)
	return filepath.Join(root, "compaction")
}

// goldens returns all runs by name, those without a folder as index.json has them.
func goldens(t *testing.T) map[string]*golden {
	t.Helper()
	var index struct {
		Base json.RawMessage
		Runs []struct {
			Name, Note       string
			Calls, Summaries int
			Result           json.RawMessage
		}
	}
	read(t, filepath.Join(fixtures(t), "index.json"), &index)
	out := map[string]*golden{}
	for _, r := range index.Runs {
		g := &golden{Config: slices.Clone(index.Base)}
		folder := filepath.Join(fixtures(t), r.Name)
		if _, err := os.Stat(folder); err == nil {
			g.whole = true
			g.read(t, folder)
		}
		g.Note, g.Calls, g.Summaries, g.Result = r.Note, r.Calls, r.Summaries, r.Result
		out[r.Name] = g
	}
	return out
}

func (g *golden) read(t *testing.T, folder string) {
	t.Helper()
	var rows struct{ Summaries []row }
	read(t, filepath.Join(folder, "result.json"), &rows)
	read(t, filepath.Join(folder, "result.json"), &struct {
		*golden
		Calls, Summaries json.RawMessage // Of other shapes than in the index.
	}{golden: g})
	g.Rows = rows.Summaries
	b, err := os.ReadFile(filepath.Join(folder, "calls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(b))
	lines.Buffer(nil, len(b)+1)
	for lines.Scan() {
		if len(lines.Bytes()) == 0 {
			continue
		}
		var c call
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		g.Recorded = append(g.Recorded, c)
	}
}

func read(t *testing.T, path string, into any) {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// request returns a forced sweep with the run's settings.
func (g *golden) request(t *testing.T) compact.Request {
	t.Helper()
	c := compact.Defaults()
	if err := json.Unmarshal(g.Config, &c); err != nil {
		t.Fatal(err)
	}
	c.Timezone = cmp.Or(c.Timezone, "UTC")
	return compact.Request{
		Mode: compact.Sweep, Config: c, Budget: 3000, Force: true, Fallback: true, Job: summarize.Job{Thinking: true},
	}
}

// checkCalls compares what the model was asked.
func (g *golden) checkCalls(t *testing.T, got []summarize.Request) {
	t.Helper()
	if len(got) != g.Calls {
		t.Errorf("%d calls, not %d", len(got), g.Calls)
	}
	for i, want := range g.Recorded[:min(len(got), len(g.Recorded))] {
		is := got[i]
		mode, kind := summarize.Normal, lcm.KindLeaf
		if want.Aggressive {
			mode = summarize.Aggressive
		}
		if want.Options.IsCondensed {
			kind = lcm.KindCondensed
		}
		if diff := gocmp.Diff(want.Text, is.Source); diff != "" {
			t.Errorf("call %d, source:\n%s", i+1, diff)
		}
		if diff := gocmp.Diff(want.Options.PreviousSummary, is.Previous); diff != "" {
			t.Errorf("call %d, previous summary:\n%s", i+1, diff)
		}
		if is.Mode != mode || is.Kind != kind || is.Depth != want.Options.Depth {
			t.Errorf("call %d: %s %s of depth %d, not %s %s of %d", i+1, is.Mode, is.Kind, is.Depth, mode, kind, want.Options.Depth)
		}
		if l := want.LLM; l != nil && (is.Target != l.TargetTokens || is.MaxTokens != l.MaxTokens) {
			t.Errorf("call %d: target %d of %d, not %d of %d", i+1, is.Target, is.MaxTokens, l.TargetTokens, l.MaxTokens)
		}
	}
}

// checkRows compares the summaries made, their links and the context. Ids differ,
// so they are distinguished by the order in which they were made.
func (g *golden) checkRows(t *testing.T, made []compact.NewSummary, items []lcm.ContextItem) {
	t.Helper()
	if len(made) != g.Summaries {
		t.Errorf("%d summaries, not %d", len(made), g.Summaries)
	}
	if !g.whole || len(made) != len(g.Rows) {
		return
	}
	theirs := map[string]string{}
	for i, want := range g.Rows {
		theirs[made[i].ID] = want.ID
		is := rowOf(made[i])
		is.ID, is.CreatedAt = want.ID, want.CreatedAt
		if diff := gocmp.Diff(want, is); diff != "" {
			t.Errorf("summary %d:\n%s", i+1, diff)
		}
		if diff := gocmp.Diff(g.SummaryMessages[want.ID], made[i].Messages); diff != "" {
			t.Errorf("messages of summary %d:\n%s", i+1, diff)
		}
		var parents, sources []string
		for _, p := range g.SummaryParents {
			if p.Summary == want.ID {
				parents = append(parents, p.Parent)
			}
		}
		for _, s := range made[i].Sources {
			sources = append(sources, cmp.Or(theirs[s], s))
		}
		if diff := gocmp.Diff(parents, sources); diff != "" {
			t.Errorf("sources of summary %d:\n%s", i+1, diff)
		}
	}
	g.checkContext(t, items, theirs)
}

func (g *golden) checkContext(t *testing.T, items []lcm.ContextItem, theirs map[string]string) {
	t.Helper()
	var want, is []string
	for _, it := range g.ContextItemsAfter {
		if it[0].(float64) == float64(items[0].Conversation) {
			want = append(want, fmt.Sprint(it[2:]...)) // The order counts: the reference closes gaps.
		}
	}
	for _, it := range items {
		if it.IsSummary() {
			is = append(is, fmt.Sprint(it.Type, cmp.Or(theirs[it.Summary], it.Summary)))
		} else {
			is = append(is, fmt.Sprint(it.Type, float64(it.Message)))
		}
	}
	if diff := gocmp.Diff(want, is); diff != "" {
		t.Errorf("context:\n%s", diff)
	}
}

func rowOf(s compact.NewSummary) row {
	return row{
		ID: s.ID, Kind: s.Kind, Depth: s.Depth, Content: s.Content, Tokens: s.Tokens, FileIDs: s.FileIDs,
		Earliest: s.EarliestAt.Raw, Latest: s.LatestAt.Raw, Descendants: s.Descendants,
		DescendantTokens: s.DescendantTokens, SourceTokens: s.SourceTokens, Model: s.Model, CreatedAt: s.CreatedAt.Raw,
	}
}

// checkTotals compares what is stored and what the reference engine reports, and
// says where the two differ.
func (g *golden) checkTotals(t *testing.T, o compact.Outcome) {
	t.Helper()
	var want struct {
		ActionTaken, Condensed, AuthFailure, StoppedAtBudget bool
		TokensBefore, TokensAfter                            int64
		Level                                                summarize.Level
		Rejected                                             string
	}
	if err := json.Unmarshal(g.Result, &want); err != nil {
		t.Fatal(err)
	}
	t.Logf("after %d calls %d tokens are stored, the reference counts %d; %s", o.Usage.Calls, o.TokensAfter, o.Counted, o.Stopped)
	if g.whole && o.TokensAfter != g.ContextTokens.After {
		t.Errorf("%d tokens are stored afterwards, not %d", o.TokensAfter, g.ContextTokens.After)
	}
	if want.Rejected != "" {
		return
	}
	if o.TokensBefore != want.TokensBefore || o.Counted != want.TokensAfter {
		t.Errorf("it counts %d → %d, not %d → %d", o.TokensBefore, o.Counted, want.TokensBefore, want.TokensAfter)
	}
	if o.Acted() != want.ActionTaken || o.Condensed != want.Condensed || o.Level != want.Level {
		t.Errorf("acted %v, condensed %v, level %q; not %v, %v, %q", o.Acted(), o.Condensed, o.Level, want.ActionTaken, want.Condensed, want.Level)
	}
	if (o.Stopped == compact.IterationCap) != want.StoppedAtBudget || (o.Stopped == compact.Refused) != want.AuthFailure {
		t.Errorf("stopped: %s", o.Stopped)
	}
}

// sweeps are the runs that are one sweep, and what each asks for beside its
// settings.
var sweeps = map[string]func(*compact.Request){
	"full-sweep":                 func(*compact.Request) {},
	"full-sweep-deep":            func(*compact.Request) {},
	"full-sweep-tail-cap":        func(r *compact.Request) { r.Config.FreshTailCount, r.Config.FreshTailMaxTokens = 20, new(int64(120)) },
	"full-sweep-iteration-cap":   func(r *compact.Request) { r.Config.MaxSweepIterations = 2 },
	"full-sweep-stop-at":         func(r *compact.Request) { r.StopAt = 3500 },
	"full-sweep-hard-trigger":    func(r *compact.Request) { r.Hard = true },
	"full-sweep-below-threshold": func(r *compact.Request) { r.Budget, r.Force = 100_000, false },
	"full-sweep-defaults":        func(r *compact.Request) { r.Budget, r.Force = 4000, false },
	"full-sweep-short":           func(*compact.Request) {},
	"auth-failure":               func(*compact.Request) {},
	"escalation":                 func(*compact.Request) {},
	"throwing-summarizer":        func(*compact.Request) {},
}

var errPlain = errors.New("PLAIN")

// scripted returns the models that don't keep to the rule.
func scripted(name string, g *golden) func(int) (string, bool, error) {
	switch name {
	case "auth-failure":
		return func(n int) (string, bool, error) { return "", n == 3, summarize.ErrAuth }
	case "throwing-summarizer":
		return func(n int) (string, bool, error) { return "", n == 2, errPlain }
	case "escalation":
		return func(n int) (string, bool, error) {
			if n > len(g.Recorded) {
				return "", false, nil
			}
			return g.Recorded[n-1].Output, true, nil
		}
	}
	return nil
}

func TestSweepsAsTheReference(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	runs := goldens(t)
	for name, ask := range sweeps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			g := runs[name]
			if g == nil {
				t.Skip("the fixtures have no such run")
			}
			r, conv := g.request(t), int64(1)
			if name == "full-sweep-short" {
				conv = 2
			}
			ask(&r)
			m := &recorder{script: scripted(name, g)}
			o, err := compact.Run(t.Context(), open(t, before(t)), conv, r, m, noReport)
			checkFailure(t, name, o, err)
			g.checkCalls(t, m.calls)
			g.checkRows(t, o.New, o.Context)
			g.checkTotals(t, o)
		})
	}
}

func checkFailure(t *testing.T, name string, o compact.Outcome, err error) {
	t.Helper()
	want := map[string]error{"auth-failure": summarize.ErrAuth, "throwing-summarizer": errPlain}[name]
	if !errors.Is(err, want) {
		t.Fatalf("error %v, not %v", err, want)
	}
	if want == nil {
		return
	}
	var partial *compact.PartialError
	if !errors.As(err, &partial) || partial.Made != len(o.New) {
		t.Errorf("%v isn't about the %d summaries made", err, len(o.New))
	}
}

// TestEveryRunIsTried fails when the fixtures have a run that no test knows.
func TestEveryRunIsTried(t *testing.T) {
	t.Parallel()
	for name := range goldens(t) {
		if _, ok := sweeps[name]; !ok && !slices.Contains([]string{"leaf-incremental", "leaf-trigger", "until-under", "until-under-unreachable"}, name) {
			t.Errorf("%s: %s", name, strings.TrimSpace("no test runs it"))
		}
	}
}
