package describe_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/redact"
	"lcm-tui/engine/summarize"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/describe"
	"lcm-tui/ops/undo"
)

// model answers with a text or an error, and keeps what it was asked.
type model struct {
	text  string
	err   error
	asked []summarize.Request
}

func (*model) Name() string { return "test/model" }

func (m *model) Summarize(_ context.Context, r summarize.Request) (summarize.Reply, error) {
	m.asked = append(m.asked, r)
	return summarize.Reply{Text: m.text, Model: m.Name()}, m.err
}

// files makes a database whose first conversation has these large files alone, and returns the files folder.
func files(t *testing.T, bodies map[string]string) (path, folder string) {
	t.Helper()
	path, folder = testdb.Sample(t, "0.15.2"), t.TempDir()
	testdb.Execute(t, path, "DELETE FROM large_files")
	for name, body := range bodies {
		id := "file_" + strings.Repeat("0", 16-len(name)) + name
		at := filepath.Join(folder, "1", id+".txt")
		testdb.Must(t, os.MkdirAll(filepath.Dir(at), 0o700))
		testdb.Must(t, os.WriteFile(at, []byte(body), 0o600))
		kind := "notes.md"
		if strings.HasPrefix(body, "{") {
			kind = "data.json"
		}
		testdb.Execute(t, path, "INSERT INTO large_files (file_id, conversation_id, file_name, mime_type, byte_size, storage_uri, exploration_summary, created_at) VALUES ('"+
			id+"', 1, '"+kind+"', NULL, "+strconv.Itoa(len(body))+", '"+at+"', 'Text exploration summary ("+kind+"):', '2026-01-01 00:00:00')")
	}
	return path, folder
}

func op(folder string, m summarize.Model) *describe.Op {
	return &describe.Op{Conversation: 1, FilesDir: folder, Ask: true, Model: m, Job: summarize.Job{TargetTokens: 2400, Thinking: true}}
}

// TestDescribe: one call for each content, only of prose; the round trip leaves the file as it was, and the old plan is stale.
func TestDescribe(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Deploys go out on Tuesdays. ", 2000)
	path, folder := files(t, map[string]string{"a": long, "b": long, "c": "# Another\n" + long, "d": `{"a": 1}`})
	db := testdb.Open(t, path)
	before := testdb.Dump(t, path)
	m := &model{text: "Rules for deploys."}
	estimate, err := op(folder, m).Estimating().Plan(t.Context(), db, nil)
	if err != nil || len(m.asked) > 0 || estimate.Impact.ModelCalls != 2 || !estimate.Estimate() || estimate.Impact.InputTokens == 0 {
		t.Fatalf("the estimate: %+v, %v, %d calls", estimate.Impact, err, len(m.asked))
	}
	plan, err := op(folder, m).Plan(t.Context(), db, nil)
	testdb.Must(t, err)
	if len(m.asked) != 2 || len(plan.Changes) != 3 || len(plan.Texts) != 3 {
		t.Fatalf("%d calls, %d changes", len(m.asked), len(plan.Changes))
	}
	for _, r := range m.asked {
		// The formula of a leaf: a third of what is shown, at least 192; a sample of three parts is far below 2,400.
		if want := int(0.35 * float64(summarize.Job{}.Estimator.Count(r.Source))); r.Target != max(192, want) || r.MaxTokens != r.Target+2048 {
			t.Errorf("target %d and %d, want %d", r.Target, r.MaxTokens, want)
		}
		if !strings.Contains(r.Prompt, "Name: notes.md") || !strings.Contains(r.Prompt, "[middle]") || strings.Contains(r.Prompt, "conversation_segment") {
			t.Errorf("asked: %.400s", r.Prompt)
		}
	}
	out, err := ops.ApplyPlan(t.Context(), db, plan, nil)
	testdb.Must(t, err)
	if n, err := testdb.Count(path, "SELECT count(*) FROM large_files WHERE exploration_summary = 'Rules for deploys.'"); n != 3 || err != nil {
		t.Errorf("%d descriptions, %v", n, err)
	}
	var stale *data.StaleError
	if _, err := ops.ApplyPlan(t.Context(), db, plan, nil); !errors.As(err, &stale) {
		t.Errorf("the old plan: %v", err)
	}
	if _, err := op(folder, m).Plan(t.Context(), db, nil); !errors.Is(err, ops.ErrNothing) || len(m.asked) != 2 {
		t.Errorf("again: %v, %d calls", err, len(m.asked))
	}
	back, err := (&undo.Op{Record: out.Record}).Plan(t.Context(), db, nil)
	testdb.Must(t, err)
	_, err = ops.ApplyPlan(t.Context(), db, back, nil)
	testdb.Must(t, err)
	if after := testdb.Dump(t, path); after != before {
		t.Error("the undo left the file another one")
	}
}

