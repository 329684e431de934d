package commands_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// runAt runs the program with nothing but a home folder.
func runAt(t *testing.T, home string, args ...string) (exit int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	exit = cli.Main(t.Context(), args, cli.System{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return map[string]string{"HOME": home}[name] }, WorkDir: home,
	}, commands.Rooms...)
	return exit, out.String(), errs.String()
}

var blanks = regexp.MustCompile(`\s+`)

// schemaOf returns the statements of a file's schema, without blanks, in order.
func schemaOf(t *testing.T, path string) (out []string) {
	t.Helper()
	for _, row := range testdb.Rows(t, path, "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name") {
		out = append(out, blanks.ReplaceAllString(row, ""))
	}
	return out
}

// TestInitMakesTheTablesOfTheNewestHost: init makes the tables that the newest host of 0.x makes, and notes
// the same migrations. The file is private, and commands open it where no host has one.
func TestInitMakesTheTablesOfTheNewestHost(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	if exit, _, errs := runAt(t, home, "init"); exit != 0 {
		t.Fatalf("exit %d: %s", exit, errs)
	}
	made, hosts := filepath.Join(home, ".local", "share", "lcm-tui", "lcm.db"), testdb.Fixture(t, "v0.15.3/rich.db")
	if got, want := schemaOf(t, made), schemaOf(t, hosts); !slices.Equal(got, want) {
		t.Errorf("the schema differs:\n%q\n%q", got, want)
	}
	const steps = "SELECT step_name, algorithm_version FROM lcm_migration_state ORDER BY 1"
	if got, want := testdb.Rows(t, made, steps), testdb.Rows(t, hosts, steps); !slices.Equal(got, want) {
		t.Errorf("migrations %q, the host notes %q", got, want)
	}
	for _, pragma := range []string{"journal_mode", "page_size", "encoding", "user_version", "auto_vacuum"} {
		if got, want := testdb.Rows(t, made, "PRAGMA "+pragma), testdb.Rows(t, hosts, "PRAGMA "+pragma); !slices.Equal(got, want) {
			t.Errorf("%s is %q, the host's %q", pragma, got, want)
		}
	}
	if info, err := os.Stat(made); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	for _, args := range [][]string{{"conversations"}, {"doctor"}, {"info"}} {
		if exit, out, errs := runAt(t, home, args...); exit != 0 && exit != cli.ExitNothing {
			t.Errorf("%v: exit %d: %s%s", args, exit, out, errs)
		}
	}
	if exit, out, _ := runAt(t, home, "info"); exit != 0 || !strings.Contains(out, made) {
		t.Errorf("exit %d: %s", exit, out)
	}
}

// TestInitMakesADatabaseThatHostsWrite: a host of 0.15.3 opens the file and keeps a session in it.
func TestInitMakesADatabaseThatHostsWrite(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "memory.db")
	if exit, _, errs := runAt(t, filepath.Dir(path), "init", path); exit != 0 {
		t.Fatalf("exit %d: %s", exit, errs)
	}
	w, err := fakehost.Open(path)
	testdb.Must(t, err)
	conv, err := w.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	testdb.Must(t, err)
	_, err = w.Message(conv, fakehost.Message{Role: "user", Content: "hello"})
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	testdb.CheckHealthy(t, path, fakehost.V0_15)
}

// TestInitNeverWritesOverAFile: the file that is there stays as it was, and no other is left behind.
func TestInitNeverWritesOverAFile(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "lcm.db")
	testdb.WriteText(t, path, "mine")
	exit, _, errs := runAt(t, folder, "init", path)
	if exit != cli.ExitFailed || !strings.Contains(errs, "there is a file already") {
		t.Errorf("exit %d: %s", exit, errs)
	}
	left, err := os.ReadDir(folder)
	testdb.Must(t, err)
	if b, err := os.ReadFile(path); err != nil || string(b) != "mine" || len(left) != 1 {
		t.Errorf("%q, %v, %v", b, err, left)
	}
}
