package sessionkey_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
	"lcm-tui/ops/transplant"
)

const (
	liveKey = "agent:main:main"
	newKey  = "agent:main:new"
	oldKey  = "agent:main:old"
)

func noReport(int, int, string) {}

// turns returns messages that all differ, with transcript entries.
func turns(first, n int) (out []fakehost.Message) {
	for i := first; i < first+n; i++ {
		out = append(out, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("what was said as number %d", i), EntryID: fmt.Sprintf("entry%03d", i)})
	}
	return out
}

// world is a file with the conversations 1, which lives, and 2, which is archived, each with six
// messages and a transcript.
type world struct {
	path, folder string // Of the database, and of the host's agent.
	host         *fakehost.Host
	live, old    fakehost.Session
}

func newWorld(t *testing.T, level fakehost.Level) *world {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "agents", "main")
	session := func(key, id string, first int) fakehost.Session {
		path := filepath.Join(folder, "sessions", id+".jsonl")
		return fakehost.Session{Key: key, ID: id, Transcript: fakehost.Transcript{Path: path, Header: id, Entries: turns(first, 6)}}
	}
	w := &world{path: filepath.Join(t.TempDir(), "lcm.db"), folder: folder, live: session(liveKey, "live", 0), old: session(oldKey, "old", 100)}
	must(t, os.MkdirAll(filepath.Join(folder, "sessions"), 0o700))
	file, err := fakehost.Create(w.path, level)
	must(t, err)
	must(t, file.Close())
	w.host, err = fakehost.Start(w.path, fakehost.Defaults())
	must(t, err)
	t.Cleanup(func() { _ = w.host.Close() })
	for _, s := range []fakehost.Session{w.live, w.old} {
		must(t, s.Transcript.Save())
		if _, added, err := w.host.OpenSession(s); err != nil || added != 6 {
			t.Fatal(added, err)
		}
	}
	w.exec(t, "UPDATE conversations SET active = 0, archived_at = datetime('now'), archive_cause = 'session-end' WHERE conversation_id = 2")
	return w
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (w *world) exec(t *testing.T, statement string) {
	t.Helper()
	must(t, w.host.Exec(statement))
}

// open opens the database two days later.
func (w *world) open(t *testing.T) *data.DB {
	t.Helper()
	db := testdb.Open(t, w.path)
	now := time.Now().Add(48 * time.Hour)
	db.Now = func() time.Time { return now }
	return db
}

func (w *world) plan(t *testing.T, op ops.Op) (*data.DB, ops.Plan, error) {
	t.Helper()
	db := w.open(t)
	p, err := op.Plan(t.Context(), db, noReport)
	return db, p, err
}

// apply plans and applies an operation.
func (w *world) apply(t *testing.T, op ops.Op) (db *data.DB, record int64) {
	t.Helper()
	db, p, err := w.plan(t, op)
	must(t, err)
	record, err = ops.Apply(t.Context(), db, p)
	must(t, err)
	return db, record
}

func (w *world) count(t *testing.T, query string) int {
	t.Helper()
	n, err := testdb.Count(w.path, query)
	must(t, err)
	return n
}

