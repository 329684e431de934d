package commands_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// writeTurns writes a session of Claude Code with so many turns into a home folder.
func writeTurns(t *testing.T, home, session string, turns int) {
	t.Helper()
	var b strings.Builder
	parent := "null"
	for i := range turns {
		for n, text := range []string{"Decided: step %d uses the queue of workers. ", "Fixed the root cause of fault %d. "} {
			role := []string{"user", "assistant"}[n]
			id := fmt.Sprintf(`"%s-%d-%s"`, session, i, role)
			fmt.Fprintf(&b, `{"parentUuid":%s,"isSidechain":false,"cwd":"/srv/p","sessionId":%q,"type":%q,"message":{"role":%q,"content":%q},"uuid":%s,"timestamp":"2026-02-01T10:00:00.000Z"}`+"\n",
				parent, session, role, role, strings.Repeat(fmt.Sprintf(text, i), 8), id)
			parent = id
		}
	}
	folder := filepath.Join(home, ".claude", "projects", "p")
	testdb.Must(t, os.MkdirAll(folder, 0o700))
	testdb.WriteText(t, filepath.Join(folder, session+".jsonl"), b.String())
}

// TestCurate: it imports, compacts what is long and has no summary, and promotes; a second run finds nothing to do, and
// one that only looks writes nothing.
func TestCurate(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	home := t.TempDir()
	path := filepath.Join(home, "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	writeTurns(t, home, "long", 150)
	writeTurns(t, home, "short", 3)
	before := testdb.Dump(t, path)
	if exit, out, errs := testcli.Run(t, path, "curate", "--all"); exit != 0 || !strings.Contains(out, "== import") || testdb.Dump(t, path) != before {
		t.Errorf("a look: exit %d, %s%s", exit, out, errs)
	}
	got := testcli.Object(t, path, "curate", "--all", "--apply")
	compacted, _ := got["compact"].([]any)
	if got["import"] == nil || len(compacted) != 1 || got["promote"] == nil {
		t.Errorf("%.300v", got)
	}
	for query, want := range map[string]string{
		"SELECT count(*) FROM messages": "306", "SELECT count(DISTINCT conversation_id) FROM summaries": "1",
		"SELECT count(*) > 0 FROM promoted": "1", "SELECT group_concat(DISTINCT op) FROM lcm_tui_undo": "backfill,compact,promote",
	} {
		if rows := testdb.Rows(t, path, query); len(rows) != 1 || rows[0] != want {
			t.Errorf("%s: %v, want %s", query, rows, want)
		}
	}
	if exit, out, errs := testcli.Run(t, path, "curate", "--all", "--apply"); exit != 3 || strings.Contains(out, "== compact") {
		t.Errorf("again: exit %d, %s%s", exit, out, errs)
	}
}

// TestCurateEndsAtWhatFails: without a session nothing more is tried, and the exit code is that of what failed.
func TestCurateEndsAtWhatFails(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	testdb.WriteText(t, path, "no database")
	if exit, out, errs := testcli.Run(t, path, "curate", "--all"); exit != 1 || strings.Contains(out, "== promote") || errs == "" {
		t.Errorf("exit %d, %s%s", exit, out, errs)
	}
}
