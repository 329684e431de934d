package backfill_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/transcript"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
)

// typed returns a line of Claude Code's history, without an id for an empty session.
func typed(session string, ms int64, display, pasted string) string {
	id := ""
	if session != "" {
		id = fmt.Sprintf(`,"sessionId":%q`, session)
	}
	shown, _ := json.Marshal(display)
	return fmt.Sprintf(`{"display":%s,"pastedContents": { %s },"timestamp":%d,"project":"/nowhere/p"%s}`, shown, pasted, ms, id)
}

// hashOf returns the name under which Claude Code keeps a text that was pasted.
func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// historyOf makes a client's folder with a history, and returns the path of that.
func historyOf(t *testing.T, lines ...string) string {
	t.Helper()
	return file(t, transcript.HistoryFile, lines...)
}

// recovered imports what a history alone has, and returns how many messages were written.
func recovered(t *testing.T, db *data.DB, history string) (records []int64, skipped map[string]int) {
	t.Helper()
	r := backfill.Recovery{Path: history, Request: backfill.Op{Files: filepath.Join(t.TempDir(), "files"), Threshold: 25_000}}
	dead, err := r.Find(t.Context(), db)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range dead.Imports {
		made, err := o.Import(t.Context(), db, noReport)
		o.Close()
		if err != nil {
			t.Fatal(err)
		}
		records = append(records, made...)
	}
	return records, dead.Skipped
}

const (
	recoveredRows = `SELECT c.session_key k, m.role r, m.content c, m.created_at a, m.transcript_entry_id e, p.metadata m
		FROM messages m JOIN conversations c USING (conversation_id) JOIN message_parts p USING (message_id) ORDER BY m.message_id`
	recoveredGolden = `k=agent:PROJECT:claude-code:dead-1:prompts r=user c=hello a=2026-11-22 13:41:10 e=history:1795354870388:2cf24dba5fb0a30e:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354870388}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=!echo hi a=2026-11-22 13:41:12 e=history:1795354872388:917b24e914536ecf:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354872388}
k=agent:PROJECT:claude-code:dead-1:prompts r=system c=/cost a=2026-11-22 13:41:12 e=history:1795354870888:fd1eb20d892eea11:1 m={"originalRole":"system","source":"claude-history","complete":false,"timestamp":1795354870888}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=line a
line b a=2026-11-22 13:41:13 e=history:1795354873388:f33959a5db1d978c:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354873388}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=beside [Pasted text #2] and in a file a=2026-11-22 13:41:14 e=history:1795354874388:4a7ffdc0110a4320:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354874388}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=[Pasted text #3] a=2026-11-22 13:41:15 e=history:1795354875388:6456dca902d839c5:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354875388,"paste_lost":true}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=[Pasted text #4] a=2026-11-22 13:41:16 e=history:1795354876388:8aacfd8a496c2613:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354876388,"paste_lost":true}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=[Image #5] a=2026-11-22 13:41:17 e=history:1795354877388:ca5673024093d6f9:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354877388,"paste_lost":true}
k=agent:PROJECT:claude-code:dead-1:prompts r=user c=hello a=2026-11-22 13:41:17 e=history:1795354870388:2cf24dba5fb0a30e:2 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354870388}
k=agent:PROJECT:claude-code:dead-2:prompts r=user c=beside it a=2026-11-22 13:41:12 e=history:1795354872888:0b9345bb85ef6f0c:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354872888}
k=agent:PROJECT:claude-code:unnamed-9b4935bfaabe8f2e:prompts r=user c=an old line a=2026-11-22 13:41:10 e=history:1795354870388:2e8cc2f63cadecce:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795354870388}
k=agent:PROJECT:claude-code:unnamed-9b4935bfaabe8f2e:prompts r=user c=of the same session a=2026-11-22 17:41:10 e=history:1795369270388:9ab2c8aeb6a04b9f:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795369270388}
k=agent:PROJECT:claude-code:unnamed-6535f222b4053cad:prompts r=user c=of the next a=2026-11-22 22:41:10 e=history:1795387270388:cd68568b042f2906:1 m={"originalRole":"user","source":"claude-history","complete":false,"timestamp":1795387270388}
`

	start = 1795354870388
	hour  = 3600 * 1000
)

