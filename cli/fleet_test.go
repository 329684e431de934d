package cli_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/cli"
	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// fleetEnv has the copies of three machines, whose messages of one word were written in turn, a minute apart; a fourth machine was
// never asked.
func fleetEnv(t *testing.T) map[string]string {
	t.Helper()
	folder := t.TempDir()
	env := map[string]string{"HOME": folder, "XDG_STATE_HOME": filepath.Join(folder, "state")}
	start := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for i, name := range []string{"box", "laptop", "nas"} {
		path := filepath.Join(folder, name+".db")
		h, err := fakehost.Create(path, fakehost.Head)
		if err != nil {
			t.Fatal(err)
		}
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:" + name, Active: true, At: start})
		for n := range 4 {
			if err == nil {
				text := fmt.Sprintf("the harbour of %s, for the %dth time", name, n)
				_, err = h.Message(conv, fakehost.Message{Role: "user", Content: text, At: start.Add(time.Duration(3*n+i) * time.Minute)})
			}
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
		if err != nil {
			t.Fatal(err)
		}
		runFleet(t, env, 0, "fleet", "add", name, path)
	}
	runFleet(t, env, 0, "fleet", "pull")
	runFleet(t, env, 0, "fleet", "add", "unasked", "unasked.example")
	return env
}

// TestOfAFleetOnlyWhatWasAskedIsRead: where one machine has the text in a message, tool calls of the others aren't searched; where none
// has it, they are.
func TestOfAFleetOnlyWhatWasAskedIsRead(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	env := map[string]string{"HOME": folder, "XDG_STATE_HOME": filepath.Join(folder, "state")}
	for name, text := range map[string]string{"box": "the harbour is open", "laptop": "nothing of the kind"} {
		path := filepath.Join(folder, name+".db")
		h, err := fakehost.Create(path, fakehost.Head)
		if err != nil {
			t.Fatal(err)
		}
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:" + name, Active: true})
		if err == nil {
			_, err = h.Message(conv, fakehost.Message{Role: "user", Content: text})
		}
		if err == nil {
			call := fakehost.Part{Type: "tool", ToolCallID: "toolu_1", ToolName: "bash", ToolInput: `{"command":"ls harbour lighthouse"}`}
			_, err = h.Message(conv, fakehost.Message{Role: "assistant", Parts: []fakehost.Part{call}})
		}
		if err := errors.Join(err, h.Close()); err != nil {
			t.Fatal(err)
		}
		runFleet(t, env, 0, "fleet", "add", name, path)
	}
	runFleet(t, env, 0, "fleet", "pull")
	for word, want := range map[string][]string{"harbour": {"box"}, "lighthouse": {"box", "laptop"}} {
		var found struct{ Hits []struct{ Source string } }
		if err := json.Unmarshal([]byte(runFleet(t, env, 0, "search", "--json", "--fleet", word)), &found); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, h := range found.Hits {
			got = append(got, h.Source)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: hits of %v, want %v", word, got, want)
		}
	}
}

func runFleet(t *testing.T, env map[string]string, want int, args ...string) string {
	t.Helper()
	exit, out, messages := testcli.RunIn(t, env, args...)
	if exit != want {
		t.Fatalf("%v: exit %d, not %d: %s", args, exit, want, messages)
	}
	return out
}

var fleetPlace = regexp.MustCompile(`(?m)^2026-03-01 12:\d\d  (\w+) `)

// TestAFleetIsSearchedInOneOrder: the hits of all machines in the order of time, one limit for all, and every machine that couldn't
// be searched is named.
func TestAFleetIsSearchedInOneOrder(t *testing.T) {
	t.Parallel()
	env := fleetEnv(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "nas laptop box nas laptop box nas laptop box nas laptop box"},
		{[]string{"--limit", "4"}, "nas laptop box nas"},
		{[]string{"--sort", "oldest", "--limit", "5"}, "box laptop nas box laptop"},
	} {
		out := runFleet(t, env, cli.ExitFailed, append([]string{"search", "--fleet", "harbour"}, c.args...)...)
		var got []string
		for _, m := range fleetPlace.FindAllStringSubmatch(out, -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != c.want || !strings.Contains(out, "unasked: there is no copy of unasked yet") {
			t.Errorf("%v: %v\n%s", c.args, got, out)
		}
	}
	if out := runFleet(t, env, 0, "search", "--fleet=box,nas", "harbour", "--limit", "3"); !strings.Contains(out, "3 lines of 8 hits in 2 copies") {
		t.Error(out)
	}
	if out := runFleet(t, env, 0, "search", "--fleet=box,nas", "nowhereatall"); !strings.Contains(out, "no hits in 2 copies") {
		t.Error(out)
	}
	var found struct {
		Total int
		Hits  []struct{ Source, Snippet string }
		Fleet []struct {
			Source string
			Age    *float64 `json:"age_seconds"`
			Exit   int
		}
	}
	for _, sort := range []string{"newest", "best", "conversation"} {
		out := runFleet(t, env, cli.ExitFailed, "search", "--json", "--fleet", "harbour", "--sort", sort, "--limit", "50")
		if err := json.Unmarshal([]byte(out), &found); err != nil || found.Total != 12 || len(found.Hits) != 12 || len(found.Fleet) != 4 || found.Fleet[0].Age == nil || found.Fleet[3].Exit != cli.ExitFailed {
			t.Errorf("%s: %+v, %v", sort, found, err)
		}
		if sort == "best" && (found.Hits[0].Source == found.Hits[1].Source || found.Hits[1].Source == found.Hits[2].Source) {
			t.Errorf("the best of each machine don't come in turn: %+v", found.Hits)
		}
	}
}

// TestADamagedCopyIsNamedBySearches: the search fails, and has the hits of the others.
func TestADamagedCopyIsNamedBySearches(t *testing.T) {
	t.Parallel()
	env := fleetEnv(t)
	path := filepath.Join(env["XDG_STATE_HOME"], "lcm-tui", "fleet", "nas", "copy-1.db")
	db := testdb.Open(t, path)
	var root, size data.Integer
	for query, to := range map[string]*data.Integer{"SELECT rootpage FROM sqlite_master WHERE name = 'messages'": &root, "PRAGMA page_size": &size} {
		if ok, err := data.One(t.Context(), db, "read", query, nil, to); err != nil || !ok {
			t.Fatal(ok, err)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{0xff}, int(size)), int64(root-1)*int64(size)); err != nil {
		t.Fatal(err)
	}
	for _, sort := range []string{"newest", "best"} {
		out := runFleet(t, env, cli.ExitFailed, "search", "--fleet=box,nas", "harbour", "--sort", sort)
		if !strings.Contains(out, "the harbour of box") || !strings.Contains(out, "nas: ") || !strings.Contains(out, "the file is damaged") {
			t.Errorf("%s:\n%s", sort, out)
		}
	}
}

// TestTheMetricsOfAFleet: one text that Prometheus reads, in which each series says of which machine it is.
func TestTheMetricsOfAFleet(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	env := fleetEnv(t)
	out := runFleet(t, env, cli.ExitFailed, "metrics", "--fleet")
	for _, want := range []string{
		`lcm_messages{source="box"} 4`, `lcm_messages{source="nas"} 4`, `lcm_fleet_pull_failed{source="unasked"} 0`, `lcm_fleet_copy_bytes{source="laptop"} `,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("it lacks %q:\n%s", want, out)
		}
	}
	if n := strings.Count(out, "# TYPE lcm_messages "); n != 1 {
		t.Errorf("a metric has %d heads", n)
	}
	env["HOME"] = t.TempDir()
	path := filepath.Join(env["HOME"], "fleet.prom")
	runFleet(t, env, 0, "metrics", "--fleet=box", "--textfile", path)
	runFleet(t, env, cli.ExitUsage, "metrics", "--fleet=box", "--textfile", path+".txt")
	runFleet(t, env, 0, "metrics", "--fleet=box", "--textfile", path) // Each run rewrites it.
	link := filepath.Join(env["HOME"], "link.prom")
	testdb.Must(t, os.Symlink(path, link))
	runFleet(t, env, cli.ExitFailed, "metrics", "--fleet=box", "--textfile", link)
	tool, err := exec.LookPath("promtool")
	if err != nil {
		t.Skip("promtool is not installed")
	}
	c := exec.CommandContext(t.Context(), tool, "check", "metrics")
	c.Stdin = strings.NewReader(out)
	problems, _ := c.CombinedOutput() // It fails where a name breaks a rule.
	for line := range strings.Lines(string(problems)) {
		if name, _, _ := strings.Cut(line, " "); !slices.Contains([]string{"lcm_context_tokens_total", "lcm_expand_latency_ms", "lcm_search_latency_ms"}, name) {
			t.Error(line)
		}
	}
}

