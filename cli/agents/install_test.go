package agents

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"lcm-tui/cli"
)

// TestInstalledServerStarts: whatever flags install hands on, the server that a client then
// starts knows them.
func TestInstalledServerStarts(t *testing.T) {
	t.Parallel()
	root := cli.New(cli.System{Env: func(string) string { return "" }}, Room).Root()
	server, _, err := root.Find([]string{"mcp"})
	if err != nil {
		t.Fatal(err)
	}
	own := []string{"scope", "what", "apply", "force", "hints", "plugin"}
	handed := 0
	command, _, err := root.Find([]string{"install"})
	if err != nil {
		t.Fatal(err)
	}
	command.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
		if slices.Contains(own, f.Name) || f.Name == "help" {
			return
		}
		if handed++; server.Flags().Lookup(f.Name) == nil {
			t.Errorf("lcm-tui mcp has no flag --%s", f.Name)
		}
	})
	if handed == 0 {
		t.Error("install hands on nothing")
	}
}

// TestEntryOfInstall: the entry has the path of the program, and whole
// paths of files; nothing warns of a program in a folder that stays.
func TestEntryOfInstall(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	var out, errs strings.Builder
	exit := cli.Main(t.Context(), []string{"install", "cursor", "--json", "--apply", "--db", "a.db", "--cwd", "src", "--max-chars", "9000", "--state-dir", "state"}, cli.System{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return map[string]string{"HOME": home}[name] },
		WorkDir: home, Program: "/opt/lcm/bin/lcm-tui",
	}, Room)
	if exit != cli.ExitDone || errs.String() != "" {
		t.Fatalf("exit %d: %s", exit, &errs)
	}
	b, err := os.ReadFile(filepath.Join(home, ".cursor", "mcp.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Servers map[string]struct {
			Command string   `json:"command"`
			Args    []string `json:"args"`
		} `json:"mcpServers"`
	}
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	entry := file.Servers["lcm"]
	want := []string{"mcp", "--db", filepath.Join(home, "a.db"), "--state-dir", filepath.Join(home, "state"), "--cwd", filepath.Join(home, "src"), "--max-chars", "9000"}
	if entry.Command != "/opt/lcm/bin/lcm-tui" || !slices.Equal(entry.Args, want) {
		t.Errorf("%+v", entry)
	}
	if !isTemporary(filepath.Join(os.TempDir(), "go-build1", "exe", "lcm-tui")) || isTemporary("/opt/lcm/bin/lcm-tui") {
		t.Error("temporary folders aren't known")
	}
}

// TestInstallWithoutRoomForTheDatabase: where the database of the hooks can't be made, what was written
// is printed all the same, and the error says how to make it.
func TestInstallWithoutRoomForTheDatabase(t *testing.T) {
	t.Parallel()
	for name, place := range map[string]func(data string) error{ // No folder can be made there.
		"a link to nothing": func(data string) error { return os.Symlink(data+" unmounted", data) },
		"a file":            func(data string) error { return os.WriteFile(data, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			data := filepath.Join(home, "data")
			if err := place(data); err != nil {
				t.Fatal(err)
			}
			var out, errs strings.Builder
			exit := cli.Main(t.Context(), []string{"install", "claude-code", "--apply"}, cli.System{
				In: strings.NewReader(""), Out: &out, Err: &errs, WorkDir: home, Program: "/opt/lcm/bin/lcm-tui",
				Env: func(name string) string { return map[string]string{"HOME": home, "XDG_DATA_HOME": data}[name] },
			}, Room)
			settings := filepath.Join(home, ".claude", "settings.json")
			if exit != cli.ExitFailed || !strings.Contains(out.String(), settings) {
				t.Errorf("exit %d, and the output lacks %s: %s", exit, settings, &out)
			}
			for _, text := range []string{"create the database", "lcm-tui init makes it"} {
				if !strings.Contains(errs.String(), text) {
					t.Errorf("%q is missing in: %s", text, &errs)
				}
			}
		})
	}
}
