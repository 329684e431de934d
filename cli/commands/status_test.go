package commands_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/work"
)

// TestStatus: status says what is there and what isn't, first in an empty home, then in one with a database, hooks that
// ran, an import, and a host whose plugin is turned off.
func TestStatus(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	path := filepath.Join(home, "lcm.db")
	part := func(v map[string]any, name string) map[string]any {
		m, _ := v[name].(map[string]any)
		return m
	}
	client := func(v map[string]any, n int) map[string]any {
		list, _ := v["clients"].([]any)
		m, _ := list[n].(map[string]any)
		return m
	}
	got := testcli.Object(t, path, "status")
	if part(got, "database")["found"] != false || part(got, "host")["state"] != "absent" || client(got, 0)["hooks"] != "none" || got["last_import"] != nil {
		t.Errorf("an empty home: %v", got)
	}
	if entries, err := os.ReadDir(home); err != nil || len(entries) != 0 {
		t.Errorf("status writes: %v %v", entries, err)
	}
	w, err := fakehost.Create(path, fakehost.Head)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	session := filepath.Join(home, ".claude", "projects", "p", "s.jsonl")
	testdb.Must(t, os.MkdirAll(filepath.Dir(session), 0o700))
	testdb.Must(t, os.MkdirAll(filepath.Join(home, ".openclaw"), 0o700))
	testdb.WriteText(t, session, "0123456789")
	testdb.Must(t, os.Chtimes(session, time.Time{}, time.Now().Add(-time.Hour)))
	testdb.WriteText(t, filepath.Join(home, ".openclaw", "openclaw.json"), `{"plugins": {"entries": {"lossless-claw": {"enabled": false}}, "slots": {"contextEngine": "legacy"}}}`)
	testdb.WriteText(t, filepath.Join(home, ".claude", "settings.json"), `{"hooks": {"SessionStart": [{"hooks": [{"type": "command", "command": "lcm-tui", "args": ["hook", "claude-code"], "timeout": 2}]}]}}`)
	testdb.Execute(t, path,
		"INSERT INTO conversations (conversation_id, session_id) VALUES (1, 's')",
		"INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count, created_at) VALUES ('sum_1', 1, 'leaf', 0, 's', 1, '2026-01-02 03:04:05')",
		"INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (1, '"+session+"', 4, 0, 4)",
	)
	notes, err := work.Open(t.Context(), work.Folder(filepath.Join(home, ".local", "state", "lcm-tui"), path))
	testdb.Must(t, err)
	testdb.Must(t, notes.NoteReceipt(t.Context(), "codex", "Stop", "s", time.Millisecond, ""))
	testdb.Must(t, notes.Close())
	got = testcli.Object(t, path, "status")
	if h := part(got, "host"); h["state"] != "off" || h["plugin_enabled"] != false || h["slot"] != "legacy" {
		t.Errorf("host: %v", h)
	}
	if c := client(got, 0); c["hooks"] != "incomplete" || c["trust"] != "untrusted" || c["mcp"] != false {
		t.Errorf("Claude Code: %v", c)
	}
	if c := client(got, 1); part(c, "last_firing")["Stop"] == nil {
		t.Errorf("Codex: %v", c)
	}
	if f := part(got, "follow"); f["files"] != 1.0 || f["lag_s"].(float64) < 3599 {
		t.Errorf("follow: %v", f)
	}
	if d := part(got, "database"); d["found"] != true || got["last_compact"] != "2026-01-02 03:04:05" {
		t.Errorf("database: %v, compacted %v", d, got["last_compact"])
	}
}
