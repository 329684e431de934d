package commands_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/data/promoted"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/backfill"
)

// storeAs has the server store entries, one for each of some values of projectPath, and returns its answers.
func storeAs(t *testing.T, db, folder string, args, paths []string) string {
	t.Helper()
	requests := `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}
{"jsonrpc":"2.0","method":"notifications/initialized"}
`
	for i, path := range paths {
		call, err := json.Marshal(map[string]any{"text": fmt.Sprintf("we agreed on %d %s", i, path), "projectPath": path})
		testdb.Must(t, err)
		requests += fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"lcm_store","arguments":%s}}`, i+1, call) + "\n"
	}
	var out, errs bytes.Buffer
	env := map[string]string{"HOME": filepath.Dir(db), "LCM_DATABASE_PATH": db, "XDG_CACHE_HOME": filepath.Join(filepath.Dir(db), ".cache")}
	exit := cli.Main(t.Context(), append([]string{"mcp", "--store"}, args...), cli.System{
		In: strings.NewReader(requests), Out: &out, Err: &errs, WorkDir: folder, Env: func(name string) string { return env[name] },
	}, commands.Rooms...)
	if exit != cli.ExitDone {
		t.Fatalf("exit %d: %s", exit, errs.String())
	}
	return out.String()
}

// TestAnEntryIsOfItsProject: a folder that is named as seen from the working folder is that one, and a server that is
// limited stores nothing for other projects.
func TestAnEntryIsOfItsProject(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	home := t.TempDir()
	one, two := filepath.Join(home, "one"), filepath.Join(home, "two")
	for _, folder := range []string{filepath.Join(one, ".git"), filepath.Join(one, "sub"), two} {
		testdb.Must(t, os.MkdirAll(folder, 0o700))
	}
	for name, test := range map[string]struct {
		args, paths []string
		projects    []string // Of the entries that are stored.
		refused     int
	}{
		"limited by a relative folder": {[]string{"--cwd", "."}, []string{"", ".", "sub", one, two, "../two"}, []string{one, one, one, one}, 2},
		"limited to an agent":          {[]string{"--agent", "main"}, []string{"", two}, []string{one}, 1},
		"not limited":                  {nil, []string{"", "sub", two, "../two"}, []string{one, one, two, two}, 0},
		"limited to another folder":    {[]string{"--cwd", "../two"}, []string{"", one}, []string{two}, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := filepath.Join(t.TempDir(), "lcm.db")
			w, err := fakehost.Create(db, fakehost.Head)
			testdb.Must(t, err)
			testdb.Must(t, w.Close())
			out := storeAs(t, db, one, test.args, test.paths)
			if n := strings.Count(out, "Not found in this session scope: the project of"); n != test.refused {
				t.Errorf("%d are refused, want %d: %s", n, test.refused, out)
			}
			entries, err := promoted.List(t.Context(), testdb.Open(t, db))
			testdb.Must(t, err)
			got, want := map[string]int{}, map[string]int{}
			for _, e := range entries {
				got[e.Project]++
			}
			for _, folder := range test.projects {
				want[backfill.ProjectOf(folder)]++
			}
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("entries of %v, want %v: %s", got, want, out)
			}
		})
	}
}
