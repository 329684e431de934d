package transcripts

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/views/viewtest"
)

// driveSessionFiles opens the screen of the session files on a folder with these.
func driveSessionFiles(t *testing.T, files map[string]string) *viewtest.Driver {
	t.Helper()
	d := viewtest.DriveSample(t, fakehost.V0_15)
	dir := t.TempDir()
	for name, text := range files {
		d.WriteSessionFile(dir, name, text)
	}
	d.Env.Sessions = []string{dir, filepath.Join(dir, "none")}
	d.Press(".", "T")
	return d
}

// TestSessions: what isn't stored is counted and shown, reviewed, and imported.
func TestSessions(t *testing.T) {
	t.Parallel()
	d := driveSessionFiles(t, map[string]string{
		"s1.jsonl":       viewtest.TwoMessages + "{oops\n",
		"other.jsonl":    "{\"hello\":1}\n",
		"s2.jsonl":       strings.ReplaceAll(viewtest.TwoMessages, "new-session", "another"),
		"c\x1b[2J.jsonl": `{"sessionId":"s3","type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"x"}}` + "\n",
	})
	d.Sees("s1.jsonl", "openclaw", "none yet", "1 to import", "claude-code", "claude ", "1 file is left out")
	d.Clean(120, 36)
	d.Clean(80, 24)
	if s := d.Screen(80, 24); !strings.Contains(s, "s2.jsonl") || !strings.Contains(s, "new messages") {
		t.Errorf("80 × 24:\n%s", s)
	}
	d.Press("down")
	d.Sees("1 line can't be read, the first is line 4")
	d.Press("I")
	d.Sees("Review", "import 2 messages of s1.jsonl into a new conversation", "nothing is written yet", "two")
	d.Press("a")
	d.Sees("applied as #1")
	d.Press("enter")
	d.Sees("2 messages in the file, 2 stored")
	d.Misses("2 to import")
	for _, a := range d.App.Top().Actions() {
		if h := a.Key.Help(); h.Desc == "import" && a.Why != "everything in it is stored" {
			t.Errorf("import is still offered: %q", a.Why)
		}
	}
	d.Press("c")
	d.Sees("new-session", "one")
}

// TestASessionOfAnIgnoredFolder isn't imported by the screen either, which says why.
func TestASessionOfAnIgnoredFolder(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.V0_15)
	dir := t.TempDir()
	d.WriteSessionFile(dir, "s1.jsonl", `{"sessionId":"s3","cwd":"/private","type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"x"}}`+"\n")
	d.Env.Sessions = []string{dir}
	d.Env.Agents.Ignores = func(folder string) bool { return folder == "/private" }
	d.Press(".", "T")
	d.Sees("left out", "left out on purpose: nothing is kept of its", "folder /private")
	d.Misses("unreadable", "importing makes one", "!")
	for _, a := range d.App.Top().Actions() {
		if a.Key.Help().Desc == "import" && a.Why != "it is left out: nothing is kept of its folder /private" {
			t.Errorf("the import is off because %q", a.Why)
		}
	}
}

