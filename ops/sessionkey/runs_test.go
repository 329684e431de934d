package sessionkey_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data/lcm"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

// The keys of newRuns.
const (
	jobKey    = "agent:ops:cron:nightly"
	helperKey = "agent:ops:subagent:h1"
)

// newRuns returns a database with two runs of a scheduled job, of which 1 is archived and 2 goes on, with a session of a
// subagent, 3, and with one of a person, 4.
func newRuns(t *testing.T, level fakehost.Level) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, level)
	must(t, errors.Join(err, w.Close()))
	h, err := fakehost.Start(path, fakehost.Defaults())
	must(t, err)
	archived := time.Date(2026, 5, 1, 4, 0, 0, 0, time.UTC)
	for i, c := range []fakehost.Conversation{
		{SessionKey: jobKey, SessionID: "run 1", Archived: archived, Cause: "cron-rotation"},
		{SessionKey: jobKey, SessionID: "run 2", Active: true},
		{SessionKey: helperKey, SessionID: "helper", Active: true},
		{SessionKey: liveKey, SessionID: "person", Active: true},
	} {
		conv, err := h.Conversation(c)
		must(t, err)
		_, err = h.Append(conv, fakehost.Message{Role: "user", Content: fmt.Sprint("what was said in ", i+1), At: archived})
		must(t, err)
	}
	must(t, h.Close())
	return path
}

// TestEndsOfRunsAndSubagents: the rows are those of every other session, as a host writes them. A run of a scheduled job
// is a family of its own, and a subagent seldom goes on: the plan says what that means.
func TestEndsOfRunsAndSubagents(t *testing.T) {
	t.Parallel()
	for name, c := range testlength.SomeOf(map[string]struct {
		op    ops.Op
		rows  string // Of the conversations with the key: session, active, cause.
		notes []string
	}{
		"reset of a run": {&sessionkey.Reset{Conversation: 2}, "run 1 0 cron-rotation|run 2 0 manual-reset|run 2 1 -", []string{"is a family of its own", "a late answer of it is stored there", "--next-session names that of another run"}},
		"a run ends":     {&sessionkey.End{Conversation: 2, Reason: "idle"}, "run 1 0 cron-rotation|run 2 0 session-end|run 2 1 -", []string{"is a family of its own", "a late answer of it is stored there"}},
		"the next run": {
			&sessionkey.End{Conversation: 2, Reason: "cron-stale", NextSession: "run 3"}, "run 1 0 cron-rotation|run 2 0 session-end|run 3 1 -",
			[]string{"is a family of its own", "a late answer of this run finds the archived one by its session"},
		},
		"a run is deleted":      {&sessionkey.End{Conversation: 2, Reason: "deleted"}, "run 1 0 cron-rotation|run 2 0 session-deleted", nil},
		"a run goes on":         {&sessionkey.New{Conversation: 2, Retain: 2}, "run 1 0 cron-rotation|run 2 1 -", nil},
		"a subagent ends":       {&sessionkey.End{Conversation: 3, Reason: "idle"}, "helper 0 session-end|helper 1 -", []string{"stays empty unless the subagent is called again", "session end --reason deleted begins none"}},
		"a subagent is deleted": {&sessionkey.End{Conversation: 3, Reason: "deleted"}, "helper 0 session-deleted", nil},
		"a person's session":    {&sessionkey.End{Conversation: 4, Reason: "idle"}, "person 0 session-end|person 1 -", nil},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newRuns(t, fakehost.Head)
			db := openAlone(t, path, time.Now())
			p, err := c.op.Plan(t.Context(), db, noReport)
			must(t, err)
			text := strings.Join(p.Notes, "\n")
			for _, want := range c.notes {
				if !strings.Contains(text, want) {
					t.Errorf("the plan doesn't say %q:\n%s", want, text)
				}
			}
			if len(c.notes) == 0 && (strings.Contains(text, "family") || strings.Contains(text, "subagent")) {
				t.Errorf("the plan speaks of runs or subagents:\n%s", text)
			}
			_, err = ops.Apply(t.Context(), db, p)
			must(t, err)
			session, _, _ := strings.Cut(c.rows, " ")
			rows := testdb.Rows(t, path, "SELECT session_id || ' ' || active || ' ' || coalesce(archive_cause, '-') FROM conversations WHERE session_id LIKE '"+session+"%' ORDER BY conversation_id")
			if got := strings.Join(rows, "|"); got != c.rows {
				t.Errorf("%s, want %s", got, c.rows)
			}
			for _, id := range []int64{1, 2} {
				one, err := lcm.ReadConversation(t.Context(), db, id)
				must(t, err)
				if family, err := lcm.SessionFamily(t.Context(), db, one); err != nil || len(family) != 1 {
					t.Errorf("the family of run %d has %d conversations, %v", id, len(family), err)
				}
			}
		})
	}
}