// TestHostGoesOn: after each operation the host's next turn lands in the wanted conversation, and
// nothing is stored twice.
func TestHostGoesOn(t *testing.T) {
	t.Parallel()
	rename := &sessionkey.Rename{Conversation: 1, Key: newKey}
	move := move(false)
	for name, c := range testlength.SomeOf(map[string]struct {
		op    ops.Op
		key   string
		fresh bool // The next contact begins another session.
		gone  bool // The transcripts that were followed are gone; the live one stays where the session goes on.
		conv  int64
	}{
		"renamed, session and file stay":          {rename, newKey, false, false, 1},
		"renamed, another session":                {rename, newKey, true, false, 1},
		"renamed, another session, file gone":     {rename, newKey, true, true, 1},
		"key taken away":                          {&sessionkey.Rename{Conversation: 1}, liveKey, false, false, 1},
		"moved":                                   {move, liveKey, false, false, 2},
		"moved, the old file gone":                {move, liveKey, false, true, 2},
		"unarchived, its session goes on":         {&sessionkey.Unarchive{Conversation: 2}, oldKey, true, false, 2},
		"unarchived, another session, file gone":  {&sessionkey.Unarchive{Conversation: 2}, oldKey, true, true, 2},
		"detached":                                {&sessionkey.Detach{Conversation: 1}, liveKey, false, false, 1},
		"detached, another session, file gone":    {&sessionkey.Detach{Conversation: 1}, liveKey, true, true, 1},
		"archived key renamed, the live goes on":  {&sessionkey.Rename{Conversation: 2, Key: "agent:main:older"}, liveKey, false, false, 1},
		"moved with its memory, the live goes on": {&sessionkey.Move{Conversation: 2, To: 1, Messages: &transplant.Op{Source: 1, Target: 2, Messages: true, Reactivated: true}}, liveKey, false, false, 2},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, fakehost.Head)
			db, _ := w.apply(t, c.op)
			before := w.count(t, "SELECT count(*) FROM messages")
			next := w.live
			next.Key, next.Transcript.Entries = c.key, turns(0, 8)
			if c.fresh {
				next = fakehost.Session{Key: c.key, ID: "next", Transcript: fakehost.Transcript{Path: filepath.Join(w.folder, "sessions", "next.jsonl"), Header: "next", Entries: turns(200, 2)}}
			}
			for _, path := range []string{w.live.Transcript.Path, w.old.Transcript.Path} {
				if c.gone && path != next.Transcript.Path {
					must(t, os.Remove(path))
				}
			}
			conv, _, err := w.host.OpenSession(next)
			if err != nil || conv != c.conv {
				t.Errorf("it goes on in conversation %d, want %d (%v)", conv, c.conv, err)
			}
			if n := w.count(t, "SELECT count(*) FROM messages"); n != before+2 {
				t.Errorf("%d messages, want %d and two new ones", n, before)
			}
			if ids, err := w.host.Append(conv, turns(300, 1)...); err != nil || len(ids) == 0 {
				t.Errorf("the next turn isn't stored (%v)", err)
			}
			d, err := integrity.Check(t.Context(), db, integrity.Request{Faults: []integrity.FaultID{
				integrity.SessionKeyDuplicate, integrity.SessionIDDuplicate, integrity.ArchiveStateWrong, integrity.TranscriptShared,
			}}, noReport)
			if err != nil || len(d.Findings) != 0 {
				t.Errorf("the doctor finds %v, %v", d.Findings, err)
			}
		})
	}
}

// TestUndoRestores: undo restores every row, and the same plan is stale afterwards only where the
// host has written.
func TestUndoRestores(t *testing.T) {
	t.Parallel()
	for _, level := range testlength.Some([]fakehost.Level{fakehost.V0_14, fakehost.Head}) {
		for name, op := range operations() {
			t.Run(fmt.Sprintf("%v/%s", level, name), func(t *testing.T) {
				t.Parallel()
				w := newWorld(t, level)
				if _, ok := op.(*sessionkey.Archive); ok {
					w.silence(t)
				}
				before, err := testdb.DumpTables(w.path, "lcm_tui_undo")
				must(t, err)
				db, p, err := w.plan(t, op)
				must(t, err)
				record, err := ops.Apply(t.Context(), db, p)
				must(t, err)
				if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, new(*data.StaleError)) {
					t.Errorf("applied twice: %v", err)
				}
				must(t, ops.Undo(t.Context(), db, record))
				after, err := testdb.DumpTables(w.path, "lcm_tui_undo")
				must(t, err)
				if after != before {
					t.Error("undo doesn't restore the file")
				}
			})
		}
	}
}

func operations() map[string]ops.Op {
	return map[string]ops.Op{
		"rename":    &sessionkey.Rename{Conversation: 1, Key: newKey, Family: true},
		"move":      &sessionkey.Move{Conversation: 2, To: 1},
		"archive":   &sessionkey.Archive{Conversations: []int64{1, 2}},
		"unarchive": &sessionkey.Unarchive{Conversation: 2},
		"detach":    &sessionkey.Detach{Conversation: 1},
	}
}

