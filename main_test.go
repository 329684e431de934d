//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/lcmtest"
	"lcm-tui/internal/terminal"
)

// beMain makes the test binary the program itself.
const beMain = "LCM_TUI_BE_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(beMain) != "" {
		main()
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
	if err := lcmtest.Demo(path, time.Now()); err != nil {
		t.Fatal(err)
	}
	dump := func() string {
		s, err := lcmtest.Dump(path, "lcm_tui_undo")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	was := dump()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "--db", path)
	cmd.Env = append(os.Environ(), beMain+"=1")
	term, err := terminal.Start(cmd, 120, 36)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	defer term.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	see := func(text string) {
		t.Helper()
		if _, err := term.Until(ctx, func(s terminal.Screen) bool { return strings.Contains(s.String(), text) }); err != nil {
			t.Fatalf("waiting for %q: %v\n%s", text, err, term.Screen())
		}
	}
	press := func(keys, then string) {
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
	press("u", "undid record #1")
	if got := dump(); got != was {
		t.Error("the undo didn't restore every row")
	}
	press("esc", "8 conversations")
	if err := term.Press("q"); err != nil {
		t.Fatal(err)
	}
	if _, err := term.Until(ctx, func(terminal.Screen) bool { return false }); err == nil {
		t.Error("q doesn't quit")
	}
}
