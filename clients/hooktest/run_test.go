package hooktest_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"lcm-tui/clients"
	"lcm-tui/clients/hooktest"
	"lcm-tui/clients/install"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestRun: a hook gets the event as its client sends it, a database and a home of its own, and what comes of it
// is judged as the client would.
func TestRun(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are scripts of a shell")
	}
	const context = `echo '{"hookSpecificOutput":{"hookEventName":"SessionStart","additionalContext":"x"}}'`
	for name, c := range map[string]struct {
		client  clients.Client
		script  string
		exit    int
		shape   string
		problem string // A part of it.
	}{
		"nothing":                   {clients.ClaudeCode, "cat >/dev/null", 0, hooktest.ShapeEmpty, ""},
		"context":                   {clients.Codex, context, 0, hooktest.ShapeContext, ""},
		"text":                      {clients.ClaudeCode, "echo text", 0, hooktest.ShapeText, ""},
		"an object":                 {clients.Gemini, "echo '{}'", 0, hooktest.ShapeObject, ""},
		"two objects":               {clients.Gemini, "echo '{}'; echo '{}'", 0, hooktest.ShapeBroken, "is none"},
		"text for a strict client":  {clients.Gemini, "echo text", 0, hooktest.ShapeText, "nothing but one JSON object"},
		"broken JSON":               {clients.ClaudeCode, "echo '{a'", 0, hooktest.ShapeBroken, "begins as JSON"},
		"a failure":                 {clients.ClaudeCode, "echo no room >&2; exit 1", 1, hooktest.ShapeEmpty, "exit code 1: no room"},
		"too slow":                  {clients.ClaudeCode, "exec sleep 30", -1, hooktest.ShapeEmpty, "the client stops it after 500ms"},
		"the event, its transcript": {clients.ClaudeCode, `grep -q '"source":"startup"' && test -s "$(ls "$CLAUDE_CONFIG_DIR"/projects/*/*.jsonl)"`, 0, hooktest.ShapeEmpty, ""},
		"the database":              {clients.Codex, `test "$3 $4 $5" = "--db $LCM_DATABASE_PATH --strict"`, 0, hooktest.ShapeEmpty, ""},
		"no work that outlives it":  {clients.Codex, `test "$LCM_AUTOCOMPACT_DISABLED" = true`, 0, hooktest.ShapeEmpty, ""},
	} {
		for _, isExec := range []bool{true, false} {
			folder := filepath.Join(t.TempDir(), "with a blank, $(exit 9), `exit 9`, \"quotes\" and \\$HOME")
			program := filepath.Join(folder, "lcm-tui")
			testdb.Must(t, os.MkdirAll(folder, 0o700))
			testdb.Must(t, os.WriteFile(program, []byte("#!/bin/sh\n"+c.script+"\n"), 0o600))
			testdb.Must(t, os.Chmod(program, 0o700))
			limit := 20 * time.Second
			if c.exit < 0 {
				limit = 500 * time.Millisecond
			}
			runs, err := hooktest.Test{
				Client: c.client, Folder: t.TempDir(), Database: "/tmp/test.db", Environment: append(os.Environ(), "HOME=/nowhere"),
				Hooks: []install.InstalledHook{{Event: "SessionStart", Words: []string{program, "hook", string(c.client), "--db", "/home/me/lcm.db"}, IsExec: isExec, Timeout: limit}},
			}.Run(t.Context())
			if err != nil || len(runs) != 1 {
				t.Fatalf("%s: %v %v", name, runs, err)
			}
			r := runs[0]
			if r.Exit != c.exit || r.Shape != c.shape || (r.Problem == "") != (c.problem == "") || !strings.Contains(r.Problem, c.problem) {
				t.Errorf("%s, exec %v: %+v", name, isExec, r)
			}
		}
	}
	runs, err := hooktest.Test{Client: clients.ClaudeCode, Folder: t.TempDir(), Hooks: []install.InstalledHook{{Event: "Stop", Words: []string{"/nowhere/lcm-tui", "hook"}, IsExec: true, Timeout: time.Second}}}.Run(t.Context())
	if err != nil || runs[0].Exit != -1 || runs[0].Problem == "" {
		t.Errorf("a program that isn't there: %+v, %v", runs, err)
	}
}
