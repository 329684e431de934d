package commands_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakevendor"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestLargeFilesAreDescribedByAVendor: an import brings a large file and requests its description; work asks the vendor
// for it once, and files --describe finds nothing left. The key is in the request alone.
func TestLargeFilesAreDescribedByAVendor(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const key = "sk-test-0123456789abcdef"
	text := strings.Repeat("Deploys go out on Tuesday, because the tests of a release take a day.\n", 1600)
	output, err := json.Marshal(text)
	testdb.Must(t, err)
	session := fmt.Sprintf(`{"uuid":"u1","parentUuid":null,"sessionId":"s1","cwd":"/w","timestamp":"2026-02-01T10:00:00.000Z","type":"user","message":{"role":"user","content":"read the notes"}}
{"uuid":"a1","parentUuid":"u1","sessionId":"s1","cwd":"/w","timestamp":"2026-02-01T10:00:01.000Z","type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"/w/notes.md"}}]}}
{"uuid":"u2","parentUuid":"a1","sessionId":"s1","cwd":"/w","timestamp":"2026-02-01T10:00:02.000Z","type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":%s}]}}
{"uuid":"a2","parentUuid":"u2","sessionId":"s1","cwd":"/w","timestamp":"2026-02-01T10:00:03.000Z","type":"assistant","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}],"stop_reason":"end_turn"}}
`, output)
	for _, command := range []string{"follow", "backfill"} {
		t.Run(command, func(t *testing.T) {
			t.Parallel()
			vendor, home := fakevendor.New(t), t.TempDir()
			path, folder := filepath.Join(home, "lcm.db"), filepath.Join(home, ".claude", "projects", "p")
			testdb.Must(t, os.MkdirAll(folder, 0o700))
			testdb.WriteText(t, filepath.Join(folder, "s1.jsonl"), session)
			env := map[string]string{
				"HOME": home, "LCM_DATABASE_PATH": path, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CACHE_HOME": filepath.Join(home, "cache"), "OPENAI_API_KEY": key,
				"LCM_LARGE_FILE_SUMMARY_PROVIDER": "openai", "LCM_LARGE_FILE_SUMMARY_MODEL": "good",
			}
			run := func(want int, args ...string) string {
				t.Helper()
				exit, out, errs := testcli.RunIn(t, env, args...)
				if exit != want || strings.Contains(out+errs, key) {
					t.Fatalf("%v: exit %d: %s%s", args, exit, out, errs)
				}
				return out + errs
			}
			run(0, "init", path)
			if command == "follow" {
				run(0, "follow", folder, "--apply", "--once")
			} else {
				run(0, "backfill", folder, "--apply")
			}
			if out := run(0, "work", "--json"); !strings.Contains(out, `"kind":"description","conversation_id":1,"reason":"session-end"`) {
				t.Fatalf("no description is requested: %s", out)
			}
			model := []string{"--provider", "openai", "--model", "good", "--api", "chat", "--base-url", vendor.URL, "--key-env", "OPENAI_API_KEY"}
			run(0, append([]string{"work", "--once"}, model...)...)
			if got := testdb.Rows(t, path, "SELECT exploration_summary FROM large_files"); len(got) != 1 || !strings.Contains(got[0], fakevendor.Summary) {
				t.Errorf("described as %q", got)
			}
			run(3, append([]string{"files", "1", "--describe", "--apply"}, model...)...)
			hits := vendor.Hits()
			if len(hits) != 1 || hits[0].Header.Get("Authorization") != "Bearer "+key || !strings.Contains(fmt.Sprint(hits[0].Body["messages"]), "Deploys go out on Tuesday") {
				t.Errorf("%d requests, the first is %.600v", len(hits), hits)
			}
		})
	}
}
