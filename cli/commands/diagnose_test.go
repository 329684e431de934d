package commands_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// TestDiagnose: a hook that failed in a session of this folder is listed with its client's version, and --fail-on
// decides about the exit code; other folders are read with --all.
func TestDiagnose(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	db := filepath.Join(home, "lcm.db")
	session := func(project, name string) {
		folder := filepath.Join(home, ".claude", "projects", project)
		testdb.Must(t, os.MkdirAll(folder, 0o700))
		testdb.WriteText(t, filepath.Join(folder, name+".jsonl"), `{"attachment":{"type":"hook_non_blocking_error","hookEvent":"Stop","command":"lcm-tui hook claude-code --token ghp_`+"x7Kq2mVb9RtLw4ZcN8sYp3HdJ6fGa1QeUoTi"+`","toolUseID":"u","stderr":"key ghp_`+"x7Kq2mVb9RtLw4ZcN8sYp3HdJ6fGa1QeUoTi"+`","exitCode":1},"type":"attachment","uuid":"`+name+`","timestamp":"2026-02-01T10:00:01.000Z","version":"2.1.330"}`+"\n")
	}
	session("-elsewhere", "s1")
	exit, out, errs := testcli.Run(t, db, "diagnose", "--fail-on", "hook-error")
	if exit != cli.ExitDone || !strings.HasPrefix(out, "0 sessions in ") {
		t.Fatalf("exit %d: %s%s", exit, out, errs)
	}
	session(strings.NewReplacer("/", "-", ".", "-", "_", "-").Replace(home), "s2")
	for _, c := range []struct {
		args []string
		exit int
		want string
	}{
		{[]string{"--verbose"}, cli.ExitDone, "hook-error Stop"},
		{[]string{"--fail-on", "hook-error,mcp-died"}, cli.ExitFindings, "claude-code 2.1.330 s2"},
		{[]string{"--fail-on", "mcp-died"}, cli.ExitDone, "1 error"},
		{[]string{"--all"}, cli.ExitDone, "2 sessions of all folders"},
		{[]string{"--client", "codex"}, cli.ExitDone, "0 sessions"},
		{[]string{"--days", "0"}, 2, ""},
		{[]string{"--days", "9223372036854775807"}, cli.ExitDone, "1 error"},
	} {
		exit, out, errs := testcli.Run(t, db, append([]string{"diagnose"}, c.args...)...)
		if exit != c.exit || !strings.Contains(out, c.want) || strings.Contains(out, "ghp_x7") {
			t.Errorf("%q: exit %d: %s%s", c.args, exit, out, errs)
		}
	}
	var report struct {
		Scanned  int `json:"sessions_scanned"`
		Errors   int `json:"total_errors"`
		Sessions []struct {
			Version string `json:"client_version"`
			Errors  []struct{ Type string }
		}
	}
	_, out, _ = testcli.Run(t, db, "diagnose", "--json")
	if err := json.Unmarshal([]byte(out), &report); err != nil || report.Scanned != 1 || report.Errors != 1 || report.Sessions[0].Errors[0].Type != "hook-error" || report.Sessions[0].Version != "2.1.330" {
		t.Errorf("%v %+v\n%s", err, report, out)
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) != 1 {
		t.Errorf("diagnose writes: %v %v", entries, err)
	}
}
