package agents_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/eventlog"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// privateText is what no line of a log may have.
const privateText = "the pelican flies at noon"

// sessionLine is a line of a session of Claude Code.
func sessionLine(session string, n int) string {
	parent := "null"
	if n > 1 {
		parent = fmt.Sprintf("%q", fmt.Sprint(session, n-1))
	}
	return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/w","sessionId":%q,"type":"user","message":{"role":"user","content":"%s %d"},"uuid":"%s%d","timestamp":"2026-02-01T10:00:%02d.000Z"}`, parent, session, privateText, n, session, n, n) + "\n"
}

// TestFollowWritesALogOfJSON: every line of what follows without end is JSON with known keys, from its start to its stop, has
// the import of each file with its counts, and nothing of what was said.
func TestFollowWritesALogOfJSON(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path, folder := filepath.Join(home, "lcm.db"), filepath.Join(home, "sessions")
	w, err := fakehost.Create(path, fakehost.V0_15)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	testdb.Must(t, os.MkdirAll(folder, 0o700))
	testdb.WriteText(t, filepath.Join(folder, "s1.jsonl"), sessionLine("s1", 1)+sessionLine("s1", 2)+"no JSON\n")
	lines, stop := testcli.Start(t, map[string]string{"LCM_DATABASE_PATH": path, "HOME": home}, "follow", folder, "--apply", "--poll")
	var events []map[string]any
	next := func(want string) map[string]any {
		t.Helper()
		for lines.Scan() {
			var event map[string]any
			if err := json.Unmarshal(lines.Bytes(), &event); err != nil {
				t.Fatalf("%v: %s", err, lines.Text())
			}
			for key := range event {
				if !slices.Contains(eventlog.Keys(), key) {
					t.Errorf("%q is no known key: %s", key, lines.Text())
				}
			}
			if strings.Contains(lines.Text(), "pelican") {
				t.Errorf("what was said is in the log: %s", lines.Text())
			}
			if events = append(events, event); event["msg"] == want {
				return event
			}
		}
		t.Fatalf("no line says %q after %v", want, events)
		return nil
	}
	if e := next("start"); e["op"] != "follow" || e["level"] != "INFO" {
		t.Errorf("it starts with %v", e)
	}
	e := next("import")
	for key, want := range map[string]any{"client": "claude-code", "session_id": "s1", "messages": 2.0, "bad_lines": 1.0, "conversation_id": 1.0, "record": 1.0, "level": "INFO"} {
		if e[key] != want {
			t.Errorf("%s is %v, want %v, in %v", key, e[key], want, e)
		}
	}
	testdb.WriteText(t, filepath.Join(folder, "s2.jsonl"), sessionLine("s2", 1))
	if e := next("import"); e["session_id"] != "s2" || e["messages"] != 1.0 {
		t.Errorf("the second session: %v", e)
	}
	go stop()
	next("stop")
	if got := testdb.Rows(t, path, "SELECT count(*) FROM messages"); got[0] != "3" {
		t.Errorf("%s messages are stored", got[0])
	}
}
