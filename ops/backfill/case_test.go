package backfill_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/ingest"
	"lcm-tui/internal/fakehost"
	"lcm-tui/ops"
)

const counts = "SELECT (SELECT count(*) FROM conversations) c, count(*) m, max(seq) s, count(DISTINCT transcript_entry_id) e FROM messages"

// TestBrokenOff: what was written before an import was broken off stays, and the
// next one goes on behind it.
func TestBrokenOff(t *testing.T) {
	t.Parallel()
	for _, level := range []fakehost.Level{fakehost.V0_15, fakehost.V0_1} {
		path := fresh(t, level)
		db := open(t, path)
		session := file(t, "s1.jsonl", chain(60)...)
		o := request(t, session)
		o.Batch = 50
		step, _ := o.Step(0)
		p, err := step.Plan(t.Context(), db, noReport)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ops.Apply(t.Context(), db, p); err != nil {
			t.Fatal(err)
		}
		step, _ = o.Step(1)
		if _, err := step.Plan(t.Context(), db, noReport); err != nil { // Planned, and never written.
			t.Fatal(err)
		}
		o.Close()
		if got := query(t, path, "SELECT count(*) n, max(seq) s FROM messages"); got != "n=50 s=50 \n" {
			t.Fatalf("%s: after one batch: %s", level, got)
		}
		if n := len(mustApply(t, db, request(t, session))); n != 1 {
			t.Errorf("%s: the rest took %d batches, want 1", level, n)
		}
		if got := query(t, path, "SELECT count(*) n, max(seq) s, count(DISTINCT content) d, (SELECT max(ordinal) FROM context_items) o FROM messages"); got != "n=60 s=60 d=60 o=59 \n" {
			t.Errorf("%s: in the end: %s", level, got)
		}
		nothing(t, db, request(t, session))
	}
}

