package compare_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/engine/compare"
)

// TestFind: a rollout is found by the session that Codex wrote, and by the thread that
// OpenClaw noted beside the session's own file; the newest of several is taken.
func TestFind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(path, text string) string {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("codex/sessions/2026/01/05/rollout-2026-01-05T09-00-00-aaa.jsonl", "")
	resumed := write("codex/sessions/2026/02/01/rollout-2026-02-01T09-00-00-aaa.jsonl", "")
	write("state/agents/main/sessions/bbb.jsonl.codex-app-server.json", `{"threadId":"ccc","model":"x"}`)
	thread := write("state/agents/main/agent/codex-home/sessions/2026/01/05/rollout-2026-01-05T09-00-00-ccc.jsonl", "")
	write("state/agents/main/sessions/ddd.jsonl.codex-app-server.json", `{"threadId":"../../*"}`)
	folders := []string{filepath.Join(dir, "state", "agents", "main", "sessions"), filepath.Join(dir, "codex", "sessions")}
	for session, want := range map[string]string{"aaa": resumed, "bbb": thread, "ddd": "", "*": "", "": ""} {
		got, err := compare.Find(t.Context(), folders, lcm.Conversation{ID: 7, SessionID: session})
		if got != want || (want == "") != (err != nil && strings.HasPrefix(err.Error(), "there is no transcript of conversation 7")) {
			t.Errorf("%q: %q, %v", session, got, err)
		}
	}
}