// TestTheSameContentIsNotAskedAboutAgain where a model described it before.
func TestTheSameContentIsNotAskedAboutAgain(t *testing.T) {
	t.Parallel()
	path, folder := files(t, map[string]string{"a": "the same", "b": "the same"})
	testdb.Execute(t, path, "UPDATE large_files SET exploration_summary = 'By a model.' WHERE file_id LIKE '%a'")
	m := &model{text: "unasked"}
	plan, err := op(folder, m).Plan(t.Context(), testdb.Open(t, path), nil)
	if err != nil || len(m.asked) != 0 || len(plan.Texts) != 1 || plan.Texts[0].After != "By a model." {
		t.Errorf("%+v, %v, %d calls", plan.Texts, err, len(m.asked))
	}
}

// TestWhatFailsKeepsTheDescription: refused keys, too many calls, an empty answer, a timeout, and the mark of a fallback.
func TestWhatFailsKeepsTheDescription(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		err   error
		calls int
	}{
		"auth":     {err: errors.Join(summarize.ErrAuth, summarize.ErrPermanent), calls: 1},
		"429":      {err: errors.New("429 too many requests"), calls: 2},
		"timeout":  {err: context.DeadlineExceeded, calls: 2},
		"empty":    {err: summarize.ErrIncomplete, calls: 4}, // Each twice, with more tokens the second time.
		"fallback": {text: "Describe the text file\n[Truncated from 900 tokens]", calls: 4},
	} {
		path, folder := files(t, map[string]string{"a": strings.Repeat("one ", 900), "b": strings.Repeat("two ", 900)})
		before := testdb.Dump(t, path)
		m := &model{text: c.text, err: c.err}
		_, err := op(folder, m).Plan(t.Context(), testdb.Open(t, path), nil)
		if err == nil || len(m.asked) != c.calls {
			t.Errorf("%s: %v, %d calls", name, err, len(m.asked))
		}
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: something was written", name)
		}
	}
}

// TestSecretsAreTakenOutBeforeTheSample: one that the sample would cut in two is not shown either.
func TestSecretsAreTakenOutBeforeTheSample(t *testing.T) {
	t.Parallel()
	const secret = "ghp_0123456789abcdefghijABCDEFGHIJ456789"
	path, folder := files(t, map[string]string{"a": strings.Repeat("x ", 1195) + secret + strings.Repeat(" y", 4000)})
	m := &model{text: "A file."}
	o := op(folder, m)
	o.Job.Masker = redact.Masker{Least: redact.Maybe}
	_, err := o.Plan(t.Context(), testdb.Open(t, path), nil)
	testdb.Must(t, err)
	if len(m.asked) != 1 || strings.Contains(m.asked[0].Prompt, "ghp_01") {
		t.Errorf("%d calls; the prompt shows a secret", len(m.asked))
	}
}

// TestNothingToDescribe: no text file, or none that is there.
func TestNothingToDescribe(t *testing.T) {
	t.Parallel()
	path, folder := files(t, map[string]string{"d": `{"a": 1}`})
	m := &model{text: "x"}
	if _, err := op(folder, m).Plan(t.Context(), testdb.Open(t, path), nil); !errors.Is(err, ops.ErrNothing) || len(m.asked) != 0 {
		t.Errorf("%v, %d calls", err, len(m.asked))
	}
	var none *data.NotFoundError
	o := op(folder, m)
	o.Files = []string{"file_ffffffffffffffff"}
	if _, err := o.Plan(t.Context(), testdb.Open(t, path), nil); !errors.As(err, &none) {
		t.Errorf("a file that isn't there: %v", err)
	}
}