// TestRecoveredPrompts: of three sessions that live and four that are gone only these are recovered, with every kind of
// line; a second run adds nothing, the check finds nothing, and undo takes all of it back.
func TestRecoveredPrompts(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	history := historyOf(
		t,
		typed("file", start, "of a session with a file", ""),
		typed("dead-1", start, "hello", ""),
		typed("dead-1", start+2000, "!echo hi", ""),
		typed("dead-2", start+2500, "beside it", ""),
		typed("dead-1", start+500, "/cost", ""), // The clock went back.
		typed("imported", start, "of a session with a conversation", ""),
		typed("archived", start, "of a session with an archived conversation", ""),
		typed("dead-1", start+3000, "line a\nline b", ""),
		typed("dead-1", start+4000, "[Pasted text #1 +59 lines] and [Pasted text #2]", `"1": {"id":1,"type":"text","content":"beside [Pasted text #2]"}, "2": {"id":2,"type":"text","contentHash":"`+hashOf("in a file")+`"}`),
		typed("dead-1", start+5000, "[Pasted text #3]", `"3":{"id":3,"type":"text","contentHash":"`+hashOf("swept")+`"}`),
		typed("dead-1", start+6000, "[Pasted text #4]", `"4":{"id":4,"type":"text","contentHash":"`+hashOf("right")+`"}`),
		typed("dead-1", start+7000, "[Image #5]", `"5":{"id":5,"type":"image","content":"AAAA"}`),
		typed("dead-1", start, "hello", ""), // Word for word, at the same time.
		typed("", start, "an old line", ""),
		typed("", start+4*hour, "of the same session", ""),
		typed("", start+9*hour, "of the next", ""),
		typed("helper/../../x", start, "no session's id", ""),
		"not JSON", `{"display":7,"sessionId":"dead-3"}`,
	)
	folder := filepath.Dir(history)
	testdb.Must(t, os.MkdirAll(filepath.Join(folder, "projects", "-p"), 0o700))
	testdb.Must(t, os.MkdirAll(filepath.Join(folder, "paste-cache"), 0o700))
	write(t, filepath.Join(folder, "projects", "-p", "file.jsonl"), "{}")
	testdb.WriteText(t, filepath.Join(folder, "paste-cache", hashOf("in a file")+".txt"), "in a file")
	testdb.WriteText(t, filepath.Join(folder, "paste-cache", hashOf("right")+".txt"), "forged")
	h, err := fakehost.Open(path)
	testdb.Must(t, err)
	testdb.Must(t, errors.Join(h.Exec("INSERT INTO conversations (session_id, session_key) VALUES ('imported', 'agent:main:main')"), h.Exec("INSERT INTO conversations (session_id, session_key, active, archived_at) VALUES ('archived', 'agent:main:other', 0, '2026-01-02 03:04:05')"), h.Close()))
	before := testdb.Dump(t, path)
	records, skipped := recovered(t, db, history)
	if len(records) != 4 || len(skipped) != 2 {
		t.Errorf("%d records, passed over %v", len(records), skipped)
	}
	if got := strings.NewReplacer(backfill.ProjectOf("/nowhere/p"), "PROJECT", " \n", "\n").Replace(query(t, path, recoveredRows)); got != recoveredGolden {
		t.Errorf("recovered:\n%s", got)
	}
	after := testdb.Dump(t, path)
	if again, _ := recovered(t, db, history); len(again) != 0 || testdb.Dump(t, path) != after {
		t.Errorf("the second run wrote %d records", len(again))
	}
	report, err := integrity.Check(t.Context(), db, integrity.Request{}, noReport)
	testdb.Must(t, err)
	for _, f := range report.Findings {
		if f.Severity == integrity.Warn || f.Severity == integrity.Error {
			t.Errorf("the check reports %s: %s", f.Fault, f.Detail)
		}
	}
	for i := len(records) - 1; i >= 0; i-- {
		testdb.Must(t, ops.Undo(t.Context(), db, records[i]))
	}
	if testdb.Dump(t, path) != before {
		t.Error("undo leaves something behind")
	}
}