// TestStale: a message that came in the meantime makes a batch stale; planned again
// it's written behind that one, and nothing twice.
func TestStale(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	session := file(t, "s1.jsonl", chain(10)...)
	mustApply(t, db, request(t, session))
	write(t, session, chain(20)...)
	o := request(t, session)
	defer o.Close()
	step, _ := o.Step(0)
	p, err := step.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Open(path)
	if err == nil { // The host takes in the first of them itself.
		_, err = h.Message(1, fakehost.Message{Role: "user", Content: "message 11", EntryID: "e11"})
		err = errors.Join(err, h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
		t.Fatalf("the old plan: %v, want stale", err)
	}
	step, _ = o.Step(0)
	if p, err = step.Plan(t.Context(), db, noReport); err == nil {
		_, err = ops.Apply(t.Context(), db, p)
	}
	if got := query(t, path, counts); err != nil || got != "c=1 m=20 s=20 e=20 \n" {
		t.Errorf("planned again: %s %v", got, err)
	}
}

// TestUndoOfChanged: an import isn't undone when one of its rows was changed,
// though the record only knows their digests.
func TestUndoOfChanged(t *testing.T) {
	t.Parallel()
	for _, edit := range []string{
		"UPDATE messages SET content = 'other' WHERE seq = 3", "UPDATE message_parts SET metadata = '{}' WHERE message_id = 2",
		"UPDATE messages SET token_count = token_count + 1 WHERE seq = 1",
	} {
		path := fresh(t, fakehost.V0_15)
		db := open(t, path)
		record := mustApply(t, db, request(t, file(t, "s1.jsonl", chain(4)...)))[0]
		h, err := fakehost.Open(path)
		if err == nil {
			err = errors.Join(h.Exec(edit), h.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		var stale *data.StaleError
		if err := ops.Undo(t.Context(), db, record); !errors.As(err, &stale) {
			t.Errorf("%s: undo says %v, want stale", edit, err)
		}
	}
}

// TestConversation: the conversation of a session file is that of its key, then that
// of its session; never are two active with one key.
func TestConversation(t *testing.T) {
	t.Parallel()
	const where = "SELECT conversation_id c, session_id s, session_key k, active a, archive_cause w, (SELECT count(*) FROM messages m WHERE m.conversation_id = c.conversation_id) n FROM conversations c ORDER BY 1"
	index := func(t *testing.T, session, content string) {
		write(t, filepath.Join(filepath.Dir(session), "sessions.json"), content)
	}
	t.Run("new, with the key that is noted", func(t *testing.T) {
		t.Parallel()
		path, session := fresh(t, fakehost.V0_15), file(t, "s1.jsonl", chain(2)...)
		index(t, session, `{"agent:main:main":{"sessionId":"s1","updatedAt":1},"global":7}`)
		mustApply(t, open(t, path), request(t, session))
		if got := query(t, path, where); got != "c=1 s=s1 k=agent:main:main a=1 n=2 \n" {
			t.Error(got)
		}
	})
	t.Run("the active one with the key, which gets the session", func(t *testing.T) {
		t.Parallel()
		path, session := fresh(t, fakehost.V0_15), file(t, "s1.jsonl", chain(2)...)
		index(t, session, `{"agent:main:main":{"sessionId":"s1"}}`)
		made(t, path, fakehost.Conversation{SessionID: "old", SessionKey: "agent:main:main", Active: true})
		mustApply(t, open(t, path), request(t, session))
		if got := query(t, path, where); got != "c=1 s=s1 k=agent:main:main a=1 n=2 \n" {
			t.Error(got)
		}
	})
	t.Run("that of the session, which gets the key", func(t *testing.T) {
		t.Parallel()
		path, session := fresh(t, fakehost.V0_15), file(t, "s1.jsonl", chain(2)...)
		index(t, session, `{"agent:main:main":{"sessionId":"s1"}}`)
		made(t, path, fakehost.Conversation{SessionID: "s1", Active: true})
		mustApply(t, open(t, path), request(t, session))
		if got := query(t, path, where); got != "c=1 s=s1 k=agent:main:main a=1 n=2 \n" {
			t.Error(got)
		}
	})
	t.Run("an archive beside the active one", func(t *testing.T) {
		t.Parallel()
		path := fresh(t, fakehost.V0_15)
		session := file(t, "s1.jsonl.reset.2026-01-06T10-00-00.000Z", chain(2)...)
		index(t, session, `{"agent:main:main":{"sessionId":"s2"}}`)
		made(t, path, fakehost.Conversation{SessionID: "s2", SessionKey: "agent:main:main", Active: true})
		db := open(t, path)
		mustApply(t, db, request(t, session))
		nothing(t, db, request(t, session))
		if got := query(t, path, where); got != "c=1 s=s2 k=agent:main:main a=1 n=0 \nc=2 s=s1 a=0 w=manual-reset n=2 \n" {
			t.Error(got)
		}
		if got := query(t, path, "SELECT archived_at a FROM conversations WHERE active = 0"); got != "a=2026-01-06 10:00:00 \n" {
			t.Error(got)
		}
	})
	t.Run("an agent that is named", func(t *testing.T) {
		t.Parallel()
		path, session := fresh(t, fakehost.V0_15), file(t, "s1.jsonl", chain(2)...)
		o := request(t, session)
		o.Agent = "ops"
		mustApply(t, open(t, path), o)
		if got := query(t, path, where); got != "c=1 s=s1 k=agent:ops:openclaw:s1 a=1 n=2 \n" {
			t.Error(got)
		}
	})
}

func made(t *testing.T, path string, c fakehost.Conversation) {
	t.Helper()
	h, err := fakehost.Open(path)
	if err == nil {
		_, err = h.Conversation(c)
		err = errors.Join(err, h.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestFiles: large payloads lie in private files before their rows do, and don't
// where the rows couldn't be written.
func TestFiles(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	body := strings.Repeat("a line of the log\n", 400)
	session := file(t, "s1.jsonl", header, `{"type":"message","id":"a","parentId":null,"message":{"role":"toolResult","toolCallId":"call_abcdefghijklm","toolName":"exec","content":[{"type":"text","text":`+string(jstext.Quote(body))+`}]}}`)
	o := request(t, session)
	o.Threshold = 1000
	p, err := o.Plan(t.Context(), db, noReport)
	if err != nil {
		t.Fatal(err)
	}
	p.Guard("messages", data.Row{"conversation_id": int64(1)}, 7)
	if _, err := ops.Apply(t.Context(), db, p); err == nil {
		t.Fatal("a plan was written though its guard was wrong")
	}
	if left, _ := filepath.Glob(filepath.Join(o.Files, "1", "*")); len(left) > 0 {
		t.Errorf("files of rows that weren't written: %v", left)
	}
	mustApply(t, db, o)
	files, err := lcm.LargeFiles(t.Context(), db, 1)
	if err != nil || len(files) != 1 {
		t.Fatalf("%d files: %v", len(files), err)
	}
	got, _, err := lcm.ReadLargeFile(files[0], o.Files, 1<<20)
	if err != nil || string(got) != body {
		t.Errorf("the file holds %d bytes: %v", len(got), err)
	}
	for _, name := range []string{files[0].URI, filepath.Dir(files[0].URI)} {
		if info, err := os.Stat(name); err != nil || info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s may be read by others: %v %v", name, info.Mode(), err)
		}
	}
}

// TestSurvey: what an import would add is reported without adding it.
func TestSurvey(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	session := file(t, "s1.jsonl", header, messageLine(1), `{"oops`, messageLine(2), `{"type":"message","id":"x","parentId":"e2","message":{"role":"bashExecution","command":"ls","output":""}}`)
	s, err := request(t, session).Survey(t.Context(), open(t, path), noReport)
	if err != nil || !s.New || s.Messages != 2 || s.BadLines != 1 || s.Bad[0].Line != 3 || s.Tokens == 0 || len(s.Notes) != 2 {
		t.Errorf("%+v %v", s, err)
	}
	if after, err := os.ReadFile(path); err != nil || string(after) != string(before) {
		t.Error("the file was touched")
	}
}

// TestAnswerThatGrows: a session file may end within an answer for longer than we wait;
// its rest comes later and nothing of it twice.
func TestAnswerThatGrows(t *testing.T) {
	t.Parallel()
	line := func(id, parent, block string) string {
		return fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"sessionId":"s9","type":"assistant","uuid":%q,"message":{"id":"msg","role":"assistant","model":"m","content":[%s]}}`, parent, id, block)
	}
	lines := []string{
		`{"parentUuid":null,"isSidechain":false,"sessionId":"s9","type":"user","uuid":"u","message":{"role":"user","content":"go"}}`,
		line("a", `"u"`, `{"type":"thinking","thinking":"hm"}`), line("b", `"a"`, `{"type":"text","text":"one"}`), line("c", `"b"`, `{"type":"text","text":"two"}`),
	}
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	session := file(t, "s9.jsonl", lines[:3]...)
	age := func() {
		if err := os.Chtimes(session, time.Time{}, db.Now().Add(-time.Minute)); err != nil {
			t.Fatal(err)
		}
	}
	age()
	mustApply(t, db, request(t, session))
	write(t, session, lines...)
	age()
	mustApply(t, db, request(t, session))
	nothing(t, db, request(t, session))
	if got := query(t, path, "SELECT seq s, content c, transcript_entry_id e FROM messages ORDER BY seq"); got != "s=1 c=go e=u \ns=2 c=one e=b \ns=3 c=two e=c \n" {
		t.Error(got)
	}
}

// TestMirror: a channel's copy of an answer with reasoning isn't stored beside it, also where the
// answer was imported before. That of a plain answer is.
func TestMirror(t *testing.T) {
	t.Parallel()
	answer := func(id, parent, model string, more ...string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"message":{"role":"assistant","model":%q,"content":[%s{"type":"text","text":"done"}]}}`, id, parent, model, strings.Join(more, ""))
	}
	const thinking = `{"type":"thinking","thinking":"hm"},`
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	lines := []string{
		header, answer("a", "null", "m"), answer("b", `"a"`, "delivery-mirror"), answer("c", `"b"`, "m", thinking), answer("d", `"c"`, "delivery-mirror"),
		answer("e", `"d"`, "m", thinking), answer("f", `"e"`, "delivery-mirror"), answer("g", `"f"`, "delivery-mirror", thinking),
	}
	session := file(t, "s1.jsonl", lines[:6]...)
	mustApply(t, db, request(t, session))
	write(t, session, lines...)
	nothing(t, db, request(t, session))
	if got := query(t, path, "SELECT group_concat(transcript_entry_id) e FROM messages"); got != "e=a,b,c,e \n" {
		t.Error(got)
	}
}

// TestAnAnswerOfOneResponseTwice: the host stores the first message of a response, and what it leaves out is counted.
func TestAnAnswerOfOneResponseTwice(t *testing.T) {
	t.Parallel()
	answer := func(id, parent string) string {
		return fmt.Sprintf(`{"type":"message","id":%q,"parentId":%s,"message":{"role":"assistant","responseId":"r1","content":[{"type":"text","text":"answer %s"}]}}`, id, parent, id)
	}
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	session := file(t, "s1.jsonl", header, answer("a", "null"), answer("b", `"a"`))
	s, err := request(t, session).Survey(t.Context(), db, noReport)
	if err != nil || s.Messages != 1 || s.Left[string(ingest.Repeated)] != 1 {
		t.Errorf("%+v %v", s, err)
	}
	mustApply(t, db, request(t, session))
	nothing(t, db, request(t, session))
	if got := query(t, path, "SELECT group_concat(transcript_entry_id) e FROM messages"); got != "e=a \n" {
		t.Error(got)
	}
}

// TestHostile: hostile names and texts are stored as they are.
func TestHostile(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	o := request(t, file(t, "s1.jsonl", header,
		`{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"<file name=\"../../../etc/passwd\" mime=\"x\">`+strings.Repeat("y ", 4000)+`</file>"}}`,
		`{"type":"message","id":"b","parentId":"a","message":{"role":"user","content":"\u001b[2J'; DROP TABLE messages; -- \u0000 \ud83d"}}`,
		`{"type":"message","id":"b","parentId":"b","message":{"role":"user","content":"the same id again"}}`,
	))
	o.Threshold = 1000
	mustApply(t, db, o)
	if got := query(t, path, counts); got != "c=1 m=2 s=2 e=2 \n" {
		t.Error(got)
	}
	err := filepath.WalkDir(filepath.Dir(o.Files), func(p string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && !strings.HasPrefix(p, filepath.Join(o.Files, "1", "file_")) {
			t.Errorf("a file was written to %s", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	nothing(t, db, o)
}

// TestAnUnfinishedLineIsStillToCome: of a line that is being written the host is said
// nothing, so that it goes on before it, as the next import does.
func TestAnUnfinishedLineIsStillToCome(t *testing.T) {
	t.Parallel()
	path := fresh(t, fakehost.V0_15)
	db := open(t, path)
	lines := chain(5)
	session := file(t, "s1.jsonl", lines[:5]...)
	info, err := os.Stat(session)
	if err != nil {
		t.Fatal(err)
	}
	last := lines[5]
	write(t, session, append(slices.Clone(lines[:5]), last[:len(last)/2])...)
	if err := os.Truncate(session, info.Size()+int64(len(last)/2)); err != nil { // Without the line's end.
		t.Fatal(err)
	}
	mustApply(t, db, request(t, session))
	const read = "SELECT count(*) n, last_processed_offset o FROM messages, conversation_bootstrap_state"
	if got, want := query(t, path, read), fmt.Sprintf("n=4 o=%d \n", info.Size()); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	write(t, session, lines...)
	mustApply(t, db, request(t, session))
	nothing(t, db, request(t, session))
	if got := query(t, path, "SELECT count(*) n, count(DISTINCT content) d FROM messages"); got != "n=5 d=5 \n" {
		t.Errorf("in the end %s", got)
	}
}
