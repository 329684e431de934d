package metrics_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/metrics"
	"lcm-tui/ops/backfill"
	"lcm-tui/work"
)

// full returns a station with a value of every metric.
func full(t *testing.T) *station {
	t.Helper()
	s := newStation(t, testdb.Sample(t, fakehost.Head))
	for _, c := range []work.Counter{
		{Name: work.EndedRuns, First: "threshold", Second: "failed", Value: 2},
		{Name: work.EndedCalls, First: "anthropic/claude-haiku-4-5", Second: "ok", Value: 3},
		{Name: work.CallTokens, First: work.InputTokens, Value: 1200},
		{Name: work.CallDollars, Value: 0.5},
		{Name: work.InjectedCharacters, Value: 900},
		{Name: work.BadLines, Value: 1},
	} {
		testdb.Must(t, s.notes.Counts().Add(t.Context(), c))
	}
	testdb.Must(t, s.notes.Counts().NoteCheck(t.Context(), map[string]int{"info": 4, "warn": 3, "error": 2, "fatal": 0}, 2))
	testdb.Must(t, s.notes.Counts().NoteTick(t.Context(), work.WorkService, work.Tick{At: time.Unix(1_750_000_000, 0)}))
	s.Replica = func(context.Context) (data.ReplicaLag, bool, error) {
		return data.ReplicaLag{SyncedAt: time.Now().Add(-90 * time.Second), WaitingOrders: 1, RefusedOrders: 2, RefusedSyncs: 3}, true, nil
	}
	s.Calls = metrics.NewRecorder(s.Notes)
	t.Cleanup(func() { _ = s.Calls.Close() })
	s.Calls.Observe(metrics.SearchLatency, 3*time.Millisecond)
	s.Calls.Observe(metrics.SearchLatency, 4*time.Millisecond)
	s.Calls.Observe(metrics.ExpandLatency, 20*time.Second)
	return s
}

// TestNamesBreakThreeRules: the specification has three names that the rules of Prometheus advise against, and no other does.
func TestNamesBreakThreeRules(t *testing.T) {
	t.Parallel()
	problems, err := testutil.GatherAndLint(full(t).Gatherer(t.Context()))
	testdb.Must(t, err)
	var got []string
	for _, p := range problems {
		got = append(got, p.Metric)
	}
	slices.Sort(got)
	if want := []string{"lcm_context_tokens_total", "lcm_expand_latency_ms", "lcm_search_latency_ms"}; !slices.Equal(got, want) {
		t.Errorf("%+v", problems)
	}
}

// TestPromtool: the tool of Prometheus finds nothing else either, where it is installed.
func TestPromtool(t *testing.T) {
	t.Parallel()
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	c := exec.CommandContext(t.Context(), tool, "check", "metrics")
	c.Stdin = strings.NewReader(full(t).text())
	out, _ := c.CombinedOutput() // It fails where a name breaks a rule.
	for line := range strings.Lines(string(out)) {
		name, _, _ := strings.Cut(line, " ")
		if !slices.Contains([]string{"lcm_context_tokens_total", "lcm_expand_latency_ms", "lcm_search_latency_ms"}, name) {
			t.Errorf("%s", line)
		}
	}
}

// TestEveryMetric: names, types, labels and values of a database.
func TestEveryMetric(t *testing.T) {
	t.Parallel()
	golden, err := os.Open(filepath.Join("testdata", "metrics.prom"))
	testdb.Must(t, err)
	defer golden.Close()
	names := []string{
		"lcm_context_tokens_total", "lcm_compaction_runs_total", "lcm_summaries_created_total", "lcm_expand_latency_ms", "lcm_search_latency_ms", "lcm_integrity_failures_total",
		"lcm_context_tokens", "lcm_context_threshold_tokens", "lcm_integrity_findings", "lcm_messages", "lcm_conversations", "lcm_follow_lag_seconds", "lcm_follow_bad_lines_total",
		"lcm_model_calls_total", "lcm_model_tokens_total", "lcm_model_cost_dollars_total", "lcm_uncovered_messages", "lcm_build_info", "lcm_injected_characters_total", "lcm_scrape_errors_total",
		"lcm_last_tick_timestamp_seconds",
	}
	s := full(t)
	s.Conversations = 1
	testdb.Must(t, testutil.GatherAndCompare(s.Gatherer(t.Context()), golden, names...))
}

// TestBothFacesAreEqual: what is served is what is printed, by a process of its own that notes nothing.
func TestBothFacesAreEqual(t *testing.T) {
	t.Parallel()
	s := full(t)
	s.Replica = nil // Its lag grows between two scrapes.
	w := httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/metrics", nil))
	other := *s
	other.Exporter = &metrics.Exporter{Open: s.Open, Notes: s.Notes, Version: s.Version, Thresholds: s.Thresholds}
	if served, printed := w.Body.String(), other.text(); served != printed {
		t.Errorf("served:\n%s\nprinted:\n%s", served, printed)
	}
	w = httptest.NewRecorder()
	s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/metrics", nil))
	if w.Code != http.StatusMethodNotAllowed {
		t.Errorf("POST: %d", w.Code)
	}
}

