package backfill_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/backfill"
)

// TestTranscriptOf: the file that the database names is found wherever it lies, else one in the places whose session is the
// conversation's, whatever it is called; where there is none the error says where was looked.
func TestTranscriptOf(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	dir := t.TempDir()
	write := func(name, session string) string {
		to := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, []byte(`{"type":"session","version":3,"id":"`+session+`","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}`+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		return to
	}
	named := write("elsewhere/named.jsonl", "named-session")
	called := write("sessions/called-otherwise.jsonl", "found-session")
	err := faults.Alter(path, `UPDATE conversations SET session_id = 'named-session', session_key = 'agent:main:named' WHERE conversation_id = 1;
UPDATE conversations SET session_id = 'found-session', session_key = 'agent:main:found' WHERE conversation_id = 2;
DELETE FROM conversation_bootstrap_state;
INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (1, '`+named+`', 1, 1, 1)`)
	if err != nil {
		t.Fatal(err)
	}
	db := testdb.Open(t, path)
	places := []string{filepath.Join(dir, "sessions"), filepath.Join(dir, "gone")}
	for id, want := range map[int64]string{1: named, 2: called} {
		conv, err := lcm.ReadConversation(t.Context(), db, id)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := backfill.TranscriptOf(t.Context(), db, places, conv); err != nil || filepath.Base(got) != filepath.Base(want) {
			t.Errorf("conversation %d: %s, %v", id, got, err)
		}
	}
	_, err = backfill.TranscriptOf(t.Context(), db, places, lcm.Conversation{ID: 9, SessionID: "no-session"})
	if err == nil || !strings.Contains(err.Error(), "no transcript of conversation 9") {
		t.Errorf("%v", err)
	}
}
