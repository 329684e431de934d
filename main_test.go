//go:build unix

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"lcm-tui/internal/demo"
	"lcm-tui/internal/terminal"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// beMain makes the test binary the program itself.
const beMain = "LCM_TUI_BE_MAIN"

// TestMain runs the tests with the test binary as the program.
func TestMain(m *testing.M) {
	if os.Getenv(beMain) != "" {
		main()
		return
	}
	if signal.Ignored(syscall.SIGHUP) { // Programs that are started here would ignore it too; what is caught here isn't ignored there.
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	if testlength.Race {
		fmt.Println("the race detector doesn't watch other processes, and here all tests start the program as one, or read its source")
		return
	}
	os.Exit(m.Run())
}

// TestFromStartToUndo walks the whole way on a real terminal: from the list of
// conversations to a summary, its review, the change, what it looks like, and
// back.
func TestFromStartToUndo(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := demo.Write(path, time.Now()); err != nil {
		t.Fatal(err)
	}
	dump := func() string {
		s, err := testdb.DumpTables(path, "lcm_tui_undo")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	was := dump()
	term, see, press := onScreen(t, path)
	see("Tidewater")
	press("s", "d3 condensed")
	press("d", "nothing is written yet")
	press("enter", "enter never applies")
	if got := dump(); got != was {
		t.Fatal("looking wrote something")
	}
	press("a", "applied as #1")
	if got := dump(); got == was {
		t.Fatal("nothing was written")
	}
	press("enter", "2 Summaries")
	press("esc", "8 conversations")
	press("H", "applied")
	press("u", "undo #1: dissolve")
	press("a", "#1 is undone")
	if got := dump(); got != was {
		t.Error("the undo didn't restore every row")
	}
	press("esc", "undone  ")
	press("esc", "8 conversations")
	if err := term.Press("q"); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := term.Until(ctx, func(terminal.Screen) bool { return false }); err == nil {
		t.Error("q doesn't quit")
	}
}

// onScreen starts the program on a terminal. see waits for a text, press presses
// keys and then waits for one.
func onScreen(t *testing.T, path string, env ...string) (term *terminal.Terminal, see func(string), press func(keys, then string)) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--db", path)
	cmd.Env = append(append(os.Environ(), beMain+"=1"), env...)
	term, err := terminal.Start(cmd, 120, 36)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = term.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	t.Cleanup(cancel)
	see = func(text string) {
		t.Helper()
		if _, err := term.Until(ctx, func(s terminal.Screen) bool { return strings.Contains(s.String(), text) }); err != nil {
			t.Fatalf("waiting for %q: %v\n%s", text, err, term.Screen())
		}
	}
	press = func(keys, then string) {
		t.Helper()
		script, err := terminal.Keys(keys)
		if err != nil {
			t.Fatal(err)
		}
		for _, k := range script {
			if err := term.Press(k); err != nil {
				t.Fatal(err)
			}
		}
		see(then)
	}
	return term, see, press
}

// TestTheUsersEditor: what it's given is private and gone afterwards, and what it
// leaves comes to the review. One processor at a time makes it likely that an editor that
// ends at once is faster than the renderer that it replaces.
func TestTheUsersEditor(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path, seen, editor := filepath.Join(folder, "lcm.db"), filepath.Join(folder, "seen"), filepath.Join(folder, "editor")
	if err := demo.Write(path, time.Now()); err != nil {
		t.Fatal(err)
	}
	script := "#!/bin/sh\n[ -t 0 ] && [ -t 1 ] && onscreen=yes\n(ls -l \"$2\"; echo \"on the terminal: $onscreen\") >" + seen + "\necho \"$1 rewritten\" >\"$2\"\n"
	if err := os.WriteFile(editor, []byte(script), 0o700); err != nil { //nolint:gosec // It has to run.
		t.Fatal(err)
	}
	_, see, press := onScreen(t, path, "VISUAL="+editor+" platypus", "EDITOR=false", "TMPDIR="+folder, "GOMAXPROCS=1")
	see("Tidewater")
	press("s", "d3 condensed")
	press("e", "nothing is written yet")
	press("2", "platypus")
	press("a", "applied as #1")
	b, err := os.ReadFile(seen)
	if err != nil || !strings.HasPrefix(string(b), "-rw------- ") {
		t.Errorf("the editor's file: %s, %v", b, err)
	}
	if !strings.Contains(string(b), "on the terminal: yes") {
		t.Errorf("the editor has no terminal, and few can do without: %s", b)
	}
	if left, _ := filepath.Glob(filepath.Join(folder, "lcm-tui-*")); len(left) > 0 {
		t.Errorf("%q is left behind", left)
	}
}
