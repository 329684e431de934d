package commands_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/clients"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestImportOfThisFolder: import without a path takes the sessions of both clients that ran in this folder, and
// with --all those of every folder.
func TestImportOfThisFolder(t *testing.T) {
	t.Parallel()
	home, err := filepath.EvalSymlinks(t.TempDir())
	testdb.Must(t, err)
	path := filepath.Join(home, "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	if exit, _, _ := testcli.Run(t, path, "import"); exit != 3 {
		t.Errorf("without sessions: exit %d", exit)
	}
	write := func(path, text string) {
		testdb.Must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		testdb.WriteText(t, path, text)
	}
	for i, project := range []string{home, "/elsewhere"} {
		write(filepath.Join(home, ".claude", "projects", clients.ProjectFolder(project), fmt.Sprintf("s%d.jsonl", i)),
			fmt.Sprintf(`{"parentUuid":null,"isSidechain":false,"cwd":%q,"sessionId":"s%d","type":"user","message":{"role":"user","content":"hello"},"uuid":"u%d","timestamp":"2026-02-01T10:00:00.000Z"}`+"\n", project, i, i))
		write(filepath.Join(home, ".codex", "sessions", fmt.Sprintf("rollout-%d.jsonl", i)),
			fmt.Sprintf(`{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c%d","cwd":%q,"cli_version":"1"}}`+"\n"+
				`{"timestamp":"2026-02-01T10:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"hello"}]}}`+"\n", i, project))
	}
	count := func(args ...string) int {
		files, _ := testcli.Object(t, path, append([]string{"import"}, args...)...)["files"].([]any)
		return len(files)
	}
	if n := count(); n != 2 {
		t.Errorf("of this folder: %d", n)
	}
	if n := count("--all"); n != 4 {
		t.Errorf("of every folder: %d", n)
	}
}
