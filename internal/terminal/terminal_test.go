package terminal_test

import (
	"context"
	"errors"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/terminal"
)

// start runs a shell script on a small terminal.
func start(t *testing.T, script string) (*terminal.Terminal, context.Context) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no pseudo terminals in this form")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	t.Cleanup(cancel)
	term, err := terminal.Start(exec.CommandContext(ctx, "sh", "-c", script), 20, 3)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := term.Close(); err != nil {
			t.Error(err)
		}
	})
	return term, ctx
}

func shows(text string) func(terminal.Screen) bool {
	return func(s terminal.Screen) bool { return strings.Contains(s.String(), text) }
}

func TestKeyChangesTheScreen(t *testing.T) {
	t.Parallel()
	term, ctx := start(t, `stty -echo -icanon; printf ready; while read -r x; do printf '\033[2J\033[Hgot %s' "$x"; done`)
	if _, err := term.Until(ctx, shows("ready")); err != nil {
		t.Fatal(err)
	}
	if err := term.Settle(ctx, 20*time.Millisecond); err != nil {
		t.Fatal(err)
	}
	if err := term.Press("7"); err != nil {
		t.Fatal(err)
	}
	if term.Changed(ctx, 10*time.Millisecond) {
		t.Error("the screen changed before the line was sent")
	}
	if err := term.Press("\n"); err != nil {
		t.Fatal(err)
	}
	if !term.Changed(ctx, 10*time.Second) {
		t.Error("the screen did not change")
	}
	if _, err := term.Until(ctx, shows("got 7")); err != nil {
		t.Fatal(err)
	}
	first, last, ok := term.Response()
	if !ok || first <= 0 || last < first {
		t.Errorf("response %v … %v, %v", first, last, ok)
	}
}

func TestStyles(t *testing.T) {
	t.Parallel()
	term, ctx := start(t, `printf '\033[1;3;4;7;31;42mA\033[0m界b'; sleep 20`)
	if _, err := term.Until(ctx, shows("A界b")); err != nil {
		t.Fatal(err)
	}
	row := term.Screen()[0]
	if want := terminal.Bold | terminal.Italic | terminal.Underline | terminal.Reverse; row[0].Style != want {
		t.Errorf("style %b, want %b", row[0].Style, want)
	}
	if row[0].Fg == nil || row[0].Bg == nil || row[3].Fg != nil {
		t.Errorf("colours %v on %v, then %v", row[0].Fg, row[0].Bg, row[3].Fg)
	}
	if row[1].Width != 2 || row[2].Width != 0 || row[3].Text != "b" {
		t.Errorf("a wide character stands in %+v", row[1:4])
	}
}

func TestProgramThatEnds(t *testing.T) {
	t.Parallel()
	term, ctx := start(t, `printf 'one\ntwo\n'`)
	if _, err := term.Until(ctx, shows("three")); !errors.Is(err, terminal.ErrExited) {
		t.Errorf("%v, want %v", err, terminal.ErrExited)
	}
	if got, want := term.Screen().String(), "one\ntwo\n\n"; got != want {
		t.Errorf("screen %q, want %q", got, want)
	}
	if err := term.Settle(ctx, time.Hour); err != nil {
		t.Error(err)
	}
}