// silence ends the session of conversation 1 in the host.
func (w *world) silence(t *testing.T) {
	t.Helper()
	must(t, os.Remove(w.live.Transcript.Path))
	must(t, os.WriteFile(filepath.Join(w.folder, "sessions", "sessions.json"), []byte(`{"agent:main:other":{"sessionId":"other"}}`), 0o600))
}

// TestUndoRefusesWhatTheHostWrote: once the host has found the transcript again, or begun another
// conversation under the key, the operation can't be undone.
func TestUndoRefusesWhatTheHostWrote(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fakehost.Head)
	db, record := w.apply(t, &sessionkey.Detach{Conversation: 1})
	if _, _, err := w.host.OpenSession(w.live); err != nil {
		t.Fatal(err)
	}
	if err := ops.Undo(t.Context(), db, record); !errors.As(err, new(*data.StaleError)) {
		t.Errorf("the host found the transcript: %v", err)
	}

	w = newWorld(t, fakehost.Head)
	w.silence(t)
	db, record = w.apply(t, &sessionkey.Archive{Conversations: []int64{1}})
	if conv, _, err := w.host.OpenSession(w.live); err != nil || conv != 3 {
		t.Fatal(conv, err)
	}
	before, err := testdb.DumpTables(w.path)
	must(t, err)
	if err := ops.Undo(t.Context(), db, record); err == nil || strings.Contains(err.Error(), "UNIQUE") {
		t.Errorf("the host began another conversation: %v", err)
	}
	if after, err := testdb.DumpTables(w.path); err != nil || after != before {
		t.Errorf("a refused undo wrote something (%v)", err)
	}
}

// TestRefusals: what no host could go on with is refused, with the next step.
func TestRefusals(t *testing.T) {
	t.Parallel()
	key := func(conv int64, key string) ops.Op { return &sessionkey.Rename{Conversation: conv, Key: key} }
	for name, c := range testlength.SomeOf(map[string]struct {
		before string
		op     ops.Op
		why    string
	}{
		"the same key":                  {"", key(1, liveKey), "nothing to do"},
		"a blank at the end":            {"", key(1, newKey+" "), "blank"},
		"a control character":           {"", key(1, "agent:main:\x1b[2J"), "control characters"},
		"not UTF-8":                     {"", key(1, "agent:main:\xff"), "UTF-8"},
		"too long":                      {"", key(1, strings.Repeat("k", 513)), "512"},
		"a job's key":                   {"", key(1, "agent:main:cron:nightly"), "scheduled job"},
		"a key that is taken":           {"UPDATE conversations SET active = 1 WHERE conversation_id = 2", key(1, oldKey), "conversation 2 is active"},
		"a conversation that isn't":     {"", key(9, newKey), "no conversation 9"},
		"archive of a live one":         {"", &sessionkey.Archive{Conversations: []int64{1}}, "transcript may still be there"},
		"archive of an archived one":    {"", &sessionkey.Archive{Conversations: []int64{2}}, "nothing to do"},
		"unarchive of an active one":    {"", &sessionkey.Unarchive{Conversation: 1}, "nothing to do"},
		"unarchive beside an active":    {"UPDATE conversations SET session_key = '" + liveKey + "'", &sessionkey.Unarchive{Conversation: 2}, "conversation 1 is active"},
		"unarchive in the same session": {"UPDATE conversations SET session_id = 'one'", &sessionkey.Unarchive{Conversation: 2}, "conversation 1 is active"},
		"move to itself":                {"", &sessionkey.Move{Conversation: 1, To: 1}, "nothing to do"},
		"move to an archived one":       {"", &sessionkey.Move{Conversation: 1, To: 2}, "archived"},
		"move to one without a key":     {"UPDATE conversations SET session_key = NULL WHERE conversation_id = 1", &sessionkey.Move{Conversation: 2, To: 1}, "no session key"},
		"move where nothing is noted":   {"DELETE FROM conversation_bootstrap_state WHERE conversation_id = 1", &sessionkey.Move{Conversation: 2, To: 1}, "noted no transcript"},
		"detach where nothing is noted": {"DELETE FROM conversation_bootstrap_state WHERE conversation_id = 1", &sessionkey.Detach{Conversation: 1}, "nothing to do"},
	}) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, fakehost.Head)
			w.exec(t, c.before)
			_, _, err := w.plan(t, c.op)
			if err == nil || !strings.Contains(err.Error(), c.why) {
				t.Errorf("%v, want %q", err, c.why)
			}
			var hint interface{ Hint() string }
			if errors.As(err, &hint) && hint.Hint() == "" {
				t.Error("no next step")
			}
		})
	}
}

