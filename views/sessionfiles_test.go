package views

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// driveSessionFiles opens the screen of the session files on a folder with these.
func driveSessionFiles(t *testing.T, files map[string]string) *driver {
	t.Helper()
	d := driveSample(t, fakehost.V0_15)
	dir := t.TempDir()
	for name, text := range files {
		d.writeSessionFile(dir, name, text)
	}
	d.env.Sessions = []string{dir, filepath.Join(dir, "none")}
	d.press("T")
	return d
}

// TestSessions: what isn't stored is counted and shown, reviewed, and imported.
func TestSessions(t *testing.T) {
	t.Parallel()
	d := driveSessionFiles(t, map[string]string{
		"s1.jsonl":       twoMessages + "{oops\n",
		"other.jsonl":    "{\"hello\":1}\n",
		"s2.jsonl":       strings.ReplaceAll(twoMessages, "new-session", "another"),
		"c\x1b[2J.jsonl": `{"sessionId":"s3","type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"x"}}` + "\n",
	})
	d.sees("s1.jsonl", "openclaw", "none yet", "1 to import", "claude-code", "claude ", "1 file is left out")
	d.clean(120, 36)
	d.clean(80, 24)
	if s := d.screen(80, 24); !strings.Contains(s, "s2.jsonl") || !strings.Contains(s, "new messages") {
		t.Errorf("80 × 24:\n%s", s)
	}
	d.press("down")
	d.sees("1 line can't be read, the first is line 4")
	d.press("I")
	d.sees("Review", "import 2 messages of s1.jsonl into a new conversation", "nothing is written yet", "two")
	d.press("a")
	d.sees("applied as #1")
	d.press("enter")
	d.sees("2 messages in the file, 2 stored")
	d.misses("2 to import")
	for _, a := range d.app.Top().Actions() {
		if h := a.Key.Help(); h.Desc == "import" && a.Why != "everything in it is stored" {
			t.Errorf("import is still offered: %q", a.Why)
		}
	}
	d.press("c")
	d.sees("new-session", "one")
}

// TestSessionThatIsGone: a conversation whose session file is gone is listed too.
func TestSessionThatIsGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := sampleCache.Sample(path, fakehost.V0_15); err != nil {
		t.Fatal(err)
	}
	h, err := fakehost.Open(path)
	if err == nil {
		err = h.Exec(`INSERT OR REPLACE INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset)
			VALUES (1, '/nowhere/gone.jsonl', 7, 1767603675000, 7)`)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	d := driveFile(t, path)
	d.press("T")
	d.sees("gone.jsonl", "the file is gone", "messages are stored")
	if d.press("I"); d.app.Top().Title() != "Session files" {
		t.Error("a session file that is gone can be imported")
	}
}

// TestLongSession: of a long session file the first part is reviewed, and the others
// follow it.
func TestLongSession(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString(strings.SplitAfter(twoMessages, "\n")[0])
	for i := range 2100 {
		fmt.Fprintf(&b, `{"type":"message","id":"e%d","message":{"role":"user","content":"m%d"}}`+"\n", i, i)
	}
	d := driveSessionFiles(t, map[string]string{"s1.jsonl": b.String()})
	d.press("I")
	d.sees("import 2,000 messages of s1.jsonl", "Notes ~1")
	d.press("a")
	d.sees("applied as #1 to #2")
	d.press("u")
	d.sees("#2 is undone")
	d.press("enter")
	d.sees("2,100 messages in the file, 2,000 stored")
}

// TestSeveralSessionFilesAreImportedInOneReview: space marks, I reviews what is marked, and
// nothing stays marked after that.
func TestSeveralSessionFilesAreImportedInOneReview(t *testing.T) {
	t.Parallel()
	d := driveSessionFiles(t, map[string]string{
		"s1.jsonl": twoMessages,
		"s2.jsonl": strings.ReplaceAll(twoMessages, "new-session", "another"),
		"s3.jsonl": strings.ReplaceAll(twoMessages, "new-session", "third"),
	})
	v := d.app.Top().(*SessionFiles)
	d.sees("agent", "state", "+2", "space mark")
	d.press("space", "space")
	d.sees("I import 2 marked files")
	if len(v.marked) != 2 {
		t.Fatalf("marked: %v", v.marked)
	}
	marked := v.marked
	d.press("G", "A")
	if len(marked) != 3 {
		t.Fatalf("A marks %v", marked)
	}
	d.press("g", "space")
	d.sees("I import 2 marked files")
	d.press("I")
	d.sees("import 4 messages of 2 session files", "nothing is written yet")
	d.press("4")
	d.sees("2 messages into a new conversation", "the other files follow as changes of their own")
	d.press("a")
	d.sees("applied as #1 to #2")
	d.press("enter")
	d.sees(" stored ")
	d.misses("marked", "partly")
	for width, height := range map[int]int{80: 24, 120: 36, 200: 50} {
		d.clean(width, height)
	}
}

func TestSessionsNone(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.V0_1)
	d.press("T")
	d.sees("no session files in the usual places")
	if d.app.Depth() != 2 {
		t.Error("the screen isn't there")
	}
}

// TestSessionsOfADatabase: sessions in a transcript database are listed by their keys, counted,
// compared and imported like session files; a session file that the host moved into it isn't
// reported as gone.
func TestSessionsOfADatabase(t *testing.T) {
	t.Parallel()
	d := driveSample(t, fakehost.V0_15)
	events := strings.Split(strings.TrimSpace(strings.ReplaceAll(twoMessages, "new-session", "second")), "\n")
	database := testdb.AgentFile(t, 23,
		testdb.AgentSession{Key: "agent:main:main", ID: "first", At: demoNow.Add(-2 * time.Hour).UnixMilli(), Events: strings.Split(strings.TrimSpace(strings.ReplaceAll(twoMessages, "new-session", "first")), "\n")},
		testdb.AgentSession{Key: "agent:main:chat", ID: "second", At: demoNow.Add(-time.Hour).UnixMilli(), Events: events})
	d.env.Sessions = []string{database}
	d.press("T")
	d.sees("agent:main:chat", "2 messages in the session, 0 stored", "openclaw-agent.sqlite", "2 to import")
	d.press("I")
	d.sees("import 2 messages", "nothing is written yet")
	d.press("a", "enter")
	d.sees("2 messages in the session, 2 stored")
	d.press("x")
	d.sees("transcript", "2 entries stored, 0 missing")
	for width, height := range map[int]int{80: 24, 120: 36, 200: 50} {
		d.clean(width, height)
	}
}