// TestRecoveredPromptsOfCodex: seconds become times, and a session whose file has its id at the end of its name lives.
func TestRecoveredPromptsOfCodex(t *testing.T) {
	t.Parallel()
	const lives = "0199aaaa-bbbb-cccc-dddd-eeeeffff0000"
	path := fresh(t, fakehost.V0_15)
	history := historyOf(t, `{"session_id":"`+lives+`","ts":1795354870,"text":"x"}`, `{"session_id":"c1","ts":1795354870,"text":"first [Pasted text #1]"}`, `{"session_id":"c1","ts":1795354871,"text":"/status"}`)
	sessions := filepath.Join(filepath.Dir(history), "archived_sessions")
	testdb.Must(t, os.MkdirAll(sessions, 0o700))
	write(t, filepath.Join(sessions, "rollout-2026-01-02T03-04-05-"+lives+".jsonl"), "{}")
	recovered(t, open(t, path), history)
	want := "k=agent:unknown:codex:c1:prompts r=user c=first [Pasted text #1] a=2026-11-22 13:41:10 "
	got := query(t, path, "SELECT c.session_key k, role r, content c, m.created_at a FROM messages m JOIN conversations c USING (conversation_id) ORDER BY seq")
	if got != want+"\nk=agent:unknown:codex:c1:prompts r=system c=/status a=2026-11-22 13:41:11 \n" {
		t.Error(got)
	}
}

// TestTranscriptFoundAfterItsPrompts: the import of the transcript archives the conversation that has only the prompts,
// undo brings it back, and a later run recovers nothing of the session.
func TestTranscriptFoundAfterItsPrompts(t *testing.T) {
	t.Parallel()
	for _, follow := range []bool{false, true} {
		path := fresh(t, fakehost.V0_15)
		db := open(t, path)
		history := historyOf(t, typed("s9", start, "first", ""))
		recovered(t, db, history)
		o := request(t, file(t, "s9.jsonl", spoke("user", "a", "", text("first")), spoke("user", "b", "a", text("second"))))
		o.Follow = follow
		records, err := o.Import(t.Context(), db, noReport)
		o.Close()
		testdb.Must(t, err)
		const rows = "SELECT conversation_id c, active a, archive_cause w, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.conversation_id) n FROM conversations c ORDER BY 1"
		if got := query(t, path, rows); got != "c=1 a=0 w=superseded n=1 \nc=2 a=1 n=2 \n" {
			t.Errorf("follow %v: %s", follow, got)
		}
		if again, skipped := recovered(t, db, history); len(again) != 0 || len(skipped) != 1 {
			t.Errorf("follow %v: recovered again: %v %v", follow, again, skipped)
		}
		testdb.Must(t, ops.Undo(t.Context(), db, records[0]))
		if got := query(t, path, rows); got != "c=1 a=1 n=1 \n" {
			t.Errorf("follow %v: after undo: %s", follow, got)
		}
	}
}

// TestPromptsWithoutASessionAreNotStoredBesideIt: old lines name no session. What was typed while a session of the
// project ran that has a file, or a conversation, is left out; what was typed before isn't.
func TestPromptsWithoutASessionAreNotStoredBesideIt(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	history := historyOf(t, typed("", start-24*hour, "before", ""), typed("", start, "meanwhile", ""))
	find := func() (contents []string) {
		dead, err := (&backfill.Recovery{Path: history}).Find(t.Context(), db)
		testdb.Must(t, err)
		for _, o := range dead.Imports {
			for e, err := range o.Opened.Entries(t.Context()) {
				testdb.Must(t, err)
				contents = append(contents, e.Message.Field("content").Text())
			}
		}
		return contents
	}
	if got := find(); len(got) != 2 {
		t.Errorf("with no session: %q", got)
	}
	session := filepath.Join(filepath.Dir(history), "projects", "p", "s.jsonl")
	testdb.Must(t, os.MkdirAll(filepath.Dir(session), 0o700))
	const line = `{"sessionId":"s","type":"user","uuid":"u","timestamp":"2026-11-22T13:00:00.000Z","cwd":"/nowhere/p","message":{"role":"user","content":"first"}}`
	write(t, session, line, strings.NewReplacer(`"u"`, `"v","parentUuid":"u"`, "T13", "T14").Replace(line))
	testdb.Must(t, os.Chtimes(session, time.Time{}, time.UnixMilli(start+hour)))
	if got := find(); len(got) != 1 || got[0] != "before" {
		t.Errorf("beside a file: %q", got)
	}
	o := request(t, session)
	o.Follow, o.Ended = true, true
	_, err := o.Import(t.Context(), db, noReport)
	o.Close()
	testdb.Must(t, errors.Join(err, os.Remove(session)))
	if got := find(); len(got) != 1 || got[0] != "before" {
		t.Errorf("beside a conversation: %q", got)
	}
}