// TestNextRunAfterAnEnd: whether or not a conversation began when a run ended, the host stores what the next run says in one
// of its own, and none of it comes to another run.
func TestNextRunAfterAnEnd(t *testing.T) {
	t.Parallel()
	for name, c := range testlength.SomeOf(map[string]struct {
		op ops.Op // Nil does nothing before.
		in int64  // The conversation that the next run is in.
	}{
		"nothing":                       {nil, 5},
		"an end with the same session":  {&sessionkey.End{Conversation: 2, Reason: "idle"}, 6},
		"an end that names the session": {&sessionkey.End{Conversation: 2, Reason: "idle", NextSession: "run 3"}, 5},
		"a deleted session":             {&sessionkey.End{Conversation: 2, Reason: "deleted"}, 5},
		"an emptied context":            {&sessionkey.New{Conversation: 2}, 5},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := newRuns(t, fakehost.Head)
			if c.op != nil {
				applied(t, path, c.op)
			}
			h, err := fakehost.Start(path, fakehost.Defaults())
			must(t, err)
			defer h.Close()
			next := fakehost.Session{Key: jobKey, ID: "run 3", Transcript: fakehost.Transcript{Path: filepath.Join(t.TempDir(), "run.jsonl"), Header: "run", Entries: turns(0, 2)}}
			must(t, next.Transcript.Save())
			_, _, err = h.OpenSession(next)
			must(t, err)
			stored, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id = ?", c.in)
			must(t, err)
			others, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE conversation_id <> ?", c.in)
			must(t, err)
			if stored != len(next.Transcript.Entries) || others != 4 {
				t.Errorf("conversation %d has %d messages, all others have %d", c.in, stored, others)
			}
		})
	}
}

// TestKeysOfJobsNameNoSession: a job's runs share their key and no session, so that the next one has to be named. No
// conversation takes the place of a run, which the host archives when the next one begins.
func TestKeysOfJobsNameNoSession(t *testing.T) {
	t.Parallel()
	path := newRuns(t, fakehost.Head)
	testdb.Execute(t, path, "UPDATE conversations SET active = 0, archived_at = updated_at WHERE conversation_id = 2")
	db := openAlone(t, path, time.Now())
	for want, op := range map[string]ops.Op{
		"each run of a scheduled job has a session of its own": &sessionkey.Reset{Key: jobKey},
		"": &sessionkey.Reset{Key: jobKey, NextSession: "run 3"},
	} {
		_, err := op.Plan(t.Context(), db, noReport)
		var refused *sessionkey.RefusedError
		if want == "" && err != nil || want != "" && (!errors.As(err, &refused) || !strings.Contains(refused.Why, want) || !strings.Contains(refused.Hint(), "--next-session")) {
			t.Errorf("%q: %v", want, err)
		}
	}
	testdb.Execute(t, path, "UPDATE conversations SET active = 1, archived_at = NULL WHERE conversation_id = 2")
	_, err := (&sessionkey.Move{Conversation: 1, To: 2}).Plan(t.Context(), db, noReport)
	var refused *sessionkey.RefusedError
	if !errors.As(err, &refused) || !strings.Contains(refused.Why, "run of a scheduled job") {
		t.Errorf("a move to a run: %v", err)
	}
}

// TestReapLeavesRunsAndSubagents: only what a coding agent deleted is reaped, its subagents each by a file of its own.
func TestReapLeavesRunsAndSubagents(t *testing.T) {
	t.Parallel()
	path := newRuns(t, fakehost.Head)
	const agent = "agent:project-0a1b2c:claude-code:"
	folder := t.TempDir()
	helpers := filepath.Join(folder, "p", "parent", "subagents")
	must(t, os.MkdirAll(helpers, 0o700))
	testdb.WriteText(t, filepath.Join(helpers, "agent-kept.jsonl"), "{}\n")
	testdb.WriteText(t, filepath.Join(folder, "p", "alone.jsonl"), "{}\n")
	for _, one := range []struct{ key, session string }{
		{agent + "parent", "parent"},
		{agent + "parent:subagent:kept", "parent/kept"},
		{agent + "parent:subagent:gone", "parent/gone"},
		{agent + "alone", "alone"},
		{agent + "alone:subagent:gone2", "alone/gone2"},
	} {
		testdb.Execute(t, path, fmt.Sprintf("INSERT INTO conversations (session_id, session_key, active) VALUES ('%s', '%s', 1)", one.session, one.key))
	}
	db := openAlone(t, path, time.Now())
	p, err := (&sessionkey.Reap{Folders: map[transcript.Kind]string{transcript.ClaudeCode: folder}}).Plan(t.Context(), db, noReport)
	must(t, err)
	_, err = ops.Apply(t.Context(), db, p)
	must(t, err)
	rows := testdb.Rows(t, path, "SELECT session_id FROM conversations WHERE archive_cause = 'session-deleted' ORDER BY session_id")
	if got := strings.Join(rows, " "); got != "alone/gone2 parent parent/gone" {
		t.Errorf("%s are archived", got)
	}
	text := strings.Join(p.Notes, "\n")
	for _, want := range []string{"1 conversation stays: it is a run of a scheduled job", "1 conversation stays: it is the session of a host's subagent", "1 conversation stays: its session is none of", "2 conversations stay: its session file is there"} {
		if !strings.Contains(text, want) {
			t.Errorf("the plan doesn't say %q:\n%s", want, text)
		}
	}
}