// TestManyNamesAreFewSeries: agents and models beyond the first are one together, those that have a series keep it, and
// names are safe.
func TestManyNamesAreFewSeries(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	s := newStation(t, path)
	add := func(from, to int) {
		var rows []string
		for i := from; i < to; i++ {
			rows = append(rows, fmt.Sprintf("('s%d', 'agent:a%d:x')", i, i))
			testdb.Must(t, s.notes.Counts().Add(t.Context(), work.Counter{Name: work.EndedCalls, First: fmt.Sprintf("p%d/m", i), Second: []string{"ok", "failed", "odd"}[i%3], Value: 1}))
			testdb.Must(t, s.notes.Counts().Add(t.Context(), work.Counter{Name: work.EndedRuns, First: fmt.Sprintf("r%d", i), Second: "done", Value: 1}))
		}
		testdb.Execute(t, path, "INSERT INTO conversations (session_id, session_key) VALUES "+strings.Join(rows, ", "))
	}
	testdb.Execute(t, path, "INSERT INTO conversations (session_id, session_key) VALUES ('6f1c', 'agent:6f1c:x'), ('p', 'agent:/home/ann/secret:x'), ('n', 'plain')")
	for i, name := range []string{"quo\"te/back\\slash", "new\nline/m", strings.Repeat("ä", 100) + "/m", "", "no-provider", "bad\xff/m"} {
		testdb.Must(t, s.notes.Counts().Add(t.Context(), work.Counter{Name: work.EndedCalls, First: name, Second: "ok", Value: float64(i + 1)}))
	}
	add(0, 10)
	before := series(s.text())
	add(10, 80)
	text := s.text()
	after := series(text)
	if len(after) > 200 {
		t.Errorf("%d series", len(after))
	}
	for name := range before {
		if !after[name] {
			t.Errorf("%s is gone", name)
		}
	}
	for _, hidden := range []string{"6f1c", "/home", "ann", "secret", "plain"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%q is in\n%s", hidden, text)
		}
	}
	if !strings.Contains(text, `model="back\\slash",outcome="ok",provider="quo\"te"`) {
		t.Errorf("no name with a quote in\n%s", text)
	}
	if problems, err := testutil.GatherAndLint(s.Gatherer(t.Context())); err != nil || len(problems) != 3 {
		t.Errorf("%v, %v", problems, err)
	}
	testdb.Execute(t, path, "DELETE FROM conversations WHERE session_key LIKE 'agent:a%'")
	gone := series(s.text())
	for name := range after {
		if !gone[name] {
			t.Errorf("%s is gone with its conversations", name)
		}
	}
}

// series returns the series of a text, with their labels.
func series(text string) map[string]bool {
	out := map[string]bool{}
	for line := range strings.Lines(text) {
		if i := strings.LastIndex(line, " "); !strings.HasPrefix(line, "#") && i > 0 {
			out[line[:i]] = true
		}
	}
	return out
}

// TestAWriterMeanwhile: scrapes beside a host that commits never fail, what they count only rises, and all numbers are of
// one moment: each message has three tokens and stands in the context.
func TestAWriterMeanwhile(t *testing.T) {
	t.Parallel()
	h, db := testdb.Beside(t, fakehost.Head)
	s := newStation(t, db.Path())
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if _, err := h.Append(1, fakehost.Message{Role: "user", Content: "message 7", At: time.Now().UTC()}); err != nil {
				t.Error(err)
				return
			}
		}
	})
	last := 0.0
	for range 20 {
		text := s.text()
		n := number(t, text, "lcm_messages")
		if tokens := number(t, text, "lcm_context_tokens_total"); n < last || tokens != 3*n {
			t.Errorf("%v messages after %v, and %v tokens", n, last, tokens)
		}
		last = n
	}
	close(stop)
	wg.Wait()
	s.wants(fmt.Sprintf("lcm_messages %v", messages(t, db.Path())), "lcm_scrape_errors_total 0")
}

func messages(t *testing.T, path string) int {
	t.Helper()
	n, err := testdb.Count(path, "SELECT count(*) FROM messages")
	testdb.Must(t, err)
	return n
}

// number returns the value of a series.
func number(t *testing.T, text, series string) (n float64) {
	t.Helper()
	for line := range strings.Lines(text) {
		if value, ok := strings.CutPrefix(line, series+" "); ok {
			if _, err := fmt.Sscan(value, &n); err != nil {
				t.Fatal(err)
			}
			return n
		}
	}
	t.Fatalf("no %s in\n%s", series, text)
	return 0
}

