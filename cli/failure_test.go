package cli_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/engine/model/retry"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// modelKey is the key that the models of these tests are given.
const modelKey = "key-0123456789-of-the-test"

// modelAnswers are what a server may answer, by kind. Each takes the part of the source
// that it was sent.
var modelAnswers = map[string]func(w http.ResponseWriter, r *http.Request){
	"good": func(w http.ResponseWriter, _ *http.Request) { chatText(w, "In short.", "stop") },
	"401":  func(w http.ResponseWriter, _ *http.Request) { chatError(w, 401, "no such key "+modelKey) },
	"429":  func(w http.ResponseWriter, _ *http.Request) { chatError(w, 429, "slow down") },
	"500":  func(w http.ResponseWriter, _ *http.Request) { chatError(w, 500, "oops") },
	"quota": func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":{"code":"insufficient_quota","message":"nothing is left"}}`)
	},
	"no JSON": func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<<< not JSON >>>") },
	"empty":   func(w http.ResponseWriter, _ *http.Request) { chatText(w, "", "stop") },
	"huge": func(w http.ResponseWriter, _ *http.Request) {
		for range 100 {
			if _, err := w.Write(bytes.Repeat([]byte("x"), 1<<20)); err != nil {
				return
			}
		}
	},
	"truncated": func(w http.ResponseWriter, _ *http.Request) { chatText(w, "In sho", "length") },
	"refusal":   func(w http.ResponseWriter, _ *http.Request) { chatText(w, "I can't.", "content_filter") },
	"long":      func(w http.ResponseWriter, _ *http.Request) { chatText(w, strings.Repeat("and so on ", 5000), "stop") },
	"timeout":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
}

// passing are the kinds of failure after which the same call may succeed.
var passing = map[string]bool{"429": true, "500": true, "timeout": true}

func chatText(w http.ResponseWriter, text, reason string) {
	t, _ := json.Marshal(text) //nolint:errchkjson // A string.
	fmt.Fprintf(w, `{"choices":[{"message":{"content":%s},"finish_reason":%q}],"usage":{"prompt_tokens":10,"completion_tokens":2}}`, t, reason)
}

func chatError(w http.ResponseWriter, status int, message string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error":{"message":%q}}`, message)
}

// TestModelsThatFail: whatever a model does, rewrite, repair and compact tell the truth:
// what is in the file is what they say they wrote, the calls are those that the server
// saw, the reason is named, the exit code says how it went, and no key is shown.
func TestModelsThatFail(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	words := map[string]string{
		"401": "key is refused", "429": "too many calls", "500": "the server failed", "quota": "the quota is used up", "no JSON": "can't be understood",
		"empty": "holds no text", "huge": "longer than 4 MB", "truncated": "did not come to its end", "refusal": "declined", "long": "tokens, which is not less",
		"timeout": "no answer in time",
	}
	commands := map[string][]string{
		"rewrite": {"rewrite", "1", "--all"},
		"repair":  {"repair", "1", "--fault", "Q01"},
		"compact": {"compact", "1", "--force", "--set", "freshTailCount=4", "--set", "leafChunkTokens=200"},
	}
	for _, name := range slices.Sorted(maps.Keys(commands)) {
		command := commands[name]
		for _, kind := range slices.Sorted(maps.Keys(words)) {
			wanted := words[kind]
			for _, good := range []int{0, 1} { // How many calls are answered before.
				t.Run(fmt.Sprint(name, " ", kind, " after ", good), func(t *testing.T) {
					t.Parallel()
					r := newFailingRun(t, kind, good)
					r.run(t, command)
					r.check(t, name, kind, wanted)
				})
			}
		}
	}
}

// sampleCache is where the files of these tests come from.
var sampleCache samples.Cache

// failingRun is a file, a model that fails, and what came of a command.
type failingRun struct {
	dir, path, was string
	hits           atomic.Int64
	good           int64 // How many calls are answered.
	server         *httptest.Server
	timeout        string // Of a call, in milliseconds.
	exit           int
	out, err       bytes.Buffer
}

