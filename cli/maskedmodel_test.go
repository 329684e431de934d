package cli_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/engine/model/retry"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// secretsOfTexts stand in messages and summaries of these tests.
var secretsOfTexts = []string{"ghp_" + "x8Kq2mVt5Rw9Yb3Nc7Lp4Hs6Dg1Jf0Za8Ue2", "hunter2secret"}

// TestNoSecretGoesToAModel: whatever asks one, secrets are placeholders in what it is sent, the plan says how many,
// and the stored texts keep them. With --send-secrets they are sent.
func TestNoSecretGoesToAModel(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, line := range map[string][]string{
		"compact": {"compact", "1", "--force", "--set", "freshTailCount=2", "--set", "leafChunkTokens=2000", "--apply", "--json", "--fresh"},
		"rewrite": {"rewrite", "1", "--all", "--apply", "--json", "--fresh"},
		"work":    {"work", "run", "1", "--set", "freshTailCount=2", "--set", "leafChunkTokens=2000", "--json", "--fresh"},
		"ask":     {"ask", "is the token " + secretsOfTexts[0] + " and the password is " + secretsOfTexts[1] + " ?", "--conversation", "1", "--json", "--fresh"},
	} {
		for _, send := range []bool{false, true} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				checkSent(t, name, line, send)
			})
		}
	}
}

func checkSent(t *testing.T, name string, line []string, send bool) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	text := "the token is " + secretsOfTexts[0] + " and the password is " + secretsOfTexts[1] + "; "
	host := testdb.OpenHost(t, path)
	for _, q := range []string{"UPDATE messages SET content = ? || content WHERE conversation_id = 1", "UPDATE message_parts SET text_content = ? || text_content", "UPDATE summaries SET content = ? || content"} {
		if err := host.Exec(q, text); err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{"INSERT INTO messages_fts(messages_fts) VALUES('rebuild')", "INSERT INTO summaries_fts(summaries_fts) VALUES('rebuild')"} {
		_ = host.Exec(q) // Those of some levels hold the texts themselves, and are found by LIKE.
	}
	var mu sync.Mutex
	var sent strings.Builder
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		mu.Lock()
		sent.Write(b)
		mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		modelAnswers["good"](w, r)
	}))
	t.Cleanup(server.Close)
	args := append(line, "--db", path, "--provider", "openai", "--api", "chat", "--model", "m", "--base-url", server.URL)
	if name == "ask" {
		_, list, _ := mainOn(t, path, "summaries", "1", "--json")
		args = append(args, "--summary", regexp.MustCompile(`sum_[0-9a-f]+`).FindString(list))
	}
	if send {
		args = append(args, "--send-secrets")
	}
	var out, errs bytes.Buffer
	env := map[string]string{"HOME": filepath.Dir(path), "TZ": "UTC", "LCM_TUI_SUMMARY_API_KEY": modelKey}
	exit := cli.Main(t.Context(), args, cli.System{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return env[name] }, Version: "v1",
		Retry: retry.Policy{Tries: 1, First: time.Millisecond},
	}, commands.Rooms...)
	mu.Lock()
	defer mu.Unlock()
	if sent.Len() == 0 {
		t.Fatalf("no model was asked: exit %d: %s%s", exit, out.String(), errs.String())
	}
	for _, secret := range secretsOfTexts {
		if strings.Contains(sent.String(), secret) != send {
			t.Errorf("sent %v: %.2000s", !send, sent.String())
		}
	}
	if !send && !strings.Contains(sent.String(), "[REDACTED:") {
		t.Errorf("no placeholder: %.2000s", sent.String())
	}
	if says := strings.Contains(out.String(), "by placeholders before the model saw them"); (name == "compact" || name == "rewrite") && says == send {
		t.Errorf("the plan says so: %v: %s", says, out.String())
	}
	if dump := testdb.Dump(t, path); !strings.Contains(dump, secretsOfTexts[0]) {
		t.Error("a stored text has changed")
	}
}
