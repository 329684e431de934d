package cli_test

import (
	"bufio"
	"context"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/creack/pty"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/demo"
	"lcm-tui/internal/testlength"
)

// onTerminal runs the program on a terminal of 60 columns and returns its lines.
func onTerminal(t *testing.T, env map[string]string, args ...string) (lines []string) {
	t.Helper()
	screen, tty, err := pty.Open()
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	defer screen.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Rows: 24, Cols: 60}); err != nil {
		t.Fatal(err)
	}
	read := make(chan []string)
	go func() {
		var got []string
		for s := bufio.NewScanner(screen); s.Scan(); {
			got = append(got, strings.TrimSuffix(s.Text(), "\r"))
		}
		read <- got
	}()
	exit := cli.Main(t.Context(), args, cli.System{In: strings.NewReader(""), Out: tty, Err: tty, Env: func(name string) string { return env[name] }}, commands.Rooms...)
	if exit != 0 {
		t.Errorf("exit %d", exit)
	}
	_ = tty.Close()
	return <-read
}

// folder is for what all tests share.
var folder string

func TestMain(m *testing.M) {
	if os.Getenv(BeProgram) != "" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		exit := cli.Main(ctx, os.Args[1:], cli.System{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Getenv, OwnProcess: true}, commands.Rooms...)
		stop()
		os.Exit(exit)
	}
	var err error
	if folder, err = os.MkdirTemp("", "lcm-tui-test-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// formatValue is one demonstration for all tests that only read it.
var formatValue = sync.OnceValues(func() (path string, err error) {
	path = filepath.Join(folder, "lcm.db")
	return path, demo.Write(path, time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC))
})

func demonstration(t *testing.T) string {
	t.Helper()
	path, err := formatValue()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTerminalGetsWhatFits(t *testing.T) {
	t.Parallel()
	env := map[string]string{"LCM_DATABASE_PATH": demonstration(t), "TERM": "xterm-256color"}
	for _, command := range []string{"conversations", "messages 2", "summaries 2", "context 2", "info", "files 2"} {
		lines := onTerminal(t, env, strings.Fields(command)...)
		if !strings.Contains(strings.Join(lines, ""), "\x1b[") {
			t.Errorf("%s: no styles on a terminal", command)
		}
		for _, l := range lines {
			if w := ansi.StringWidth(l); w > 60 {
				t.Errorf("%s: a line of %d cells: %q", command, w, l)
			}
		}
	}
}

func TestTerminalWithoutColor(t *testing.T) {
	t.Parallel()
	env := map[string]string{"LCM_DATABASE_PATH": demonstration(t), "TERM": "xterm-256color", "NO_COLOR": "1"}
	if out := strings.Join(onTerminal(t, env, "conversations"), ""); strings.Contains(out, "\x1b") {
		t.Errorf("escapes in spite of NO_COLOR: %q", out)
	}
	delete(env, "NO_COLOR")
	if out := strings.Join(onTerminal(t, env, "conversations", "--no-color"), ""); strings.Contains(out, "\x1b") {
		t.Errorf("escapes in spite of --no-color: %q", out)
	}
}

func TestTerminalGetsIndentedJSON(t *testing.T) {
	t.Parallel()
	env := map[string]string{"LCM_DATABASE_PATH": demonstration(t)}
	lines := onTerminal(t, env, "conversations", "--json", "--limit", "1")
	if len(lines) < 10 || lines[1] != `  "conversations": [` {
		t.Errorf("JSON on a terminal isn't indented: %q", lines)
	}
}

func TestCancelled(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var errs strings.Builder
	env := map[string]string{"LCM_DATABASE_PATH": demonstration(t)}
	exit := cli.Main(ctx, []string{"conversations"}, cli.System{
		In: strings.NewReader(""), Out: &strings.Builder{}, Err: &errs, Env: func(name string) string { return env[name] },
	}, commands.Rooms...)
	if exit != 130 || !strings.HasPrefix(errs.String(), "lcm-tui: cancelled") {
		t.Errorf("exit %d, %q", exit, errs.String())
	}
}

func TestRelativePath(t *testing.T) {
	testlength.Long(t)
	path := demonstration(t)
	t.Chdir(filepath.Dir(path))
	if _, err := os.Stat("lcm.db"); err != nil {
		t.Fatal(err)
	}
	exit, out, errs := run(t, "lcm.db", "files", "2", "file_bbf1e5f7f74144d3", "--head", "9")
	if exit != 0 || !strings.HasPrefix(out, "tenant_id") {
		t.Errorf("exit %d: %s%s", exit, out, errs)
	}
}
