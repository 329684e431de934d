//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/terminal"
)

// TestTheProgramEndsInGoodOrder: whatever ends it from outside, the terminal is as it
// was, the exit code is that of q, and nothing is left of the demonstration or beside
// the database.
func TestTheProgramEndsInGoodOrder(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*terminal.Terminal) error{
		"q":        func(term *terminal.Terminal) error { return term.Press("q") },
		"SIGINT":   func(term *terminal.Terminal) error { return syscall.Kill(term.PID(), syscall.SIGINT) },
		"SIGTERM":  func(term *terminal.Terminal) error { return syscall.Kill(term.PID(), syscall.SIGTERM) },
		"SIGHUP":   func(term *terminal.Terminal) error { return syscall.Kill(term.PID(), syscall.SIGHUP) },
		"terminal": (*terminal.Terminal).HangUp,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			temp := t.TempDir()
			cmd := exec.CommandContext(t.Context(), os.Args[0], "demo")
			cmd.Env = append(os.Environ(), beMain+"=1", "TMPDIR="+temp)
			term, err := terminal.Start(cmd, 100, 30)
			if err != nil {
				t.Skipf("no terminals here: %v", err)
			}
			defer term.Close()
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			if _, err := term.Until(ctx, func(s terminal.Screen) bool { return strings.Contains(s.String(), "Tidewater") }); err != nil {
				t.Fatal(err)
			}
			if err := end(term); err != nil {
				t.Fatal(err)
			}
			ended := make(chan error, 1)
			go func() { ended <- term.Wait() }()
			select {
			case err := <-ended:
				if err != nil {
					t.Errorf("it ended with %v", err)
				}
			case <-ctx.Done():
				_ = cmd.Process.Kill() // Else closing the terminal would wait for it too.
				t.Fatal("it goes on until it is killed: ", <-ended)
			}
			if name != "terminal" {
				if _, err := term.Until(ctx, func(s terminal.Screen) bool { return !strings.Contains(s.String(), "Tidewater") }); err != nil {
					t.Errorf("the terminal isn't as it was: %v\n%s", err, term.Screen())
				}
			}
			if left, _ := filepath.Glob(filepath.Join(temp, "*")); len(left) > 0 {
				t.Errorf("left behind: %q", left)
			}
		})
	}
}

// TestNobodyReadsTheOutput: where whoever reads it is gone, nothing stays beside the
// database.
func TestNobodyReadsTheOutput(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "lcm.db")
	if err := samples.Write(db, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	cmd := program(t, db, "messages", "1")
	var errs strings.Builder
	cmd.Stdout, cmd.Stderr = w, &errs
	const pipe = 128 + 13
	if err := cmd.Run(); cmd.ProcessState.ExitCode() != pipe || errs.Len() > 0 {
		t.Errorf("%v, exit code %d: %s", err, cmd.ProcessState.ExitCode(), errs.String())
	}
	if left, _ := filepath.Glob(db + "-*"); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// TestCtrlZSuspends: the shell is back on the terminal as it was, and fg draws the screen again, which takes
// keys as before.
func TestCtrlZSuspends(t *testing.T) {
	t.Parallel()
	const script = `set -m; "$0" demo; echo "stopped, $?"; read -r line; fg; echo "ended, $?"`
	cmd := exec.CommandContext(t.Context(), "sh", "-c", script, os.Args[0])
	cmd.Env = append(os.Environ(), beMain+"=1", "TMPDIR="+t.TempDir())
	term, err := terminal.Start(cmd, 100, 30)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	defer term.Close()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	wait := func(shows, hides string) {
		t.Helper()
		if _, err := term.Until(ctx, func(s terminal.Screen) bool {
			return strings.Contains(s.String(), shows) && (hides == "" || !strings.Contains(s.String(), hides))
		}); err != nil {
			t.Fatalf("%q isn't there, or %q is: %v\n%s", shows, hides, err, term.Screen())
		}
	}
	for _, step := range []struct{ key, shows, hides string }{
		{"", "Tidewater", ""},
		{"\x1a", "stopped, 14", "Tidewater"}, // 128 and the number of SIGTSTP.
		{"\r", "Tidewater", "stopped"},
		{"h", "Damaged summaries", "looking for damage"}, // The next key would end the check, not the screen.
		{"q", "8 conversations", "Health"},
		{"q", "ended, 0", "conversations"},
	} {
		if step.key != "" {
			if err := term.Press(step.key); err != nil {
				t.Fatal(err)
			}
		}
		wait(step.shows, step.hides)
	}
}