// TestTheDatabasesOfAFleet: each machine with what its copy holds, how it grew, and what is known of its health.
func TestTheDatabasesOfAFleet(t *testing.T) {
	t.Parallel()
	env := fleetEnv(t)
	out := runFleet(t, env, cli.ExitFailed, "databases", "--fleet")
	if !strings.Contains(out, "unchecked") || !strings.Contains(out, "lossless-claw") || !strings.Contains(out, "unasked.example") || !strings.Contains(out, "4 machines") {
		t.Error(out)
	}
	var listed struct {
		Fleet []struct {
			Source string
			Health *struct{ Error int }
			Result *struct {
				Path     string
				Messages int
			}
		}
	}
	if err := json.Unmarshal([]byte(runFleet(t, env, 0, "databases", "--fleet=nas", "--json")), &listed); err != nil || len(listed.Fleet) != 1 || listed.Fleet[0].Result == nil || listed.Fleet[0].Result.Messages != 4 || listed.Fleet[0].Health != nil {
		t.Errorf("%+v, %v", listed, err)
	}
}

// TestTheFilesOfACopyAreElsewhere: a check of a copy doesn't miss the large files, which stay on its machine.
func TestTheFilesOfACopyAreElsewhere(t *testing.T) {
	t.Parallel()
	env := fleetEnv(t)
	env["LCM_LARGE_FILES_DIR"] = t.TempDir() // Of a host of this machine.
	if out := runFleet(t, env, 0, "config", "get", "largeFilesDir", "--db", filepath.Join(env["XDG_STATE_HOME"], "lcm-tui", "fleet", "box", "copy-1.db")); strings.Contains(out, env["LCM_LARGE_FILES_DIR"]) {
		t.Error(out)
	}
}
