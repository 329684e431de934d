package commands_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
)

// projectFile is a project file of lossless-claude: a compacted conversation of 300 tokens with two summaries of 120, of
// which the context has the upper one, and one of 1,000 tokens that isn't compacted.
func projectFile(t *testing.T) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "db.sqlite")
	w, err := fakehost.Create(path, fakehost.V0_3)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	testdb.Execute(t, path,
		"CREATE TABLE promoted (id TEXT PRIMARY KEY, content TEXT, archived_at TEXT)",
		"CREATE TABLE redaction_stats (project_id TEXT, category TEXT, count INTEGER)",
		"INSERT INTO conversations (conversation_id, session_id) VALUES (1, 'a'), (2, 'b')",
		"INSERT INTO messages (message_id, conversation_id, seq, role, content, token_count) VALUES (1, 1, 1, 'user', 'x', 200), (2, 1, 2, 'assistant', 'y', 100), (3, 2, 1, 'user', 'z', 1000)",
		"INSERT INTO summaries (summary_id, conversation_id, kind, depth, content, token_count) VALUES ('sum_1', 1, 'leaf', 0, 's', 80), ('sum_2', 1, 'condensed', 1, 's', 40)",
		"INSERT INTO summary_messages (summary_id, message_id, ordinal) VALUES ('sum_1', 1, 0)", "INSERT INTO summary_parents (summary_id, parent_summary_id, ordinal) VALUES ('sum_2', 'sum_1', 0)",
		"INSERT INTO context_items (conversation_id, ordinal, item_type, message_id, summary_id) VALUES (1, 0, 'summary', NULL, 'sum_2'), (1, 1, 'message', 2, NULL)",
		"INSERT INTO promoted VALUES ('p1', 'x', NULL), ('p2', 'x', '2026-01-01')",
		"INSERT INTO redaction_stats VALUES ('p', 'built_in', 3), ('p', 'project', 2)",
	)
	return path
}

// TestStatsOfLosslessClaude: the numbers are those that lossless-claude counts, and the file stays as it is.
func TestStatsOfLosslessClaude(t *testing.T) {
	t.Parallel()
	path := projectFile(t)
	before, err := os.ReadFile(path)
	testdb.Must(t, err)
	got := testcli.Object(t, path, "stats")
	for name, want := range map[string]float64{
		"projects": 1, "conversations": 2, "compacted_conversations": 1, "messages": 3, "summaries": 2, "max_depth": 1,
		"raw_tokens": 300, "summary_tokens": 120, "stored_ratio": 2.5, "compression": 5, "promoted_count": 2,
	} {
		if got[name] != want {
			t.Errorf("%s: %v, want %v", name, got[name], want)
		}
	}
	counts, _ := got["redaction_counts"].(map[string]any)
	if counts["built_in"] != 3.0 || counts["global"] != 0.0 || counts["project"] != 2.0 || counts["total"] != 5.0 {
		t.Errorf("redactions: %v", counts)
	}
	if list, _ := got["conversation_details"].([]any); len(list) != 2 {
		t.Errorf("conversations: %v", list)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file has changed: %v", err)
	}
}

// TestStatsBelowZero: summaries that take more than what they were made from save less than nothing.
func TestStatsBelowZero(t *testing.T) {
	t.Parallel()
	path := projectFile(t)
	testdb.Execute(t, path, "UPDATE summaries SET token_count = 300")
	if _, out, errs := testcli.Run(t, path, "stats", "--verbose"); !strings.Contains(out, "-100.0 %") || !strings.Contains(out, "0.5 to 1") || errs != "" {
		t.Errorf("%s%s", out, errs)
	}
	testdb.Execute(t, path, "DELETE FROM context_items", "DELETE FROM summary_parents", "DELETE FROM summary_messages", "DELETE FROM messages", "DELETE FROM summaries", "DELETE FROM conversations")
	if got := testcli.Object(t, path, "stats"); got["projects"] != 0.0 || got["stored_ratio"] != 0.0 {
		t.Errorf("an empty file: %v", got)
	}
}
