package repair_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/repair"
)

// TestTheNoteOfATranscriptStays: without its row of conversation_bootstrap_state a host
// stores nothing more of a conversation. Where the transcript is gone, or another
// conversation reads it, the path is emptied; all else the host corrects by itself.
func TestTheNoteOfATranscriptStays(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const note = "UPDATE conversation_bootstrap_state SET session_file_path = '%s', last_seen_size = %d, last_processed_offset = %d WHERE conversation_id = 1"
	const second = "INSERT OR REPLACE INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) " +
		"SELECT 2, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset FROM conversation_bootstrap_state WHERE conversation_id = 1"
	const both = "UPDATE conversations SET active = 1, archived_at = NULL"
	for name, c := range map[string]struct {
		file         string // In the transcripts' folder; empty is no file.
		size, offset int
		more         []string
		emptied      bool
		second       bool
	}{
		"it is gone":                {size: 100, offset: 90, emptied: true},
		"gone, and a wrong offset":  {size: 100, offset: 900, emptied: true},
		"gone, and a placeholder":   {emptied: true},
		"it was cut":                {file: "short", size: 100, offset: 90},
		"beyond the noted size":     {file: "long enough for it", size: 5, offset: 9},
		"a negative offset":         {file: "long enough for it", size: 5, offset: -3},
		"a placeholder":             {file: "long enough for it"},
		"as it should be":           {file: "long enough for it", size: 18, offset: 18},
		"another conversation's":    {file: "long enough for it", size: 18, offset: 18, more: []string{both, second}, emptied: true, second: true},
		"another's, and it is gone": {size: 18, offset: 18, more: []string{both, second}, emptied: true, second: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := broken(t, fakehost.Head)
			transcript := filepath.Join(t.TempDir(), "a.jsonl")
			if c.file != "" {
				if err := os.WriteFile(transcript, []byte(c.file), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			altered(t, path, append([]string{fmt.Sprintf(note, transcript, c.size, c.offset)}, c.more...)...)
			db := open(t, path)
			m := &repair.Op{All: true, Faults: []integrity.FaultID{integrity.BootstrapStateWrong, integrity.TranscriptShared}, FilesDir: files(path)}
			if c.second {
				m.Choices = map[string]string{"A02": "drop"}
			}
			p, err := m.Plan(t.Context(), db, noReport)
			if errors.Is(err, ops.ErrNothing) != !c.emptied {
				t.Fatalf("%v, %s", err, p.Title)
			}
			if err != nil {
				return
			}
			rows := "SELECT count(*) FROM conversation_bootstrap_state"
			was, err := testdb.Count(path, rows)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ops.Apply(t.Context(), db, p); err != nil {
				t.Fatal(err)
			}
			for query, want := range map[string]int{
				rows: was,
				"SELECT count(*) FROM conversation_bootstrap_state WHERE conversation_id = 1 AND session_file_path = ''":                                                            1,
				fmt.Sprintf("SELECT count(*) FROM conversation_bootstrap_state WHERE conversation_id = 1 AND last_seen_size = %d AND last_processed_offset = %d", c.size, c.offset): 1,
			} {
				if n, err := testdb.Count(path, query); err != nil || n != want {
					t.Errorf("%s: %d, not %d, %v", query, n, want, err)
				}
			}
			if q, err := m.Plan(t.Context(), open(t, path), noReport); !errors.Is(err, ops.ErrNothing) {
				t.Errorf("a second time: %s, %v", q.Title, err)
			}
		})
	}
}