// TestScrapesAtOnce: several processes that scrape at the same time count nothing twice.
func TestScrapesAtOnce(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	db := testdb.Open(t, path)
	s := newStation(t, path)
	want, _ := s.created()
	before := stored(t, path)
	apply(t, db, compaction())
	want += stored(t, path) - before
	var wg sync.WaitGroup
	for range 6 {
		wg.Go(func() {
			e := *s.Exporter
			if _, stale, err := e.Gather(t.Context()); err != nil || stale != nil {
				t.Error(stale, err)
			}
		})
	}
	wg.Wait()
	if got, runs := s.created(); got != want || runs != 1 {
		t.Errorf("%v summaries and %v runs, want %v and 1", got, runs, want)
	}
}

// TestFollowLag: it rises from the last write of a file on, also while it is written again, and ends with the import.
func TestFollowLag(t *testing.T) {
	t.Parallel()
	s := newStation(t, testdb.Sample(t, fakehost.Head))
	path := filepath.Join(t.TempDir(), "a.jsonl")
	at := func(offset int64) {
		testdb.Must(t, s.notes.SetPosition(t.Context(), path, backfill.Position{Kind: transcript.Codex, Mark: transcript.Mark{Offset: offset}}))
	}
	write := func(text string, ago time.Duration) {
		testdb.WriteText(t, path, text)
		when := time.Now().Add(-ago)
		testdb.Must(t, os.Chtimes(path, when, when))
	}
	write("0123456789", time.Hour)
	at(10)
	s.wants("lcm_follow_lag_seconds 0")
	write("0123456789ab", 10*time.Minute)
	lag := number(t, s.text(), "lcm_follow_lag_seconds")
	write("0123456789abcd", 0)
	if again := number(t, s.text(), "lcm_follow_lag_seconds"); lag < 600 || again < lag {
		t.Errorf("%v s, and after another write %v s", lag, again)
	}
	at(12)
	if lag := number(t, s.text(), "lcm_follow_lag_seconds"); lag > 300 {
		t.Errorf("%v s after a part was imported", lag)
	}
	at(14)
	s.wants("lcm_follow_lag_seconds 0")
	testdb.Must(t, os.Remove(path))
	s.wants("lcm_follow_lag_seconds 0")
}

// TestLagOfFilesWithoutImport: a file of which nothing was imported counts where the service that follows hasn't looked
// since it was written, or failed with it. What it looked at and left out doesn't, nor does anything where nobody follows.
func TestLagOfFilesWithoutImport(t *testing.T) {
	t.Parallel()
	s := newStation(t, testdb.Sample(t, fakehost.Head))
	folder, err := filepath.EvalSymlinks(t.TempDir())
	testdb.Must(t, err)
	path := filepath.Join(folder, "a.jsonl")
	testdb.WriteText(t, path, "0123456789")
	when := time.Now().Add(-10 * time.Minute)
	testdb.Must(t, os.Chtimes(path, when, when))
	looked := func(ago time.Duration, failing map[string]time.Time) float64 {
		testdb.Must(t, s.notes.Counts().NoteTick(t.Context(), work.FollowService, work.Tick{At: time.Now().Add(-ago), Paths: []string{folder}, Failing: failing}))
		return number(t, s.text(), "lcm_follow_lag_seconds")
	}
	s.wants("lcm_follow_lag_seconds 0")
	if lag := looked(20*time.Minute, nil); lag < 600 || lag > 700 {
		t.Errorf("nobody looked since: %v s", lag)
	}
	if lag := looked(time.Minute, nil); lag != 0 {
		t.Errorf("left out: %v s", lag)
	}
	if lag := looked(time.Minute, map[string]time.Time{path: time.Now().Add(-time.Hour)}); lag < 3600 {
		t.Errorf("failing: %v s", lag)
	}
	testdb.Must(t, s.notes.SetPosition(t.Context(), path, backfill.Position{Kind: transcript.Codex, Mark: transcript.Mark{Offset: 10}}))
	if lag := looked(20*time.Minute, nil); lag != 0 {
		t.Errorf("imported: %v s", lag)
	}
}

// TestNumbersThatNoSumHolds don't keep the others back.
func TestNumbersThatNoSumHolds(t *testing.T) {
	t.Parallel()
	s := newStation(t, testdb.Sample(t, fakehost.Head))
	testdb.Execute(t, s.path, "UPDATE messages SET token_count = 9223372036854775807", "UPDATE conversations SET session_key = 'agent:main:' || conversation_id",
		"INSERT INTO large_files (file_id, conversation_id, byte_size, storage_uri) VALUES ('file_00000000000000a1', 1, 9223372036854775807, 'x'), ('file_00000000000000a2', 1, 9223372036854775807, 'y')")
	text := s.text()
	for _, want := range []string{"\nlcm_context_tokens_total 9.22", "\nlcm_context_tokens{agent=\"main\"} 9.22", "\nlcm_database_bytes{part=\"files\"} 9.22", "\nlcm_scrape_errors_total 0\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
