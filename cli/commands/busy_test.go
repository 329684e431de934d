package commands_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/fakevendor"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/work"
)

// TestBusy: a lock of another program, or another process at the same conversation, ends a change with 75, before
// anything is written; with --json the error says who it is. A loop that tries again succeeds once it is over.
func TestBusy(t *testing.T) {
	t.Parallel()
	ctx, path := t.Context(), testdb.Copy(t, testdb.Fixture(t, "v0.15.3/rich.db"))
	before := testdb.Dump(t, path)
	args := []string{"compact", "2", "--force", "--provider", "extractive", "--set", "freshTailCount=4", "--set", "leafChunkTokens=500", "--apply", "--json", "--wait", "0"}
	busy := func(name string) {
		t.Helper()
		began := time.Now()
		exit, out, errs := testcli.Run(t, path, args...)
		if exit != 75 || out != "" {
			t.Errorf("%s: exit %d after %s: %s%s", name, exit, time.Since(began), out, errs)
		}
		lines := strings.Split(strings.TrimSpace(errs), "\n")
		var printed struct {
			Error struct {
				Code       string
				Retryable  bool
				RetryAfter float64 `json:"retry_after_s"`
				Holder     struct{ PID int }
			}
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &printed); err != nil || printed.Error.Code != "busy" || !printed.Error.Retryable || printed.Error.RetryAfter <= 0 {
			t.Errorf("%s: %v: %s", name, err, errs)
		}
		if name == "conversation" && printed.Error.Holder.PID != os.Getpid() {
			t.Errorf("%s: %s", name, errs)
		}
		if testdb.Dump(t, path) != before {
			t.Errorf("%s: something was written", name)
		}
	}
	locks := work.Locks{State: filepath.Join(filepath.Dir(path), ".local", "state", "lcm-tui")}
	release, err := locks.Take(ctx, path, 2)
	testdb.Must(t, err)
	busy("conversation")
	release()
	host, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, host.Exec("BEGIN IMMEDIATE"))
	busy("file")
	time.AfterFunc(300*time.Millisecond, func() { _ = host.Exec("ROLLBACK"); _ = host.Close() })
	for exit := 75; exit != 0; {
		var errs string
		if exit, _, errs = testcli.Run(t, path, args...); exit != 0 && exit != 75 {
			t.Fatalf("exit %d: %s", exit, errs)
		}
	}
}

// TestFollowSaysThatItIsBusy: one look that could import nothing because of a lock is no success, and neither is one at a
// folder that isn't there.
func TestFollowSaysThatItIsBusy(t *testing.T) {
	t.Parallel()
	path := testdb.Copy(t, testdb.Fixture(t, "v0.15.3/small.db"))
	sessions := filepath.Join(t.TempDir(), "sessions")
	testdb.Must(t, os.MkdirAll(sessions, 0o700))
	testdb.WriteText(t, filepath.Join(sessions, "s1.jsonl"), `{"parentUuid":null,"cwd":"/w","sessionId":"s1","type":"user","message":{"role":"user","content":"a question"},"uuid":"u1","timestamp":"2026-02-01T10:00:00.000Z"}`+"\n")
	host, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, host.Exec("BEGIN IMMEDIATE"))
	args := []string{"follow", sessions, "--apply", "--once", "--json", "--wait", "0"}
	if exit, out, errs := testcli.Run(t, path, args...); exit != 75 || !strings.Contains(errs, `"code":"busy"`) {
		t.Errorf("behind a lock: exit %d: %s%s", exit, out, errs)
	}
	testdb.Must(t, errors.Join(host.Exec("ROLLBACK"), host.Close()))
	if exit, out, errs := testcli.Run(t, path, args...); exit != 0 || !strings.Contains(out, `"messages":1,`) {
		t.Errorf("after it: exit %d: %s%s", exit, out, errs)
	}
	if exit, out, errs := testcli.Run(t, path, append(args, filepath.Join(sessions, "gone"))...); exit != 1 || !strings.Contains(out, `"files_failed":1`) {
		t.Errorf("without the folder: exit %d: %s%s", exit, out, errs)
	}
}

