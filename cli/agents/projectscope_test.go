package agents

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"lcm-tui/clients"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/backfill"
)

// TestConversationsOfAFolder: a transcript says in which folder its session was; where it is gone,
// the folder of Claude Code that it lay in says so, or the key of a session of another client.
func TestConversationsOfAFolder(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	folder, other := filepath.Join(home, "work", "one"), filepath.Join(home, "work", "two")
	if err := errors.Join(os.MkdirAll(folder, 0o700), os.MkdirAll(other, 0o700), os.Symlink(folder, filepath.Join(home, "link"))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home, "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	if err != nil {
		t.Fatal(err)
	}
	for conv, transcript := range map[int]struct{ name, line, key string }{
		1:  {"rollout-1.jsonl", codexLine(folder), ""},
		2:  {"rollout-2.jsonl", codexLine(other), ""},
		3:  {clients.ProjectFolder(folder) + "/gone.jsonl", "", ""},
		4:  {clients.ProjectFolder(other) + "/gone.jsonl", "", ""},
		5:  {"rollout-5.jsonl", codexLine(filepath.Join(home, "link")), ""},
		6:  {"rollout-6.jsonl", codexLine(filepath.Join(folder, "below")), ""},
		7:  {clients.ProjectFolder(folder) + "/of-another.jsonl", codexLine(other), ""},
		8:  {"rollout-8.jsonl", "", "agent:" + backfill.ProjectOf(folder) + ":codex:s8"},
		9:  {"chats/session-9.jsonl", "", "agent:" + backfill.ProjectOf(folder) + ":gemini:s9"},
		10: {"rollout-10.jsonl", "", "agent:" + backfill.ProjectOf(other) + ":codex:s10"},
		11: {"rollout-11.jsonl", codexLine(other), "agent:" + backfill.ProjectOf(folder) + ":codex:s11"},
	} {
		at := filepath.Join(home, "sessions", transcript.name)
		if transcript.line != "" {
			if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o700), os.WriteFile(at, []byte(transcript.line), 0o600)); err != nil {
				t.Fatal(err)
			}
		}
		err := errors.Join(
			w.Exec("INSERT INTO conversations (conversation_id, session_id, session_key, active, created_at) VALUES (?, ?, nullif(?, ''), 1, '2026-01-01 00:00:00')", conv, fmt.Sprint("s", conv), transcript.key),
			w.Exec("INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (?, ?, 1, ?, 1)", conv, at, 1000*conv),
		)
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	p, err := newProjectScope(filepath.Join(home, "link"))
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // The second time by what is known.
		s, err := p.conversations(t.Context(), db)
		if err != nil || !slices.Equal(s.IDs(), []int64{9, 8, 5, 3, 1}) {
			t.Errorf("the newest first: %v, %v", s.IDs(), err)
		}
	}
	p, err = newProjectScope(filepath.Join(home, "nowhere"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := p.conversations(t.Context(), db); hint.Of(err) == "" || !s.Empty() {
		t.Errorf("of a folder without sessions: %v, %v", s.IDs(), err)
	}
}

// codexLine begins a rollout of Codex in a folder.
func codexLine(folder string) string {
	return fmt.Sprintf(`{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"11111111-2222-3333-4444-555555555555","timestamp":"2026-01-01T00:00:00.000Z","cwd":%q,"originator":"codex_cli_rs"}}`+"\n", folder)
}
