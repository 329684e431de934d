package export_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/export"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

func noReport(int, int, string) {}

// written returns an export of a conversation as text.
func written(t *testing.T, db *data.DB, conv int64, o export.Options) string {
	t.Helper()
	c, err := lcm.ReadConversation(t.Context(), db, conv)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := export.Write(t.Context(), db, []lcm.Conversation{c}, &b, o, nil); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// imported imports a session file into an empty file of a level.
func imported(t *testing.T, db *data.DB, session string) {
	t.Helper()
	o := &backfill.Op{Path: session, Files: filepath.Join(filepath.Dir(db.Path()), "lcm-files"), Threshold: 1 << 40}
	defer o.Close()
	for n := 0; ; n++ {
		step, _ := o.Step(n)
		p, err := step.Plan(t.Context(), db, noReport)
		if errors.Is(err, ops.ErrNothing) {
			return
		}
		if err == nil {
			_, err = ops.Apply(t.Context(), db, p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// empty returns the path of a copy of a database of which every row of the host is gone.
func empty(t *testing.T, path string) string {
	t.Helper()
	to := testdb.Copy(t, path)
	h, err := fakehost.Open(to)
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range []string{
		"pending_compaction_batches", "message_transcript_anchor_trust", "context_items", "summary_messages", "summary_parents", "message_parts", "messages_fts", "summaries_fts",
		"summaries_fts_cjk", "focus_briefs", "summaries", "messages", "large_files", "conversation_bootstrap_state", "conversation_compaction_telemetry",
		"conversation_compaction_maintenance", "conversations",
	} {
		if err := h.Exec("DELETE FROM " + table); err != nil && !strings.Contains(err.Error(), "no such table") {
			t.Fatal(table, err)
		}
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	return to
}

// rows returns what must be equal of a conversation's messages. A message without an entry id gets
// one; a heartbeat and an answer that failed aren't imported.
func rows(t *testing.T, path string, which string) []string {
	t.Helper()
	have := testdb.Rows(t, path, "SELECT name FROM pragma_table_info('messages')")
	entry := "''"
	if strings.Contains(strings.Join(have, " "), "transcript_entry_id") {
		entry = "coalesce(m.transcript_entry_id, 'm' || m.message_id)"
	}
	return testdb.Rows(t, path, "SELECT "+entry+`, '|', m.role, '|', m.content, '|', datetime(m.created_at), '|',
		(SELECT group_concat(coalesce(part_type, '∅') || '¦' || coalesce(text_content, '∅') || '¦' || coalesce(tool_call_id, '∅') || '¦' || coalesce(tool_name, '∅')
			|| '¦' || coalesce(tool_input, '∅') || '¦' || coalesce(tool_output, '∅') || '¦' || coalesce(metadata, '∅'), '‖')
			FROM (SELECT * FROM message_parts p WHERE p.message_id = m.message_id ORDER BY p.ordinal))
		FROM messages m WHERE `+which+` AND lower(trim(m.content)) NOT IN ('heartbeat_ok', '[openclaw heartbeat poll]')
			AND m.message_id NOT IN (SELECT message_id FROM message_parts WHERE part_type = 'compaction') ORDER BY m.seq`)
}

// TestBackfillOfExport: an openclaw export that is imported into an empty file gives the same
// roles, contents, seconds, entry ids and parts.
func TestBackfillOfExport(t *testing.T) {
	t.Parallel()
	for _, name := range testlength.Some(testdb.FixtureFiles(t, "v*/*.db", "hard/*.db")) {
		t.Run(filepath.Base(filepath.Dir(name))+"/"+filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			path, blank := testdb.Copy(t, name), empty(t, name)
			db, into := testdb.Open(t, path), testdb.Open(t, blank)
			all, err := lcm.Conversations(t.Context(), db)
			if err != nil {
				t.Fatal(err)
			}
			sessions := map[string]bool{}
			for i := len(all) - 1; i >= 0; i-- { // Oldest first, as the host made them.
				c := all[i]
				if sessions[c.SessionID] { // An import would add it to the conversation before.
					blank = empty(t, name)
					into = testdb.Open(t, blank)
				}
				sessions[c.SessionID] = true
				session := filepath.Join(t.TempDir(), "s.jsonl")
				text := written(t, db, c.ID, export.Options{Format: export.OpenClaw})
				if err := os.WriteFile(session, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				last := testdb.Rows(t, blank, "SELECT coalesce(max(message_id), 0) FROM messages")[0]
				imported(t, into, session)
				want, got := rows(t, path, "m.conversation_id = "+itoa(c.ID)), rows(t, blank, "m.message_id > "+last)
				if diff := cmp.Diff(want, got); diff != "" {
					t.Fatalf("conversation %d: %s", c.ID, diff[:min(len(diff), 3000)])
				}
			}
		})
	}
}

// TestOddContentsAreExportedAsTheyWere: what a host stored of contents that were no text and no list of blocks is the content, and never
// what the host noted of the message.
func TestOddContentsAreExportedAsTheyWere(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	h, err := fakehost.Open(path)
	testdb.Must(t, err)
	odd := []struct{ role, metadata, want string }{
		{"assistant", `{"originalRole":"assistant","source":"non-array-content"}`, `"content":null`},
		{"user", `{"originalRole":"user","source":"non-array-content","raw":7}`, `"content":7`},
		{"user", `{"originalRole":"user","rawType":"agent","raw":null}`, `"content":[null]`},
		{"user", `{"originalRole":"user","rawType":"agent","raw":"text"}`, `"content":["text"]`},
		{"tool", `{"originalRole":"toolResult","toolCallId":"","toolName":"exec","rawType":"text","raw":{"type":"text","text":"x"}}`, `"toolCallId":"","toolName":"exec"`},
	}
	for _, o := range odd {
		id, err := h.Message(1, fakehost.Message{Role: o.role, Content: "x"})
		testdb.Must(t, err)
		testdb.Must(t, h.Exec("DELETE FROM message_parts WHERE message_id = ?", id))
		testdb.Must(t, h.Exec("INSERT INTO message_parts (part_id, message_id, session_id, part_type, ordinal, metadata) VALUES (?, ?, 's', 'agent', 0, ?)", "odd-"+itoa(id), id, o.metadata))
	}
	testdb.Must(t, h.Close())
	lines := strings.Split(strings.TrimSpace(written(t, testdb.Open(t, path), 1, export.Options{Format: export.OpenClaw})), "\n")
	for i, o := range odd {
		if line := lines[len(lines)-len(odd)+i]; !strings.Contains(line, o.want) {
			t.Errorf("%s: %s", o.metadata, line)
		}
	}
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
