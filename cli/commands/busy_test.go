package commands_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/fakevendor"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
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

// TestNoModelIsAskedForWhatCantBeWritten: while another program has the lock, a command that would write ends before a model is paid.
func TestNoModelIsAskedForWhatCantBeWritten(t *testing.T) {
	t.Parallel()
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
