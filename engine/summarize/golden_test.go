package summarize_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
)

// open opens a copy of a fixture.
func open(t *testing.T, path string) *data.DB {
	t.Helper()
	return testdb.Open(t, testdb.Copy(t, path))
}

// form returns that of the fixtures.
func form() summarize.Form { return summarize.Form{StripTags: summarize.DefaultStripTags()} }

// modelCall is one call that the reference engine made.
type modelCall struct {
	Aggressive bool
	Text       string
	Output     string
	Threw      string
	Options    struct {
		PreviousSummary string
		IsCondensed     bool
		Depth           int
	}
	LLM struct{ MaxTokens, TargetTokens int }
}

// goldenSummary is a summary that the reference engine wrote.
type goldenSummary struct {
	ID       string `json:"summary_id"`
	Depth    int
	Content  string
	Tokens   int64  `json:"token_count"`
	Earliest string `json:"earliest_at"`
	Latest   string `json:"latest_at"`
	Created  string `json:"created_at"`
	FileIDs  string `json:"file_ids"`
}

// sweep is one run of the reference engine's compaction.
type sweep struct {
	Config struct {
		LeafTargetTokens, CondensedTargetTokens int
		SummaryMaxOverageFactor                 float64
		FallbackMaxTokens                       int64
	} `json:"effectiveConfig"`
	Summaries []goldenSummary
	Messages  map[string][]int64 `json:"summaryMessages"`
	Parents   []struct {
		ID     string `json:"summary_id"`
		Source string `json:"parent_summary_id"`
	} `json:"summaryParents"`
	calls []modelCall
}

func runs(t *testing.T, test func(t *testing.T, s sweep)) {
	t.Helper()
	for _, p := range testdb.FixtureFiles(t, "compaction/*/result.json") {
		t.Run(filepath.Base(filepath.Dir(p)), func(t *testing.T) {
			t.Parallel()
			test(t, load(t, filepath.Dir(p)))
		})
	}
}

func load(t *testing.T, folder string) (s sweep) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, "result.json"))
	if err == nil {
		err = json.Unmarshal(b, &s)
	}
	if err != nil {
		t.Fatal(err)
	}
	calls, err := os.ReadFile(filepath.Join(folder, "calls.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(bytes.NewReader(calls)); d.More(); {
		var c modelCall
		if err := d.Decode(&c); err != nil {
			t.Fatal(err)
		}
		s.calls = append(s.calls, c)
	}
	return s
}

// source returns the source text of a run's summary.
func (s sweep) source(t *testing.T, db *data.DB, id string) string {
	t.Helper()
	if ids, leaf := s.Messages[id]; leaf {
		ms, err := lcm.WholeMessages(t.Context(), db, ids)
		if err != nil || len(ms) != len(ids) {
			t.Fatalf("%d messages of %d (%v)", len(ms), len(ids), err)
		}
		return form().Leaf(ms)
	}
	var sources []lcm.Summary
	for _, p := range s.Parents {
		if p.ID == id {
			sources = append(sources, s.summary(t, p.Source))
		}
	}
	return form().Condensed(sources)
}

func (s sweep) summary(t *testing.T, id string) lcm.Summary {
	t.Helper()
	for _, x := range s.Summaries {
		if x.ID == id {
			out := lcm.Summary{ID: id, Depth: int64(x.Depth), Content: x.Content}
			scan(t, &out.EarliestAt, x.Earliest)
			scan(t, &out.LatestAt, x.Latest)
			scan(t, &out.CreatedAt, x.Created)
			return out
		}
	}
	t.Fatalf("no summary %s", id)
	return lcm.Summary{}
}

func scan(t *testing.T, to *data.Time, text string) {
	t.Helper()
	if err := to.Scan(text); err != nil {
		t.Fatal(err)
	}
}

// replay answers as the model of a run did, and holds what it is asked against
// what the reference asked.
type replay struct {
	t     *testing.T
	calls map[string]modelCall
	made  int
}

func (r *replay) Name() string { return "replay/model" }

func callKey(text string, aggressive bool) string {
	return map[bool]string{true: "a:", false: "n:"}[aggressive] + text
}

