package hostactivity_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// tenMessages returns a history of ten messages with the ids of their entries.
func tenMessages() (out []fakehost.Message) {
	for i := range 10 {
		out = append(out, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("number %d", i), EntryID: fmt.Sprintf("entry%d", i)})
	}
	return out
}

// host returns a host with a database in which conversation 1 has this history.
func host(t *testing.T, history []fakehost.Message) (h *fakehost.Host, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.Head)
	if err == nil {
		_, err = w.Conversation(fakehost.Conversation{SessionID: "session-1", SessionKey: "agent:main:main", Active: true})
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	if h, err = fakehost.Start(path, fakehost.Defaults()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	if _, err := h.Append(1, history...); err != nil {
		t.Fatal(err)
	}
	return h, path
}

// TestWhyAReplayIsStoredAgain: every message that is handed over needs a row with its hash. What is
// tenMessages to be stored again is what a host stores again once a text was replaced.
func TestWhyAReplayIsStoredAgain(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const (
		id   = "file_0123456789abcdef"
		stub = "UPDATE messages SET content = '[LCM Forgotten: assistant message 4, 2026-01-01, 8 bytes]' WHERE seq = 4"
	)
	f := fakehost.LargeFile{Name: "a.txt"}
	for _, c := range []struct {
		name   string
		text   string // Of the seventh message; empty is none with a payload.
		change string // Of the rows.
		lost   string // Entries that were never stored, by the seqs that are taken out: "2 3".
		why    string // A part of the reason; empty is none.
	}{
		{name: "nothing"},
		{name: "a stub", change: stub},
		{name: "an id of a file in a text", text: "see " + id},
		{name: "a picture", text: "look\n[User image: a.png (image/png, 70 bytes) | LCM file: " + id + "]", why: "payloads of 1 message into files (the first is number 7)"},
		{name: "a user's file", text: "read\n" + f.Reference(id, 3000), why: "payloads of 1 message"},
		{name: "the output of a tool", text: f.Output(id, "exec", 3000), why: "payloads of 1 message"},
		{name: "a whole message", text: "[LCM Raw Payload: " + id + " | role=user | reason=large_raw_message | 3,000 bytes]", why: "payloads of 1 message"},
		{name: "a picture, forgotten", text: "[User image: a.png (image/png, 70 bytes) | LCM file: " + id + "]", change: "UPDATE messages SET content = '[LCM Forgotten: user message 7, 2026-01-01, 70 bytes] files: " + id + "' WHERE seq = 7", why: "payloads of 1 message"},
		{name: "a secret in a reference", text: f.Reference(id, 3000), change: "UPDATE messages SET content = replace(content, 'a.txt', '[REDACTED:token#1]') WHERE seq = 7", why: "payloads of 1 message"},
		{name: "a secret", change: "UPDATE messages SET content = '[REDACTED:token#1]' WHERE seq = 7"},
		{name: "a payload moved after it was stored", change: "UPDATE messages SET content = '" + strings.ReplaceAll(f.Output(id, "exec", 8), "'", "''") + "' WHERE seq = 7"},
		{name: "no hash", change: "UPDATE messages SET identity_hash = NULL WHERE seq IN (2, 3)", why: "2 messages have no hash by which the host recognizes them (the first is number 2)"},
		{name: "another hash", change: "UPDATE messages SET identity_hash = 'other' WHERE seq = 5", why: "1 message has another hash than that of the text (the first is number 5)"},
		{name: "entries that aren't stored", lost: "2 3", why: "2 entries of its transcript have no row"},
		{name: "the newest entries, still to be stored", lost: "9 10"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			history := tenMessages()
			if c.text != "" {
				history[6].Content = c.text
			}
			h, file := host(t, history)
			entries, err := h.History(1)
			for _, statement := range []string{c.change, lose(c.lost)} {
				if err == nil && statement != "" {
					err = h.Exec(statement)
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "session-1.jsonl")
			if err := (fakehost.Transcript{Path: path, Header: "session-1", Entries: entries}).Save(); err != nil {
				t.Fatal(err)
			}
			db := testdb.Open(t, file)
			conv := hostactivity.Conversation{ID: 1, Session: "session-1", Tracked: true, Transcript: path}
			why, err := hostactivity.New(now, "").WhyStoredAgain(t.Context(), db, conv)
			if err != nil || (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
				t.Errorf("%q, %v, want %q", why, err, c.why)
			}
			if c.lost == "9 10" {
				return // They come, and rightly.
			}
			if err := h.Exec(stub); err != nil {
				t.Fatal(err)
			}
			if added, err := h.Replay(1, entries); err != nil || (added > 0) != (c.why != "") {
				t.Errorf("a host stores %d messages again, and the reason is %q (%v)", added, why, err)
			}
		})
	}
}

// lose deletes messages.
func lose(seqs string) string {
	if seqs == "" {
		return ""
	}
	where := " WHERE message_id IN (" + strings.ReplaceAll(seqs, " ", ", ") + ")" // Ids are seqs here.
	return "DELETE FROM context_items" + where + ";DELETE FROM message_parts" + where + ";DELETE FROM messages" + where
}

// TestHistoryIsInADatabase: the transcript may be a session in the database of an agent, and one
// that can't be read counts as a reason.
func TestHistoryIsInADatabase(t *testing.T) {
	t.Parallel()
	_, file := host(t, tenMessages())
	db := testdb.Open(t, file)
	events := []string{`{"type":"session","version":3,"id":"session-1"}`}
	for i, m := range append(tenMessages()[:4:4], append([]fakehost.Message{{Role: "user", Content: "never stored", EntryID: "lost"}}, tenMessages()[4:]...)...) {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf("%q", fmt.Sprint("e", i-1))
		}
		events = append(events, fmt.Sprintf(`{"type":"message","id":"e%d","parentId":%s,"message":{"role":%q,"content":[{"type":"text","text":%q}]}}`, i, parent, m.Role, m.Content))
	}
	path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "agent:main:main", ID: "session-1", Events: events, At: 1})
	state := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(path))))
	conv := hostactivity.Conversation{ID: 1, Session: "session-1"}
	why, err := hostactivity.New(now, state).WhyStoredAgain(t.Context(), db, conv)
	if err != nil || !strings.Contains(why, "1 entry of its transcript has no row") {
		t.Errorf("%q, %v in %s", why, err, state)
	}
	conv.Transcript = t.TempDir()
	why, err = hostactivity.New(now, "").WhyStoredAgain(t.Context(), db, conv)
	if err != nil || !strings.Contains(why, "can't be read") {
		t.Errorf("a folder: %q, %v", why, err)
	}
	conv.Transcript = filepath.Join(conv.Transcript, "gone.jsonl")
	if why, err = hostactivity.New(now, "").WhyStoredAgain(t.Context(), db, conv); err != nil || why != "" {
		t.Errorf("a file that is gone: %q, %v", why, err)
	}
}
