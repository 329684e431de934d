package commands_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestFilesDescribe: without a model nobody is asked, and the next step is said; with one the cost comes first, then the texts, then the
// write with its undo.
func TestFilesDescribe(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, "lcm.db")
	testdb.Must(t, os.Rename(testdb.Sample(t, "0.15.2"), path))
	var text strings.Builder
	for i := range 900 {
		fmt.Fprintf(&text, "Deploy %d goes out on Tuesday because the tests of release %d take a day. ", i, i+1)
	}
	file := filepath.Join(home, "lcm-files", "1", "file_00000000000000aa.txt")
	testdb.Must(t, os.MkdirAll(filepath.Dir(file), 0o700))
	testdb.Must(t, os.WriteFile(file, []byte(text.String()), 0o600))
	testdb.Execute(t, path, fmt.Sprintf(`INSERT INTO large_files (file_id, conversation_id, file_name, mime_type, byte_size, storage_uri, exploration_summary, created_at)
		VALUES ('file_00000000000000aa', 1, 'notes.md', 'text/markdown', %d, '%s', 'Text exploration summary (notes.md):', '2026-01-01 00:00:00')`, text.Len(), file))
	env := map[string]string{"HOME": home, "LCM_DATABASE_PATH": path, "XDG_STATE_HOME": filepath.Join(home, "state"), "XDG_CACHE_HOME": filepath.Join(home, "cache")}
	run := func(want int, args ...string) (out, errs string) {
		t.Helper()
		exit, out, errs := testcli.RunIn(t, env, args...)
		if exit != want {
			t.Fatalf("%v: exit %d: %s%s", args, exit, out, errs)
		}
		return out, errs
	}
	describe := []string{"files", "1", "file_00000000000000aa", "--describe"}
	if _, errs := run(1, describe...); !strings.Contains(errs, "largeFileSummaryProvider") {
		t.Errorf("without a model: %s", errs)
	}
	env["LCM_LARGE_FILE_SUMMARY_PROVIDER"] = "openai" // The model is missing: the host would ask nobody.
	run(1, describe...)
	delete(env, "LCM_LARGE_FILE_SUMMARY_PROVIDER")
	withModel := append(describe, "--provider", "extractive")
	if out, _ := run(0, withModel...); !strings.Contains(out, "an estimate") {
		t.Errorf("the estimate: %s", out)
	}
	if out, _ := run(0, append(withModel, "--generate")...); !strings.Contains(out, "file_00000000000000aa") || !strings.Contains(out, "Deploy") {
		t.Errorf("the texts: %s", out)
	}
	run(0, append(withModel, "--apply")...)
	described := "SELECT exploration_summary FROM large_files WHERE file_id = 'file_00000000000000aa'"
	if got := testdb.Rows(t, path, described); len(got) != 1 || strings.Contains(got[0], "exploration summary") || !strings.Contains(got[0], "Deploy") {
		t.Errorf("the description: %q", got)
	}
	run(0, "undo", "--apply")
	if got := testdb.Rows(t, path, described); len(got) != 1 || !strings.Contains(got[0], "Text exploration summary (notes.md):") {
		t.Errorf("after the undo: %q", got)
	}
	run(2, "files", "1", "--generate")
}

// TestInfoSaysHowMuchIsSummarized, and which plugin the host has.
func TestInfoSaysHowMuchIsSummarized(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, "0.15.2")
	plugin := filepath.Join(filepath.Dir(path), ".openclaw", "extensions", "lossless-claw")
	info := testcli.Object(t, path, "info")
	host, _ := info["host"].(map[string]any)
	coverage, _ := info["coverage"].(map[string]any)
	if host["plugin_version"] != nil || host["active"] != true {
		t.Errorf("without a plugin: %v", host)
	}
	var all, summarized float64
	for i, into := range []*float64{&all, &summarized} {
		query := []string{"SELECT sum(token_count) FROM messages", "SELECT sum(token_count) FROM messages WHERE message_id IN (SELECT message_id FROM summary_messages)"}[i]
		if _, err := fmt.Sscan(strings.Trim(testdb.Rows(t, path, query)[0], "[]"), into); err != nil {
			t.Fatal(err)
		}
	}
	if coverage["tokens"] != all || coverage["summarized_tokens"] != summarized || summarized == 0 || coverage["exact"] != true {
		t.Errorf("%v, want %v of %v", coverage, summarized, all)
	}
	testdb.Must(t, os.MkdirAll(plugin, 0o700))
	testdb.WriteText(t, filepath.Join(plugin, "package.json"), `{"name": "@martian-engineering/lossless-claw", "version": "0.15.2"}`)
	host, _ = testcli.Object(t, path, "info")["host"].(map[string]any)
	if host["plugin_version"] != "0.15.2" {
		t.Errorf("%v", host)
	}
}