// TestPromptsAfterAClockWasSetBack: prompts without a session whose times go back to where a session began are of that
// session; an empty line is no prompt.
func TestPromptsAfterAClockWasSetBack(t *testing.T) {
	t.Parallel()
	history := historyOf(t, typed("", start, "one", ""), typed("", start+24*hour, "the next day", ""), typed("", start, "again", ""), typed("", start, " ", ""), typed("s", start, "", ""))
	h, err := transcript.OpenHistory(t.Context(), history)
	testdb.Must(t, err)
	if len(h.Sessions) != 2 || h.Sessions[0].Prompts != 2 || h.Sessions[1].Prompts != 1 || h.BadLines != 2 {
		t.Errorf("%d sessions of %+v, %d bad lines", len(h.Sessions), h.Sessions, h.BadLines)
	}
}

// TestHistoryThatChanges: a line that is being written isn't read, one that was rewritten after the look is no other
// session's, what was appended is added later, and links that lead out of the folder are refused.
func TestHistoryThatChanges(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	history := historyOf(t, typed("d", start, "one", ""))
	whole, err := os.ReadFile(history)
	testdb.Must(t, err)
	testdb.WriteText(t, history, string(whole)+`{"display":"torn`)
	recovered(t, db, history)
	write(t, history, typed("d", start, "one", ""), typed("d", start+1, "two", ""))
	search := backfill.Recovery{Path: history, Request: *request(t, "")}
	dead, err := search.Find(t.Context(), db)
	testdb.Must(t, err)
	write(t, history, typed("e", start, "one", ""), typed("e", start+1, "two", ""))
	o := dead.Imports[0]
	if s, err := o.Survey(t.Context(), db, noReport); err != nil || s.Messages != 0 || s.BadLines != 2 {
		t.Errorf("rewritten: %d messages, %d bad lines, %v", s.Messages, s.BadLines, err)
	}
	write(t, history, typed("d", start, "one", ""), typed("d", start+1, "two", ""))
	recovered(t, db, history)
	if got := query(t, path, "SELECT content c FROM messages ORDER BY seq"); got != "c=one \nc=two \n" {
		t.Error(got)
	}
	link := filepath.Join(t.TempDir(), transcript.HistoryFile)
	testdb.Must(t, os.Symlink(history, link))
	var left *backfill.LeftOutError
	if _, err := (&backfill.Recovery{Path: link}).Find(t.Context(), db); !errors.As(err, &left) {
		t.Errorf("a link out of the folder: %v", err)
	}
}

// TestRecoveryIsChosen: by project, by time, and without folders that are ignored.
func TestRecoveryIsChosen(t *testing.T) {
	t.Parallel()
	db := open(t, fresh(t, fakehost.V0_15))
	history := historyOf(t, typed("a", start, "one", ""), strings.ReplaceAll(typed("b", start+hour, "two", ""), "/nowhere/p", "/nowhere/q"))
	for _, c := range []struct {
		search backfill.Recovery
		want   string
	}{
		{backfill.Recovery{}, "ab"},
		{backfill.Recovery{Project: "/nowhere/p"}, "a"},
		{backfill.Recovery{Project: backfill.ProjectOf("/nowhere/q")}, "b"},
		{backfill.Recovery{Since: time.UnixMilli(start + 1)}, "b"},
		{backfill.Recovery{Ignores: func(folder string) bool { return folder == "/nowhere/q" }}, "a"},
	} {
		c.search.Path = history
		dead, err := c.search.Find(t.Context(), db)
		testdb.Must(t, err)
		got := ""
		for _, o := range dead.Imports {
			got += o.Opened.Session.ID
		}
		if got != c.want {
			t.Errorf("%+v finds %q, want %q", c.search, got, c.want)
		}
	}
}