// TestAHookWaitsShortlyForALock: its client waits for it, and the next event catches up. What was handed over before is so beside a
// lock, too.
func TestAHookWaitsShortlyForALock(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path, session := filepath.Join(home, "lcm.db"), filepath.Join(home, ".codex", "sessions", "2026", "rollout-1.jsonl")
	w, err := fakehost.Create(path, fakehost.Head)
	testdb.Must(t, err)
	testdb.Must(t, w.Exec(promoted.Schema))
	testdb.Must(t, w.Exec("INSERT INTO promoted (id, content, project_id, created_at) VALUES ('mem_1', 'We deploy from main.', '', '2026-01-01 00:00:00')"))
	testdb.Must(t, errors.Join(w.Close(), os.MkdirAll(filepath.Dir(session), 0o700)))
	testdb.WriteText(t, session, `{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c1","cwd":"/w","timestamp":"2026-02-01T10:00:00.000Z"}}
{"timestamp":"2026-02-01T10:00:00.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"a question"}]}}
`)
	host, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, host.Exec("BEGIN IMMEDIATE"))
	env := map[string]string{"HOME": home, "LCM_DATABASE_PATH": path, "XDG_CACHE_HOME": filepath.Join(home, ".cache")}
	call := func(event string) (exit int, out, errs string) {
		var stdout, stderr bytes.Buffer
		exit = cli.Main(t.Context(), []string{"hook", "codex", "--strict"}, cli.System{
			In:  strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"source":"startup","session_id":"c1","cwd":%q,"transcript_path":%q}`, event, home, session)),
			Out: &stdout, Err: &stderr, WorkDir: home, Env: func(name string) string { return env[name] },
		}, commands.Rooms...)
		return exit, stdout.String(), stderr.String()
	}
	for _, event := range []string{"Stop", "PreCompact"} {
		began := time.Now()
		exit, _, errs := call(event)
		if took := time.Since(began); took > 4*time.Second || exit == 0 || !strings.Contains(errs, "holds a lock") {
			t.Errorf("%s: exit %d after %s: %s", event, exit, took, errs)
		}
	}
	if exit, out, errs := call("SessionStart"); exit != 0 || !strings.Contains(out, "We deploy from main.") {
		t.Errorf("a start: exit %d: %s%s", exit, out, errs)
	}
	testdb.Must(t, errors.Join(host.Exec("ROLLBACK"), host.Close()))
	if exit, _, errs := call("Stop"); exit != 0 || len(testdb.Rows(t, path, "SELECT 1 FROM messages")) != 1 {
		t.Errorf("the next event: exit %d: %s", exit, errs)
	}
}

// TestNoModelIsAskedForWhatCantBeWritten: while another program has the lock, a command that would write ends before a model is paid.
func TestNoModelIsAskedForWhatCantBeWritten(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	vendor, path := fakevendor.New(t), testdb.Copy(t, testdb.Fixture(t, "v0.15.3/rich.db"))
	env := map[string]string{"HOME": filepath.Dir(path), "LCM_DATABASE_PATH": path, "OPENAI_API_KEY": "sk-test-0123456789abcdef"}
	model := []string{"--provider", "openai", "--model", "good", "--api", "chat", "--base-url", vendor.URL, "--key-env", "OPENAI_API_KEY"}
	commands := [][]string{
		{"compact", "2", "--force", "--apply", "--set", "freshTailCount=4", "--set", "leafChunkTokens=500"},
		{"rewrite", "2", "--all", "--apply"},
		{"work", "--once", "--set", "contextThreshold=0.01"},
	}
	run := func(want int, command []string) (printed string) {
		t.Helper()
		exit, out, errs := testcli.RunIn(t, env, slices.Concat(command, model, []string{"--wait", "0"})...)
		if exit != want {
			t.Errorf("%v: exit %d: %s%s", command, exit, out, errs)
		}
		return out + errs
	}
	host, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, host.Exec("BEGIN IMMEDIATE"))
	for _, command := range commands {
		run(75, command)
	}
	if hits := vendor.Hits(); len(hits) > 0 {
		t.Errorf("%d requests while the file is locked", len(hits))
	}
	testdb.Must(t, errors.Join(host.Exec("ROLLBACK"), host.Close()))
	for _, command := range commands {
		asked := len(vendor.Hits())
		if printed := run(0, command); len(vendor.Hits()) == asked {
			t.Errorf("%v: no request once the lock is free: %s", command, printed)
		}
	}
}