// TestSessionThatIsGone: a conversation whose session file is gone is listed too.
func TestSessionThatIsGone(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	if err := viewtest.SampleCache.Sample(path, fakehost.V0_15); err != nil {
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
	d := viewtest.DriveFile(t, path)
	d.Press(".", "T")
	d.Sees("gone.jsonl", "the file is gone", "messages are stored")
	if d.Press("I"); d.App.Top().Title() != "Session files" {
		t.Error("a session file that is gone can be imported")
	}
}

// TestLongSession: of a long session file the first part is reviewed, and the others
// follow it.
func TestLongSession(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	var b strings.Builder
	b.WriteString(strings.SplitAfter(viewtest.TwoMessages, "\n")[0])
	for i := range 2100 {
		fmt.Fprintf(&b, `{"type":"message","id":"e%d","message":{"role":"user","content":"m%d"}}`+"\n", i, i)
	}
	d := driveSessionFiles(t, map[string]string{"s1.jsonl": b.String()})
	d.Press("I")
	d.Sees("import 2,000 messages of s1.jsonl", "Notes ~1")
	d.Press("a")
	d.Sees("applied as #1 to #2")
	d.Press("u")
	d.Sees("#2 is undone")
	d.Press("enter")
	d.Sees("2,100 messages in the file, 2,000 stored")
}

// TestSeveralSessionFilesAreImportedInOneReview: space marks, I reviews what is marked, and
// nothing stays marked after that.
func TestSeveralSessionFilesAreImportedInOneReview(t *testing.T) {
	t.Parallel()
	d := driveSessionFiles(t, map[string]string{
		"s1.jsonl": viewtest.TwoMessages,
		"s2.jsonl": strings.ReplaceAll(viewtest.TwoMessages, "new-session", "another"),
		"s3.jsonl": strings.ReplaceAll(viewtest.TwoMessages, "new-session", "third"),
	})
	v := d.App.Top().(*SessionFiles)
	d.Sees("agent", "state", "+2", "space mark")
	d.Press("space", "space")
	d.Sees("I import 2 marked files")
	if len(v.marked) != 2 {
		t.Fatalf("marked: %v", v.marked)
	}
	marked := v.marked
	d.Press("G", "A")
	if len(marked) != 3 {
		t.Fatalf("A marks %v", marked)
	}
	d.Press("g", "space")
	d.Sees("I import 2 marked files")
	d.Press("I")
	d.Sees("import 4 messages of 2 session files", "nothing is written yet")
	d.Press("4")
	d.Sees("2 messages into a new conversation", "the other files follow as changes of their own")
	d.Press("a")
	d.Sees("applied as #1 to #2")
	d.Press("enter")
	d.Sees(" stored ")
	d.Misses("marked", "partly")
	for width, height := range map[int]int{80: 24, 120: 36, 200: 50} {
		d.Clean(width, height)
	}
}

func TestSessionsNone(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.V0_1)
	d.Press(".", "T")
	d.Sees("no session files in the usual places")
	if d.App.Depth() != 2 {
		t.Error("the screen isn't there")
	}
}

// TestSessionsOfADatabase: sessions in a transcript database are listed by their keys, counted,
// compared and imported like session files; a session file that the host moved into it isn't
// reported as gone.
func TestSessionsOfADatabase(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.V0_15)
	events := strings.Split(strings.TrimSpace(strings.ReplaceAll(viewtest.TwoMessages, "new-session", "second")), "\n")
	database := testdb.AgentFile(t, 23,
		testdb.AgentSession{Key: "agent:main:main", ID: "first", At: viewtest.DemoNow.Add(-2 * time.Hour).UnixMilli(), Events: strings.Split(strings.TrimSpace(strings.ReplaceAll(viewtest.TwoMessages, "new-session", "first")), "\n")},
		testdb.AgentSession{Key: "agent:main:chat", ID: "second", At: viewtest.DemoNow.Add(-time.Hour).UnixMilli(), Events: events})
	d.Env.Sessions = []string{database}
	d.Press(".", "T")
	d.Sees("agent:main:chat", "2 messages in the session, 0 stored", "openclaw-agent.sqlite", "2 to import")
	d.Press("I")
	d.Sees("import 2 messages", "nothing is written yet")
	d.Press("a", "enter")
	d.Sees("2 messages in the session, 2 stored")
	d.Press("x")
	d.Sees("transcript", "2 entries stored, 0 missing")
	for width, height := range map[int]int{80: 24, 120: 36, 200: 50} {
		d.Clean(width, height)
	}
}

// TestPathsAndIdsOfSessionFilesAreWhole: at every width a path and an id break nowhere but at the end of a line, and the
// agent is the one whose folder it is.
func TestPathsAndIdsOfSessionFilesAreWhole(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveSample(t, fakehost.Head)
	folder := filepath.Join(filepath.Dir(d.Path), "agents", "night-shift", "sessions")
	d.Env.Sessions = []string{folder}
	d.WriteSessionFile(folder, "s1.jsonl", strings.Replace(viewtest.TwoMessages, "new-session", "71c40000-0000-8000-0000-000000000006", 1))
	d.Press(".", "T")
	for _, width := range []int{100, 120, 140} {
		if text := d.Screen(width, 36); !strings.Contains(text, "71c40000-0000-8000-0000-000000000006") {
			t.Errorf("at %d cells the id is torn:\n%s", width, text)
		}
	}
	d.Sees("night-s", "night-shift, of openclaw")
}
