package sessionkey_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// hostFolder returns a state folder of a host that knows a session; an empty key is a folder without a store, and
// broken makes one that can't be read.
func hostFolder(t *testing.T, key, session string, broken bool) string {
	t.Helper()
	if key != "" {
		path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: key, ID: session, At: 1, Events: []string{
			`{"type":"session","version":3,"id":"` + session + `","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/w"}`,
		}})
		return filepath.Join(path, "..", "..", "..", "..")
	}
	folder := t.TempDir()
	if broken {
		agent := filepath.Join(folder, "agents", "main", "agent")
		must(t, os.MkdirAll(agent, 0o700))
		must(t, os.WriteFile(filepath.Join(agent, "openclaw-agent.sqlite"), []byte(strings.Repeat("no database ", 100)), 0o600))
	}
	return folder
}

// TestHostThatKnowsTheSession: on files of 1.0 what ends a session is refused while the host's store knows it, by its
// key or its id, or can't be read; where there is none, only what no successor follows is. On older files the plan
// warns. What empties a context makes no host store anything again.
func TestHostThatKnowsTheSession(t *testing.T) {
	t.Parallel()
	const otherKey, otherSession = "agent:main:other", "99999999-0000-4000-8000-000000000009"
	for name, c := range testlength.SomeOf(map[string]struct {
		level           fakehost.Level
		key, session    string // Of the host's store; "own" is that of the conversation.
		broken, offline bool
		replaced, ended string // What says so: a refusal begins with "!", a warning with "~"; empty is neither.
	}{
		"1.0, by its key":           {fakehost.Beta, "own", otherSession, false, false, "!the host knows the session agent:main:main", "!the host knows"},
		"1.0, by its session":       {fakehost.Beta, otherKey, "own", false, false, "!the host knows the session", "!the host knows"},
		"1.0, offline all the same": {fakehost.Beta, "own", otherSession, false, true, "!the host knows", "!the host knows"},
		"1.0, not known":            {fakehost.Beta, otherKey, otherSession, false, false, "", ""},
		"1.0, no store":             {fakehost.Beta, "", "", false, false, "~no index of the host's sessions was found", "!no index of the host's sessions was found"},
		"1.0, no store, offline":    {fakehost.Beta, "", "", false, true, "~no index", "~no index"},
		"1.0, unreadable":           {fakehost.Beta, "", "", true, false, "!whether the host knows the session can't be read", "!whether the host knows"},
		"0.15, by its key":          {fakehost.Head, "own", otherSession, false, false, "~the host knows the session agent:main:main", "~the host knows"},
		"0.15, not known":           {fakehost.Head, otherKey, otherSession, false, false, "", ""},
		"0.15, no store":            {fakehost.Head, "", "", false, false, "", ""},
		"0.15, unreadable":          {fakehost.Head, "", "", true, false, "~whether the host knows", "~whether the host knows"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := testdb.Sample(t, c.level)
			own := testdb.Rows(t, path, "SELECT session_id FROM conversations WHERE conversation_id = 1")[0]
			key, session := strings.ReplaceAll(c.key, "own", "agent:main:main"), strings.ReplaceAll(c.session, "own", own)
			how := sessionkey.Lifecycle{Host: sessionkey.Host{Folder: hostFolder(t, key, session, c.broken)}, Offline: c.offline, HistoryTokens: 6000}
			db := openAlone(t, path, time.Now())
			for _, one := range []struct {
				op   ops.Op
				want string
			}{
				{&sessionkey.Reset{Conversation: 1, Lifecycle: how}, c.replaced},
				{&sessionkey.End{Conversation: 1, Reason: "idle", Lifecycle: how}, c.replaced},
				{&sessionkey.End{Conversation: 1, Reason: "deleted", Lifecycle: how}, c.ended},
				{&sessionkey.New{Conversation: 1, Retain: 2, Lifecycle: how}, ""},
			} {
				p, err := one.op.Plan(t.Context(), db, noReport)
				got := ""
				var refused *sessionkey.RefusedError
				switch {
				case errors.As(err, &refused):
					got = "!" + refused.Why
				case err != nil:
					t.Fatal(err)
				case len(p.Warnings) > 0:
					got = "~" + p.Warnings[0]
				}
				if (got == "") != (one.want == "") || !strings.HasPrefix(got, one.want) {
					t.Errorf("%s: %q, want %q", one.op.Name(), got, one.want)
				}
			}
		})
	}
}
