package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestEightHooksAtOnce: hooks of several sessions and of the same one run at the same time, each as a process. None
// fails, and every line is stored once, as after one import.
func TestEightHooksAtOnce(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path, folder := filepath.Join(home, "lcm.db"), filepath.Join(home, ".claude", "projects", "p")
	w, err := fakehost.Create(path, fakehost.V0_15)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	testdb.Must(t, errors.Join(os.MkdirAll(folder, 0o700), os.MkdirAll(filepath.Join(home, ".config", "lcm-tui"), 0o700)))
	testdb.WriteText(t, filepath.Join(home, ".config", "lcm-tui", "config.toml"), "[work]\nenabled = false\n") // No process stays.
	const sessions, rounds, each = 4, 4, 5
	lines := make([][]string, sessions)
	for round := range rounds {
		var all sync.WaitGroup
		for s := range sessions {
			for range each {
				n := len(lines[s])
				parent := "null"
				if n > 0 {
					parent = fmt.Sprintf(`"s%d-%d"`, s, n-1)
				}
				lines[s] = append(lines[s], fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":%q,"sessionId":"s%d","type":"user","message":{"role":"user","content":"line %d of session %d"},"uuid":"s%d-%d","timestamp":"2026-02-01T10:00:00.000Z"}`,
					parent, home, s, n, s, s, n))
			}
			session := filepath.Join(folder, fmt.Sprintf("s%d.jsonl", s))
			testdb.WriteText(t, session, strings.Join(lines[s], "\n")+"\n")
			for _, event := range []string{"Stop", "SubagentStop"} {
				all.Go(func() {
					cmd := program(t, path, "hook", "claude-code", "--strict")
					cmd.Env = append(cmd.Env, "HOME="+home, "XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CONFIG_HOME=")
					cmd.Stdin = strings.NewReader(fmt.Sprintf(`{"hook_event_name":%q,"session_id":"s%d","transcript_path":%q,"cwd":%q}`, event, s, session, home))
					if out, err := cmd.CombinedOutput(); err != nil {
						t.Errorf("round %d, session %d, %s: %v: %s", round, s, event, err, out)
					}
				})
			}
		}
		all.Wait()
	}
	sound(t, path)
	var want []string
	for s := range sessions {
		for n := range rounds * each {
			want = append(want, fmt.Sprintf("s%d: line %d of session %d", s, n, s))
		}
	}
	got := testdb.Rows(t, path, "SELECT c.session_id || ': ' || m.content FROM messages m JOIN conversations c USING (conversation_id) ORDER BY c.session_id, m.seq")
	if !slices.Equal(got, want) {
		t.Errorf("%d messages, want %d: %q", len(got), len(want), got)
	}
}