// TestOldFiles: before session keys came nothing can be changed, before archives came only the key.
func TestOldFiles(t *testing.T) {
	t.Parallel()
	for level, wanted := range map[fakehost.Level]string{fakehost.V0_3: "", fakehost.V0_5: "rename detach"} {
		db := testdb.Open(t, testdb.Sample(t, level))
		for name, op := range operations() {
			_, err := op.Plan(t.Context(), db, noReport)
			refused := errors.As(err, new(*sessionkey.RefusedError)) || errors.Is(err, ops.ErrNothing)
			if works := strings.Contains(wanted, name); works != (err == nil) || !works && !refused {
				t.Errorf("%s: %s: %v", level, name, err)
			}
		}
	}
}

// TestRenameWithFamily: archived conversations of the key go along, and copies of the key; the noted
// transcript stays where the host's index has it under the new key already.
func TestRenameWithFamily(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fakehost.Head)
	w.exec(t, "UPDATE conversations SET session_key = '"+liveKey+"'")
	w.exec(t, "INSERT INTO focus_briefs (brief_id, conversation_id, session_key, prompt, content, status, generator_session_key) VALUES ('brief', 2, '"+liveKey+"', 'p', 'c', 'active', 'agent:main:other')")
	must(t, os.WriteFile(filepath.Join(w.folder, "sessions", "sessions.json"), []byte(`{"`+newKey+`":{"sessionId":"live"}}`), 0o600))
	w.apply(t, &sessionkey.Rename{Conversation: 1, Key: newKey, Family: true})
	for query, want := range map[string]int{
		"SELECT count(*) FROM conversations WHERE session_key = '" + newKey + "'":                                                      2,
		"SELECT count(*) FROM focus_briefs WHERE session_key = '" + newKey + "' AND generator_session_key = 'agent:main:other'":        1,
		"SELECT count(*) FROM conversation_bootstrap_state WHERE conversation_id = 1 AND session_file_path LIKE '%live.jsonl'":         1,
		"SELECT count(*) FROM message_parts WHERE session_id NOT IN (SELECT session_id FROM conversations) AND session_id = 'renamed'": 0,
	} {
		if n := w.count(t, query); n != want {
			t.Errorf("%s: %d, want %d", query, n, want)
		}
	}
}

// TestRenameWarns of keys that the host wouldn't use.
func TestRenameWarns(t *testing.T) {
	t.Parallel()
	w := newWorld(t, fakehost.Head)
	db := w.open(t)
	host := sessionkey.Host{Agents: []string{"main"}, Ignored: func(key string) string {
		if strings.HasSuffix(key, ":scratch") {
			return "agent:*:scratch"
		}
		return ""
	}}
	for key, want := range map[string]string{
		newKey: "", "telegram:42": "form agent:AGENT", "agent:nobody:main": "no agent nobody", "agent:main:scratch": "stores nothing",
	} {
		p, err := (&sessionkey.Rename{Conversation: 1, Key: key, Host: host}).Plan(t.Context(), db, noReport)
		if got := strings.Join(p.Warnings, "; "); err != nil || (want == "") != (got == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q (%v)", key, got, want, err)
		}
	}
}
