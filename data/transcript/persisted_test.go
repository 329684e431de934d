package transcript_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/transcript"
	"lcm-tui/internal/testlength"
)

// TestPersistedOutput: a result that Claude Code put into a file of the session is read whole. What lies elsewhere,
// is gone, is too long or isn't text keeps the beginning that the line has.
func TestPersistedOutput(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	dir := t.TempDir()
	results := filepath.Join(dir, "s2", "tool-results")
	outside := filepath.Join(dir, "secret.txt")
	for path, text := range map[string]string{
		filepath.Join(results, "whole.txt"): "all of it\n" + strings.Repeat("x", 100_000), filepath.Join(results, "binary.txt"): "\xff\xfe\x00", outside: "secret",
		filepath.Join(results, "long.txt"): strings.Repeat("y", 16<<20+1),
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(outside, filepath.Join(results, "link.txt")); err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"s2.jsonl", "s2/subagents/agent-1.jsonl"} {
		for name, want := range map[string]string{
			"/home/me/.claude/projects/p/s2/tool-results/whole.txt":  `"all of it\nxxx`,
			"/home/me/.claude/projects/p/s2/tool-results/gone.txt":   `"<persisted-output>\nOutput too large (98kB). Full output`,
			"/home/me/.claude/projects/p/s2/tool-results/binary.txt": `"<persisted-output>`,
			"/home/me/.claude/projects/p/s2/tool-results/long.txt":   `"<persisted-output>`,
			"/home/me/.claude/projects/p/s2/tool-results/link.txt":   `"<persisted-output>`,
			"/x/tool-results/../../secret.txt":                       `"<persisted-output>`,
			outside:                                                  `"<persisted-output>`,
		} {
			text := `"<persisted-output>\nOutput too large (98kB). Full output saved to: ` + name + `\n\nPreview (first 2KB):\nall of it\n</persisted-output>"`
			for _, content := range []string{text, `[{"type":"text","text":` + text + `}]`} {
				path := filepath.Join(dir, at)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				line := coded("user", "r1", "", `"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":`+content+`}]}`)
				if err := os.WriteFile(path, []byte(line+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				f, err := transcript.Open(t.Context(), path)
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				for e, err := range f.Entries(t.Context()) {
					if err != nil {
						t.Fatal(err)
					}
					got += string(e.Message)
				}
				if !strings.Contains(got, `{"type":"text","text":`+want) {
					t.Errorf("%s names %s: %.200s", at, name, got)
				}
			}
		}
	}
}
