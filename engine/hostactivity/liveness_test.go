package hostactivity_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/hostactivity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

var now = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func ago(d time.Duration) data.Time { return data.Time{Time: now.Add(-d)} }

// silent returns an active conversation that was silent for a month and whose transcript is gone.
func silent(folder string) hostactivity.Conversation {
	return hostactivity.Conversation{
		ID: 1, Known: true, Active: true, UpdatedAt: ago(720 * time.Hour), Session: "session-1", Key: "agent:main:main",
		Messages: true, Newest: ago(720 * time.Hour), Tracked: true, Transcript: filepath.Join(folder, "sessions", "session-1.jsonl"),
	}
}

// agentFolder makes the folder of an agent with these files in sessions.
func agentFolder(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "agents", "main")
	if err := os.MkdirAll(filepath.Join(folder, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(folder, "sessions", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestConversationIsLive(t *testing.T) {
	t.Parallel()
	other := map[string]string{"sessions.json": `{"agent:main:other":{"sessionId":"session-2"}}`}
	for _, c := range []struct {
		name   string
		files  map[string]string
		change func(*hostactivity.Conversation)
		why    string // A part of the reason; empty is that it is over.
	}{
		{"silent, transcript gone, unknown to the host", other, func(*hostactivity.Conversation) {}, ""},
		{"detached, unknown to every agent", other, func(c *hostactivity.Conversation) { c.Transcript = "" }, "no index"},
		{"newest message of today", other, func(c *hostactivity.Conversation) { c.Newest = ago(23 * time.Hour) }, "less than a day old"},
		{"newest message without a time", other, func(c *hostactivity.Conversation) { c.Newest = data.Time{Null: true} }, "isn't known"},
		{"no message", other, func(c *hostactivity.Conversation) { c.Messages, c.Newest = false, data.Time{Null: true} }, ""},
		{"transcript there", map[string]string{"sessions.json": "{}", "session-1.jsonl": ""}, func(*hostactivity.Conversation) {}, "may still be there"},
		{"relative path", other, func(c *hostactivity.Conversation) { c.Transcript = "session-1.jsonl" }, "may still be there"},
		{"key in the index", map[string]string{"sessions.json": `{"agent:main:main":{}}`}, func(*hostactivity.Conversation) {}, "knows its session agent:main:main"},
		{"escaped key in the index", map[string]string{"sessions.json": `{"agent:main:m\u0061in":{}}`}, func(*hostactivity.Conversation) {}, "knows its session"},
		{"session id in the index", map[string]string{"sessions.json": `{"x":{"sessionId":"session-1"}}`}, func(*hostactivity.Conversation) {}, "knows its session session-1"},
		{"no index", nil, func(*hostactivity.Conversation) {}, "no index"},
		{"index cut off", map[string]string{"sessions.json": `{"x":{`}, func(*hostactivity.Conversation) {}, "can't be read"},
		{"compaction running", other, func(c *hostactivity.Conversation) { c.Compacting = true }, "running"},
		{"unknown whether active", other, func(c *hostactivity.Conversation) { c.Known = false }, "doesn't say"},
		{"archived long ago", nil, func(c *hostactivity.Conversation) { c.Active = false }, ""},
		{"archived an hour ago", nil, func(c *hostactivity.Conversation) { c.Active, c.UpdatedAt = false, ago(time.Hour) }, "less than a day ago"},
		{"archived at an unknown time", nil, func(c *hostactivity.Conversation) { c.Active, c.UpdatedAt = false, data.Time{} }, "less than a day ago"},
		{"archived while compacting", nil, func(c *hostactivity.Conversation) { c.Active, c.Compacting = false, true }, "running"},
	} {
		conv := silent(agentFolder(t, c.files))
		c.change(&conv)
		why := hostactivity.New(now, "").Why(t.Context(), conv)
		if (why == "") != (c.why == "") || !strings.Contains(why, c.why) {
			t.Errorf("%s: %q, want %q", c.name, why, c.why)
		}
	}
}

func TestSessionsOfTranscriptDatabaseAreLive(t *testing.T) {
	t.Parallel()
	for _, version := range []int{9, 14, 23} {
		path := testdb.AgentFile(t, version, testdb.AgentSession{Key: "agent:main:main", ID: "session-1", Events: []string{`{"type":"session"}`}, At: 1})
		conv := silent(filepath.Dir(filepath.Dir(path)))
		if why := hostactivity.New(now, "").Why(t.Context(), conv); !strings.Contains(why, "knows its session") {
			t.Errorf("version %d: %q", version, why)
		}
		conv.Session, conv.Key = "session-9", "agent:main:other"
		if why := hostactivity.New(now, "").Why(t.Context(), conv); why != "" {
			t.Errorf("version %d, a session that it doesn't know: %q", version, why)
		}
	}
}

func TestDetachedConversationIsLookedForInAllAgents(t *testing.T) {
	t.Parallel()
	folder := agentFolder(t, map[string]string{"sessions.json": `{"agent:main:main":{}}`})
	conv := silent(folder)
	conv.Transcript, conv.Tracked = "", false
	state := filepath.Dir(filepath.Dir(folder))
	if why := hostactivity.New(now, state).Why(t.Context(), conv); !strings.Contains(why, "knows its session") {
		t.Errorf("%q", why)
	}
	conv.Key = "agent:main:other"
	if why := hostactivity.New(now, state).Why(t.Context(), conv); why != "" {
		t.Errorf("a key that no agent knows: %q", why)
	}
}

func TestReadFindsWhatDecides(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some(fakehost.Levels()) {
		db := testdb.Open(t, testdb.Sample(t, level))
		why, err := hostactivity.New(db.Now(), "").Read(t.Context(), db, 1)
		if err != nil || why == "" {
			t.Errorf("%v: %q, %v", level, why, err)
		}
		why, err = hostactivity.New(db.Now(), "").Read(t.Context(), db, 999)
		if err != nil || !strings.Contains(why, "doesn't say") {
			t.Errorf("%v: a conversation that isn't there: %q, %v", level, why, err)
		}
	}
}
