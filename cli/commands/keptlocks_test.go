package commands_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/work"
)

// TestNobodyComesBetweenAPlanAndItsWrite: who waits for the lock of a conversation gets it when all is written, and not when
// a model has answered. Else both would have paid a model for the same, and one of them for nothing.
func TestNobodyComesBetweenAPlanAndItsWrite(t *testing.T) {
	t.Parallel()
	for name, args := range map[string][]string{
		"whole":     {"compact", "2", "--force"},
		"each pass": {"compact", "2", "--force", "--each-pass"},
		"rewrite":   {"rewrite", "2", "--depth", "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Copy(t, testdb.Fixture(t, "v0.15.3/rich.db"))
			model := filepath.Join(filepath.Dir(path), "model")
			testdb.WriteText(t, model, "#!/bin/sh\nsleep 0.05\necho short\n")
			testdb.Must(t, os.Chmod(model, 0o700))
			if args[0] == "compact" {
				args = append(args, "--set", "freshTailCount=4", "--set", "leafChunkTokens=900")
			}
			written := make(chan int)
			stop := make(chan struct{})
			go func() { written <- recordsAtTheNextLock(t, path, stop) }()
			exit, out, errs := testcli.Run(t, path, append(args, "--exec", model, "--apply")...)
			close(stop)
			if exit != 0 {
				t.Errorf("exit %d: %s%s", exit, out, errs)
			}
			want, err := testdb.Count(path, "SELECT count(*) FROM lcm_tui_undo")
			testdb.Must(t, err)
			if got := <-written; got != want {
				t.Errorf("%d of %d records were written when another process got the lock", got, want)
			}
		})
	}
}

// recordsAtTheNextLock waits until a command has the lock of conversation 2 and then for the lock, and returns how many
// records are written by then.
func recordsAtTheNextLock(t *testing.T, path string, stop <-chan struct{}) int {
	locks := work.Locks{State: filepath.Join(filepath.Dir(path), ".local", "state", "lcm-tui")}
	for busy, ended := false, false; ; {
		release, err := locks.Take(t.Context(), path, 2)
		switch {
		case errors.Is(err, ops.ErrBusy):
			busy = true
		case err != nil:
			t.Error(err)
			return 0
		case busy || ended:
			defer release()
			n, err := testdb.Count(path, "SELECT count(*) FROM lcm_tui_undo")
			if err != nil {
				t.Error(err) // Nothing is written yet.
			}
			return n
		default:
			release()
		}
		select {
		case <-stop:
			ended = true
		case <-time.After(time.Millisecond):
		}
	}
}