func newFailingRun(t *testing.T, kind string, good int) *failingRun {
	t.Helper()
	r := &failingRun{dir: t.TempDir(), good: int64(good), timeout: "60000"}
	if kind == "timeout" {
		r.timeout = "700"
	}
	r.path = filepath.Join(r.dir, "lcm.db")
	if err := sampleCache.Sample(r.path, fakehost.Head, "marker-truncated"); err != nil {
		t.Fatal(err)
	}
	r.was = r.dump(t)
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		_, _ = io.Copy(io.Discard, q.Body)
		w.Header().Set("Content-Type", "application/json")
		if r.hits.Add(1) <= r.good {
			modelAnswers["good"](w, q)
			return
		}
		modelAnswers[kind](w, q)
	}))
	t.Cleanup(r.server.Close)
	return r
}

func (r *failingRun) dump(t *testing.T) string {
	t.Helper()
	s, err := testdb.DumpTables(r.path, "lcm_tui_undo")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (r *failingRun) run(t *testing.T, command []string) {
	t.Helper()
	env := map[string]string{"HOME": r.dir, "TZ": "UTC", "XDG_CACHE_HOME": r.dir, "LCM_TUI_SUMMARY_API_KEY": modelKey, "LCM_SUMMARY_TIMEOUT_MS": r.timeout}
	args := append(command, "--db", r.path, "--apply", "--json", "--provider", "openai", "--api", "chat", "--model", "m", "--base-url", r.server.URL)
	r.exit = cli.Main(t.Context(), args, cli.System{
		In: strings.NewReader(""), Out: &r.out, Err: &r.err, Env: func(name string) string { return env[name] }, Version: "v1",
		Retry: retry.Policy{Tries: 1, First: time.Millisecond},
	}, commands.Rooms...)
}

// check compares what the command says with what is so.
func (r *failingRun) check(t *testing.T, name, kind, reason string) {
	t.Helper()
	wanted := r.out.String() + r.err.String()
	t.Logf("exit %d: %.600s", r.exit, r.err.String())
	if strings.Contains(wanted, modelKey) {
		t.Errorf("it shows the key: %s", wanted)
	}
	var result struct {
		Applied bool
		Record  *int64
		Impact  struct {
			Calls int64 `json:"model_calls"`
		}
	}
	if r.out.Len() > 0 {
		if err := json.Unmarshal(r.out.Bytes(), &result); err != nil {
			t.Fatalf("%v: %s", err, r.out.String())
		}
	}
	changed := r.dump(t) != r.was
	switch {
	case changed != result.Applied, changed != (result.Record != nil):
		t.Errorf("changed: %v, but it says applied %v: %s", changed, result.Applied, wanted)
	case changed && r.exit != 0 && r.exit != 1, !changed && r.exit == 0:
		t.Errorf("changed: %v, and the exit code is %d: %s", changed, r.exit, wanted)
	case result.Applied && result.Impact.Calls != r.hits.Load():
		t.Errorf("%d calls are reported, %d were made: %s", result.Impact.Calls, r.hits.Load(), wanted)
	case r.hits.Load() > r.good && !strings.Contains(wanted, reason):
		t.Errorf("%s: no word of %q: %s", name, reason, wanted)
	case !changed && passing[kind] && r.hits.Load() > 0 && r.out.Len() == 0 && (r.exit != 75 || !strings.Contains(r.err.String(), `{"error":{"code":"busy","retryable":true`)):
		t.Errorf("it may be tried again, and the exit code is %d: %s", r.exit, wanted)
	case name != "compact" && !changed && r.exit != 1 && r.exit != 75:
		t.Errorf("a model failed, and the exit code is %d: %s", r.exit, wanted)
	case !changed && strings.Contains(wanted, "applied as"):
		t.Errorf("it says that it wrote: %s", wanted)
	}
}