func (r *replay) Summarize(_ context.Context, q summarize.Request) (summarize.Reply, error) {
	c, ok := r.calls[callKey(q.Source, q.Mode == summarize.Aggressive)]
	if !ok {
		r.t.Errorf("the reference didn't ask for this:\n%s", q.Source)
		return summarize.Reply{}, errors.New("unknown source")
	}
	r.made++
	if c.Threw != "" {
		return summarize.Reply{}, errors.New(c.Threw)
	}
	if want := c.LLM; want.TargetTokens != 0 && (want.TargetTokens != q.Target || want.MaxTokens != q.MaxTokens) {
		r.t.Errorf("target %d of at most %d tokens, want %d of %d", q.Target, q.MaxTokens, want.TargetTokens, want.MaxTokens)
	}
	return summarize.Reply{Text: c.Output, Model: r.Name()}, nil
}

// TestRuns makes every summary of the reference's runs again, from the messages
// and with the model's recorded answers.
func TestRuns(t *testing.T) {
	t.Parallel()
	runs(t, func(t *testing.T, s sweep) {
		db := open(t, filepath.Join(testdb.Fixtures(t), "compaction", "before.db"))
		m := &replay{t: t, calls: map[string]modelCall{}}
		failed := 0
		for _, c := range s.calls {
			m.calls[callKey(c.Text, c.Aggressive)] = c
			if c.Threw != "" {
				failed++
			}
		}
		for _, want := range s.Summaries {
			s.checkSummary(t, db, m, want)
		}
		if m.made+failed != len(s.calls) {
			t.Errorf("%d calls, want %d", m.made+failed, len(s.calls))
		}
		t.Logf("%d source texts, %d summaries", m.made, len(s.Summaries))
	})
}

func (s sweep) checkSummary(t *testing.T, db *data.DB, m summarize.Model, want goldenSummary) {
	t.Helper()
	job := summarize.Job{
		Depth: want.Depth, Source: s.source(t, db, want.ID), TargetTokens: s.Config.LeafTargetTokens,
		Overage: s.Config.SummaryMaxOverageFactor, Fallback: true, FallbackTokens: s.Config.FallbackMaxTokens, Thinking: true,
	}
	if want.Depth > 0 {
		job.TargetTokens = s.Config.CondensedTargetTokens
	}
	r, err := summarize.Summarize(t.Context(), m, job)
	if err != nil || r.Text != want.Content || r.Tokens != want.Tokens {
		t.Errorf("%s (%v):\n%q, %d tokens, want\n%q, %d tokens", want.ID, err, r.Text, r.Tokens, want.Content, want.Tokens)
	}
	if ids, err := json.Marshal(lcm.MentionedFiles(job.Source)); want.Depth == 0 && string(ids) != want.FileIDs {
		t.Errorf("%s: files %s, want %s (%v)", want.ID, ids, want.FileIDs, err)
	}
}

// compareCopy holds a summary that no model made against its source.
func compareCopy(t *testing.T, s lcm.Summary, text string) {
	t.Helper()
	body := s.Content[:strings.LastIndexByte(s.Content, '\n')]
	if !strings.HasPrefix(text, body) && !strings.Contains(body, "directive-shaped") {
		t.Errorf("%s doesn't start as its source", s.ID)
	}
	if summarize.Detect(s.Content, s.Model) != summarize.Truncated && !strings.HasSuffix(s.Content, " tokens]") {
		return
	}
	for _, limit := range []int64{120, 512} { // Of the configurations that were in force.
		job := summarize.Job{Source: text, TargetTokens: 200, Fallback: true, FallbackTokens: limit}
		if r, err := summarize.Summarize(t.Context(), silent{}, job); err == nil && r.Text == s.Content {
			return
		}
	}
	t.Errorf("the copy of its source that stands for %s is another: %q", s.ID, s.Content)
}

// silent answers nothing.
type silent struct{}

func (silent) Name() string { return "silent" }

func (silent) Summarize(context.Context, summarize.Request) (summarize.Reply, error) {
	return summarize.Reply{}, nil
}
