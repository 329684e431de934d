package backfill_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/data/sessiondb"
	"lcm-tui/data/transcript"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

// agentFile returns a private copy of a transcript database of the fixtures.
func agentFile(t *testing.T, state, agent string) string {
	t.Helper()
	from := testdb.Fixture(t, filepath.Join("v1.0", state, "agents", agent, "agent", sessiondb.FileName))
	path := filepath.Join(t.TempDir(), sessiondb.FileName)
	if err := os.Rename(from, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// withKeys returns a copy of a session file in a folder that notes its session key.
func withKeys(t *testing.T, path string, keys []string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	index := map[string]map[string]string{}
	for _, key := range keys {
		index[key] = map[string]string{"sessionId": strings.TrimSuffix(filepath.Base(path), ".jsonl")}
	}
	noted, err := json.Marshal(index)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{filepath.Base(path): b, "sessions.json": noted} {
		if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(folder, filepath.Base(path))
}

// export returns a session file of a session's events, which hosts of different generations write
// differently.
func export(t *testing.T, database, session string) string {
	t.Helper()
	db, err := sessiondb.Open(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := db.Session(t.Context(), session)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for e, err := range db.Events(t.Context(), s) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(e.JSON))
	}
	return file(t, session+".jsonl", lines...)
}

// imported returns what a file holds after an import, without what differs from run to run.
func imported(t *testing.T, path string) string {
	t.Helper()
	var out strings.Builder
	for _, q := range []string{
		"SELECT conversation_id, session_id, session_key, active, archived_at, archive_cause, title, created_at, updated_at FROM conversations ORDER BY 1",
		"SELECT * FROM messages ORDER BY message_id",
		"SELECT message_id, session_id, part_type, ordinal, text_content, tool_call_id, tool_name, tool_input, tool_output, metadata FROM message_parts ORDER BY 1, 4",
		"SELECT conversation_id, ordinal, item_type, message_id FROM context_items ORDER BY 1, 2",
		"SELECT file_id, conversation_id, file_name, mime_type, byte_size, line_count, exploration_summary, created_at FROM large_files ORDER BY 1",
		"SELECT message_id, conversation_id, transcript_entry_id, trust_state, source, reason FROM message_transcript_anchor_trust ORDER BY 1",
	} {
		out.WriteString(query(t, path, q))
	}
	return out.String()
}

// TestImportFromADatabase: a session in a transcript database of any generation is imported as the
// session file of the same events is, row by row.
func TestImportFromADatabase(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range []struct{ state, sessions, agent string }{
		{"state-small", "sessions-small", "main"},
		{"state-small-schema19", "", "main"},
		{"state-small-schema9", "", "main"},
		{"state-rich", "sessions-rich", "main"},
		{"state-rich", "sessions-rich", "ops"},
		{"state-upgraded", "sessions-upgraded", "ops"},
	} {
		t.Run(c.state+"-"+c.agent, func(t *testing.T) {
			t.Parallel()
			database := agentFile(t, c.state, c.agent)
			addresses, err := transcript.Addresses(t.Context(), database)
			if err != nil || len(addresses) == 0 {
				t.Fatal(addresses, err)
			}
			fromFile, fromDatabase := fresh1_0(t), fresh1_0(t)
			byFile, byDatabase := open(t, fromFile), open(t, fromDatabase)
			for _, address := range addresses {
				f, err := transcript.Open(t.Context(), address)
				if err != nil {
					t.Fatal(err)
				}
				session := filepath.Join(testdb.Fixtures(t), "v1.0", c.sessions, c.agent, f.Session.ID+".jsonl")
				if c.sessions == "" {
					session = export(t, database, f.Session.ID)
				}
				if _, err := os.Stat(session); errors.Is(err, os.ErrNotExist) || !f.Session.Current {
					continue // The key of a session that ended is known to the database only.
				}
				for source, db := range map[string]*data.DB{withKeys(t, session, f.Session.Keys): byFile, address: byDatabase} {
					o := request(t, source)
					o.Threshold = 600
					mustApply(t, db, o)
				}
				nothing(t, byDatabase, request(t, address))
			}
			if diff := cmp.Diff(strings.Split(imported(t, fromFile), "\n"), strings.Split(imported(t, fromDatabase), "\n")); diff != "" {
				t.Errorf("-files +database\n%s", diff)
			}
		})
	}
}

// TestAllSessionsOfADatabase: each session goes to the conversation that the host has for it, and
// nothing is added where the host stored them.
func TestAllSessionsOfADatabase(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	database := agentFile(t, "state-rich", "main")
	host := open(t, testdb.Fixture(t, "v1.0/rich.db"))
	found, problems := backfill.Find(t.Context(), []string{filepath.Dir(database)}, false)
	if len(problems) > 0 || len(found) != 12 {
		t.Fatalf("%d sessions, %v", len(found), problems)
	}
	path := fresh1_0(t)
	db := open(t, path)
	for _, address := range found {
		mustApply(t, db, request(t, address))
		nothing(t, db, request(t, address))
		s, err := request(t, address).Survey(t.Context(), host, noReport)
		if err != nil || (s.Messages == 0) == strings.Contains(address, "#99999999") {
			t.Errorf("%s: %d messages would be added to the host's own file, %v", address, s.Messages, err)
		}
	}
	const want = `key=agent:main:main id=0001 a=1 n=590
key=agent:main:telegram:dm:4242 id=0002 a=1 n=86
key=agent:main:webchat:dm:5 id=0004 a=1 n=10
key=agent:main:slack:dm:9 id=0005 a=0 cause=manual-reset n=29
key=agent:main:slack:dm:9 id=0005 a=1 n=16
key=agent:main:cron:nightly:run id=0007 a=0 cause=cron-rotation n=22
key=agent:main:cron:nightly:run id=0008 a=1 n=6
key=agent:main:teams:chat:z id=0002 a=1 n=3
key=agent:main:signal:dm:31 id=0002 a=1 n=68
key=agent:main:signal:dm:32 id=0005 a=1 n=54
key=agent:main:matrix:room:x id=0003 a=1 n=40
key=agent:main:irc:chan:y id=0004 a=1 n=71`
	got := query(t, path, `SELECT session_key key, substr(session_id, -4) id, active a, archive_cause cause,
		(SELECT count(*) FROM messages m WHERE m.conversation_id = c.conversation_id) n FROM conversations c ORDER BY (SELECT min(created_at) FROM messages m WHERE m.conversation_id = c.conversation_id)`)
	if diff := cmp.Diff(strings.Split(want, "\n"), strings.Split(strings.ReplaceAll(strings.TrimSpace(got), " \n", "\n"), "\n")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// TestBadRowsOfADatabase: a row that can't be unpacked is a bad line, and the others are imported;
// so is what is in a file of a host that isn't known yet.
func TestBadRowsOfADatabase(t *testing.T) {
	t.Parallel()
	database := testdb.AgentFile(t, 24, testdb.AgentSession{Key: "agent:main:main", ID: "s1", At: 1000, Events: chain(6)})
	testdb.ExecAgent(t, database, func(exec func(string, ...any)) {
		exec("UPDATE transcript_events SET event_json = NULL, event_zstd = x'28b52ffd00' WHERE seq = 3")
		exec("UPDATE transcript_events SET event_json = '{oops' WHERE seq = 5")
	})
	path := fresh1_0(t)
	o := request(t, transcript.Address(database, "s1"))
	mustApply(t, open(t, path), o)
	s := o.Done()
	if got := query(t, path, "SELECT group_concat(content, ', ') said FROM messages"); got != "said=message 1, message 2, message 4, message 6 \n" || s.BadLines != 2 || s.Bad[0].Line != 4 {
		t.Errorf("%s, bad: %+v", got, s.Bad)
	}
}

// TestDatabaseThatGrows: what a host adds is imported later, behind what was.
func TestDatabaseThatGrows(t *testing.T) {
	t.Parallel()
	lines := chain(6)
	database := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "agent:main:main", ID: "s1", At: 1000, Events: lines[:4]})
	path := fresh1_0(t)
	db := open(t, path)
	mustApply(t, db, request(t, transcript.Address(database, "s1")))
	testdb.ExecAgent(t, database, func(exec func(string, ...any)) {
		for n, line := range lines[4:] {
			exec("INSERT INTO transcript_events (session_id, seq, event_json, created_at) VALUES ('s1', ?, ?, 9000)", n+4, line)
		}
	})
	mustApply(t, db, request(t, transcript.Address(database, "s1")))
	if got := query(t, path, "SELECT group_concat(content, ', ') g, count(DISTINCT conversation_id) c FROM messages"); got != "g=message 1, message 2, message 3, message 4, message 5, message 6 c=1 \n" {
		t.Error(got)
	}
}

// TestSessionThatIsGoneFromADatabase says that there is no such session.
func TestSessionThatIsGoneFromADatabase(t *testing.T) {
	t.Parallel()
	database := testdb.AgentFile(t, 23)
	found, problems := backfill.Find(t.Context(), []string{transcript.Address(database, "gone")}, false)
	if len(found) != 1 || len(problems) > 0 {
		t.Fatal(found, problems)
	}
	if _, err := apply(t, open(t, fresh1_0(t)), request(t, found[0])); !errors.Is(err, sessiondb.ErrNoSession) || errors.Is(err, ops.ErrNothing) {
		t.Errorf("%v", err)
	}
}

// TestPackedArchives: what the host packed when it put a session aside is imported only where it is
// asked for, into an archived conversation.
func TestPackedArchives(t *testing.T) {
	t.Parallel()
	from := testdb.FixtureFiles(t, "v1.0/state-rich/agents/main/sessions/*.zst")[0]
	b, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(from))
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	for want, ask := range []struct {
		path     string
		archived bool
	}{{filepath.Dir(path), false}, {filepath.Dir(path), true}} {
		if found, problems := backfill.Find(t.Context(), []string{ask.path}, ask.archived); len(found) != want || len(problems) > 0 {
			t.Errorf("archived %v: %v, %v", ask.archived, found, problems)
		}
	}
	if found, _ := backfill.Find(t.Context(), []string{path}, false); len(found) != 1 {
		t.Errorf("named: %v", found)
	}
	to := fresh1_0(t)
	mustApply(t, open(t, to), request(t, path))
	const archived = "SELECT substr(session_id, -4) id, active a, archive_cause cause, archived_at at, (SELECT count(*) FROM messages) n FROM conversations"
	if got := query(t, to, archived); got != "id=0003 a=0 cause=session-deleted at=2026-09-30 01:10:00 n=1 \n" {
		t.Error(got)
	}
}
