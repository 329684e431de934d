package follow_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/backfill"
	"lcm-tui/ops/follow"
)

// claudeSession returns the lines of a session of Claude Code: answers in pieces, tools, and what is no message.
func claudeSession(rnd *rand.Rand, turns int) (lines []string) {
	last := ""
	add := func(typ, rest string) {
		parent := "null"
		if last != "" {
			parent = `"` + last + `"`
		}
		last = fmt.Sprintf("e%d", len(lines))
		lines = append(lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/w","sessionId":"s9","type":%q,%s,"uuid":%q,"timestamp":"2026-02-01T10:00:%02d.000Z"}`,
			parent, typ, rest, last, len(lines)%60))
	}
	for turn := range turns {
		add("user", fmt.Sprintf(`"message":{"role":"user","content":"question %d, größer 数"}`, turn))
		if rnd.IntN(3) == 0 {
			add("attachment", `"attachment":{"type":"hook_success"}`)
		}
		for piece := range 1 + rnd.IntN(3) {
			block := fmt.Sprintf(`{"type":"text","text":"piece %d"}`, piece)
			if piece == 2 {
				block = fmt.Sprintf(`{"type":"tool_use","id":"k%d","name":"Read","input":{}}`, turn)
			}
			add("assistant", fmt.Sprintf(`"message":{"id":"m%d","role":"assistant","model":"m","content":[%s],"stop_reason":null}`, turn, block))
			if piece == 2 {
				add("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"k%d","content":"out %d"}]}`, turn, turn))
			}
		}
	}
	return lines
}

// codexSession returns the lines of a session of Codex.
func codexSession(rnd *rand.Rand, turns int) []string {
	lines := []string{`{"timestamp":"2026-02-01T10:00:00.000Z","type":"session_meta","payload":{"id":"c9","cwd":"/w","timestamp":"2026-02-01T10:00:00.000Z"}}`}
	item := func(payload string) {
		lines = append(lines, `{"timestamp":"2026-02-01T10:00:00.000Z","type":"response_item","payload":`+payload+`}`)
	}
	for turn := range turns {
		lines = append(lines, fmt.Sprintf(`{"type":"turn_context","payload":{"model":"model %d"}}`, rnd.IntN(2)))
		item(fmt.Sprintf(`{"type":"message","role":"user","content":[{"type":"input_text","text":"question %d"}]}`, turn))
		if rnd.IntN(2) == 0 {
			item(fmt.Sprintf(`{"type":"function_call","call_id":"k%d","name":"shell","arguments":"{}"}`, turn))
			item(fmt.Sprintf(`{"type":"function_call_output","call_id":"k%d","output":"out"}`, turn))
		}
		item(`{"type":"reasoning","summary":[]}`)
		item(fmt.Sprintf(`{"type":"message","role":"assistant","content":[{"type":"output_text","text":"answer %d"}]}`, turn))
		lines = append(lines, `{"type":"event_msg","payload":{"type":"task_complete"}}`)
	}
	return lines
}

// followed is a database with a follower of one folder.
type followed struct {
	*follow.Follower
	t        *testing.T
	folder   string
	now      time.Time
	reported []follow.Import
}

func newFollowed(t *testing.T) *followed {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.V0_15)
	testdb.Must(t, err)
	testdb.Must(t, w.Close())
	f := &followed{t: t, folder: folder, now: time.Now().Add(time.Hour)} // No file was written just now.
	db := testdb.Open(t, path)
	db.Now = func() time.Time { return f.now }
	f.Follower = &follow.Follower{
		DB: db, Paths: []string{folder}, Request: backfill.Op{Files: filepath.Join(t.TempDir(), "files"), Threshold: 25_000},
		Tell: func(one follow.Import) { f.reported = append(f.reported, one) },
	}
	return f
}

func (f *followed) write(name, text string) {
	f.t.Helper()
	path := filepath.Join(f.folder, name)
	testdb.Must(f.t, errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(text), 0o600)))
}

// again looks at the files once more, after a restart if restarted.
func (f *followed) again(restarted bool) {
	f.t.Helper()
	if restarted {
		fresh := *f.Follower
		f.Follower = &follow.Follower{DB: fresh.DB, Paths: fresh.Paths, Request: fresh.Request, Positions: fresh.Positions, Tell: fresh.Tell}
	}
	_, err := f.Once(f.t.Context())
	testdb.Must(f.t, err)
}

// rows returns what is stored, without ids and times of the import.
func (f *followed) rows() []string {
	f.t.Helper()
	return slices.Concat(
		testdb.Rows(f.t, f.DB.Path(), "SELECT session_id, session_key, active FROM conversations ORDER BY 1"),
		testdb.Rows(f.t, f.DB.Path(), `SELECT conversation_id, seq, role, content, token_count, identity_hash, transcript_entry_id, stable_event_key, created_at FROM messages ORDER BY 1, 2`),
		testdb.Rows(f.t, f.DB.Path(), `SELECT m.seq, p.ordinal, p.part_type, p.text_content, p.tool_name, p.metadata FROM message_parts p JOIN messages m USING (message_id) ORDER BY 1, 2`),
		testdb.Rows(f.t, f.DB.Path(), `SELECT ordinal, m.seq FROM context_items i JOIN messages m USING (message_id) ORDER BY m.conversation_id, 1`),
	)
}

// TestAFileInPiecesGivesTheSameRows: a session that is cut anywhere and imported piece by piece, with and
// without restarts, gives the rows of one import.
func TestAFileInPiecesGivesTheSameRows(t *testing.T) {
	t.Parallel()
	for seed := range 24 {
		if !testlength.Runs(seed) {
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rnd := rand.New(rand.NewPCG(uint64(seed), 1))
			lines := []func(*rand.Rand, int) []string{claudeSession, codexSession, geminiSession}[seed%3](rnd, 6)
			whole := strings.Join(lines, "\n") + "\n"
			straight, pieces := newFollowed(t), newFollowed(t)
			straight.write("s9.jsonl", whole)
			straight.again(false)
			for cut := 0; cut < len(whole); cut += 1 + rnd.IntN(len(whole)/4) {
				pieces.write("s9.jsonl", whole[:cut])
				pieces.now = time.Now() // The file was written just now: its last answer may go on.
				pieces.again(rnd.IntN(3) == 0)
			}
			pieces.write("s9.jsonl", whole)
			pieces.now = straight.now
			pieces.again(false)
			if got, want := pieces.rows(), straight.rows(); !slices.Equal(got, want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			testdb.CheckHealthy(t, pieces.DB.Path(), fakehost.V0_15)
		})
	}
}

// count returns a number of the database.
func (f *followed) count(query string) int {
	f.t.Helper()
	n, err := testdb.Count(f.DB.Path(), query)
	testdb.Must(f.t, err)
	return n
}

const (
	countMessages = "SELECT count(*) FROM messages"
	countItems    = "SELECT count(*) FROM context_items"
)

// TestAFileThatIsRewrittenIsReadAsAWhole: made shorter and longer again, copied over, renamed or deleted, a
// session file loses no stored message and stores none twice.
func TestAFileThatIsRewrittenIsReadAsAWhole(t *testing.T) {
	t.Parallel()
	lines := claudeSession(rand.New(rand.NewPCG(7, 7)), 5)
	text := func(n int) string { return strings.Join(lines[:n], "\n") + "\n" }
	f := newFollowed(t)
	f.write("s9.jsonl", text(len(lines)))
	f.again(false)
	want := f.rows()
	for name, step := range map[string]func(){
		"shorter":         func() { f.write("s9.jsonl", text(4)) },
		"empty":           func() { f.write("s9.jsonl", "") },
		"as before":       func() { f.write("s9.jsonl", text(len(lines))) },
		"half a line":     func() { f.write("s9.jsonl", text(len(lines))+`{"parentUuid":`) },
		"a blank line":    func() { f.write("s9.jsonl", text(len(lines))+"\n") },
		"with NULs":       func() { f.write("s9.jsonl", text(len(lines))+"\x00\x00\n") },
		"a copy":          func() { f.write("w/s9.jsonl", text(len(lines))) },
		"deleted":         func() { testdb.Must(t, os.RemoveAll(filepath.Join(f.folder, "w"))) },
		"a folder so":     func() { testdb.Must(t, os.MkdirAll(filepath.Join(f.folder, "x.jsonl"), 0o700)) },
		"another's file":  func() { f.write("notes.jsonl", "{\"a\":1}\n") },
		"a link that far": func() { _ = os.Symlink("/etc/passwd", filepath.Join(f.folder, "p.jsonl")) },
	} {
		step()
		f.again(false)
		if got := f.rows(); !slices.Equal(got, want) {
			t.Errorf("%s: got\n%s\nwant\n%s", name, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestARewrittenSessionOfCodex: its entries have no ids but their places. Where lines came before them, or went, a stored
// message is found by what it says: none is stored twice, and none is left out.
func TestARewrittenSessionOfCodex(t *testing.T) {
	t.Parallel()
	lines := codexSession(rand.New(rand.NewPCG(7, 7)), 9)
	with := func(n int, text []string) string {
		more := slices.Repeat([]string{`{"type":"world_state","payload":{}}`}, n)
		return strings.Join(slices.Concat(lines[:1], more, text[1:]), "\n") + "\n"
	}
	const texts = "SELECT m.role, m.content, i.ordinal FROM messages m JOIN context_items i USING (message_id) ORDER BY m.seq"
	straight := newFollowed(t)
	straight.write("c9.jsonl", with(0, lines))
	straight.again(false)
	want := testdb.Rows(t, straight.DB.Path(), texts)
	for _, c := range []struct{ before, after int }{{0, 1}, {0, 6}, {2, 1}, {6, 0}} {
		f := newFollowed(t)
		f.write("c9.jsonl", with(c.before, lines[:len(lines)/2]))
		for range 2 {
			f.again(true)
			f.write("c9.jsonl", with(c.after, lines))
		}
		f.again(true)
		f.write("c9.jsonl", with(c.after, lines)+"\n")
		f.again(true)
		if got := testdb.Rows(t, f.DB.Path(), texts); !slices.Equal(got, want) {
			t.Errorf("%d lines before, %d after: got\n%s\nwant\n%s", c.before, c.after, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	}
}

// TestARewoundSession: what the user went back before stays stored, and leaves the context.
func TestARewoundSession(t *testing.T) {
	t.Parallel()
	lines := claudeSession(rand.New(rand.NewPCG(3, 3)), 2)
	f := newFollowed(t)
	f.write("s9.jsonl", strings.Join(lines, "\n")+"\n")
	f.again(false)
	stored := f.count(countMessages)
	f.write("s9.jsonl", strings.Join(lines, "\n")+"\n"+
		`{"parentUuid":"e0","isSidechain":false,"cwd":"/w","sessionId":"s9","type":"user","message":{"role":"user","content":"other"},"uuid":"x1"}`+"\n")
	f.again(false)
	if got, items := f.count(countMessages), f.count(countItems); got != stored+1 || items != 2 {
		t.Errorf("%d messages of %d, %d items", got, stored, items)
	}
}

// TestARewoundSessionThatGoesOnWhereItWasLeft: what the user went back before comes back into the context with the next
// message behind it, as in one import of the whole file, and an undo takes it out again.
func TestARewoundSessionThatGoesOnWhereItWasLeft(t *testing.T) {
	t.Parallel()
	line := func(id, parent string) string {
		return fmt.Sprintf(`{"parentUuid":%q,"isSidechain":false,"cwd":"/w","sessionId":"s9","type":"user","message":{"role":"user","content":"text %s"},"uuid":%q,"timestamp":"2026-02-01T10:00:00.000Z"}`, parent, id, id) + "\n"
	}
	const context = "SELECT group_concat(content) FROM (SELECT m.content FROM context_items c JOIN messages m USING (message_id) ORDER BY c.ordinal)"
	first := line("a", "") + line("b", "a") + line("c", "b") + `{"isCompactSummary":true,` + line("d", "c")[1:] + line("e", "d")
	third := line("f", "e") + line("g", "f")
	for back, kept := range map[string]string{"b": "text a,text b,", "": ""} { // Also to before the first prompt.
		second := line("x", back) + line("y", "x")
		f := newFollowed(t)
		for i, step := range []struct{ text, want string }{
			{first, "text a,text b,text c,text e"},
			{first + second, kept + "text x,text y"},
			{first + second + third, "text a,text b,text c,text e,text f,text g"},
			{first + second + third + line("z", "y"), kept + "text x,text y,text z"},
		} {
			f.write("s9.jsonl", step.text)
			f.again(i%2 == 0)
			if got := testdb.Rows(t, f.DB.Path(), context); len(got) != 1 || !strings.Contains(got[0], step.want) || len(got[0]) > len(step.want)+2 {
				t.Errorf("back to %q, %d: the context is %q, want %q", back, i, got, step.want)
			}
		}
		records, err := change.History(t.Context(), f.DB)
		testdb.Must(t, err)
		testdb.Must(t, ops.Undo(t.Context(), f.DB, records[0].ID))
		if got := testdb.Rows(t, f.DB.Path(), context); !strings.Contains(got[0], "text c,text e,text f,text g") {
			t.Errorf("back to %q, undone: %q", back, got)
		}
	}
}

// TestWhatWasUndoneIsReadAgain: the position isn't taken for more than the database has.
func TestWhatWasUndoneIsReadAgain(t *testing.T) {
	t.Parallel()
	lines := claudeSession(rand.New(rand.NewPCG(5, 5)), 4)
	f := newFollowed(t)
	f.write("s9.jsonl", strings.Join(lines[:6], "\n")+"\n")
	f.again(false)
	last, err := change.Last(t.Context(), f.DB)
	testdb.Must(t, err)
	testdb.Must(t, ops.Undo(t.Context(), f.DB, last.ID))
	f.write("s9.jsonl", strings.Join(lines, "\n")+"\n")
	f.again(false)
	straight := newFollowed(t)
	straight.write("s9.jsonl", strings.Join(lines, "\n")+"\n")
	straight.again(false)
	if got, want := f.count(countMessages), straight.count(countMessages); got != want {
		t.Errorf("%d messages, want %d", got, want)
	}
}

// TestOpenClawsTranscriptsAreLeftToTheirHost: they are reported once, and nothing of them is stored.
func TestOpenClawsTranscriptsAreLeftToTheirHost(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	const line = `{"type":"session","version":3,"id":"s1","timestamp":"2026-02-01T10:00:00.000Z","cwd":"/w"}` + "\n"
	f.write("s1.jsonl", line)
	f.again(false)
	f.write("s1.jsonl", line+line)
	f.again(false)
	if len(f.reported) == 0 || !errors.Is(f.reported[0].Err, follow.ErrHostKeepsIt) || f.count("SELECT count(*) FROM conversations") != 0 {
		t.Errorf("%+v", f.reported)
	}
}

// TestABusyDatabaseIsTriedAgain: a lock that another program holds costs nothing but time.
func TestABusyDatabaseIsTriedAgain(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	f.DB.Wait = 500 * time.Millisecond
	const files = 20
	for i := range files {
		f.write(fmt.Sprintf("s%d.jsonl", i), strings.ReplaceAll(strings.Join(claudeSession(rand.New(rand.NewPCG(1, 1)), 1), "\n")+"\n", `"s9"`, fmt.Sprintf(`"s%d"`, i)))
	}
	w, err := fakehost.Open(f.DB.Path())
	testdb.Must(t, err)
	testdb.Must(t, w.Exec("BEGIN IMMEDIATE"))
	began := time.Now()
	f.again(false)
	if len(f.reported) > 0 || !errors.Is(f.Busy(), data.ErrLocked) {
		t.Errorf("reported %+v, busy %v", f.reported, f.Busy())
	}
	if took := time.Since(began); took > files*f.DB.Wait/2 {
		t.Errorf("the lock is waited for again for each file: %s", took)
	}
	testdb.Must(t, w.Exec("ROLLBACK"))
	testdb.Must(t, w.Close())
	f.now = f.now.Add(2 * time.Second)
	f.again(false)
	if got := f.count("SELECT count(*) FROM conversations"); got != files || f.Busy() != nil {
		t.Errorf("%d files of %d were imported when the lock was gone, busy %v", got, files, f.Busy())
	}
}

// TestRunImportsWhatIsAppended: new files, new folders and new lines are seen, however the follower watches.
func TestRunImportsWhatIsAppended(t *testing.T) {
	t.Parallel()
	for _, poll := range []bool{false, true} {
		t.Run(fmt.Sprintf("poll %v", poll), func(t *testing.T) {
			t.Parallel()
			f := newFollowed(t)
			f.Poll = poll
			lines := claudeSession(rand.New(rand.NewPCG(9, 9)), 6)
			imported := make(chan int)
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			f.Tell = func(one follow.Import) {
				select {
				case imported <- one.Survey.Messages:
				case <-ctx.Done():
				}
			}
			ended := make(chan error, 1)
			f.write("first.jsonl", strings.ReplaceAll(lines[0], `"s9"`, `"s1"`)+"\n")
			go func() { ended <- f.Run(ctx) }()
			messages := 0
			wait := func(want int) {
				t.Helper()
				for messages < want {
					select {
					case n := <-imported:
						messages += n
					case <-ctx.Done():
						t.Fatalf("%d messages of %d", messages, want)
					}
				}
			}
			wait(1)
			f.write("deep/er/s9.jsonl", lines[0]+"\n")
			wait(2)
			f.write("deep/er/s9.jsonl", lines[0]+"\n"+
				`{"parentUuid":"e0","isSidechain":false,"cwd":"/w","sessionId":"s9","type":"user","message":{"role":"user","content":"more"},"uuid":"x1"}`+"\n")
			wait(3)
			cancel()
			if err := <-ended; err != nil {
				t.Errorf("%v", err)
			}
		})
	}
}

// TestAFileBesideItsFolder: the folder is followed with all that is new in it; without the folder the file is alone.
func TestAFileBesideItsFolder(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, test := range []struct{ poll, folder bool }{{false, true}, {true, true}, {false, false}, {true, false}} {
		t.Run(fmt.Sprintf("%+v", test), func(t *testing.T) {
			t.Parallel()
			f := newFollowed(t)
			f.Poll = test.poll
			line := claudeSession(rand.New(rand.NewPCG(9, 9)), 1)[0] + "\n"
			f.write("first.jsonl", strings.ReplaceAll(line, `"s9"`, `"s1"`))
			f.Paths = []string{filepath.Join(f.folder, "first.jsonl")}
			if test.folder {
				f.Paths = append(f.Paths, f.folder)
			}
			ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second) // All files are looked at every 30 seconds.
			defer cancel()
			imported := make(chan string, 9)
			f.Tell = func(one follow.Import) { imported <- filepath.Base(one.Path) }
			ended := make(chan error, 1)
			go func() { ended <- f.Run(ctx) }()
			got := []string{<-imported}
			f.write("second.jsonl", strings.ReplaceAll(line, `"s9"`, `"s2"`))
			f.write("deep/third.jsonl", strings.ReplaceAll(line, `"s9"`, `"s3"`))
			if !test.folder {
				time.Sleep(100 * time.Millisecond)
				f.write("first.jsonl", strings.ReplaceAll(line, `"s9"`, `"s1"`)+
					`{"parentUuid":"e0","isSidechain":false,"cwd":"/w","sessionId":"s1","type":"user","message":{"role":"user","content":"more"},"uuid":"x1"}`+"\n")
			}
			for want := 2 + map[bool]int{true: 1}[test.folder]; len(got) < want && ctx.Err() == nil; {
				select {
				case name := <-imported:
					got = append(got, name)
				case <-ctx.Done():
				}
			}
			cancel()
			testdb.Must(t, <-ended)
			slices.Sort(got)
			want := []string{"first.jsonl", "first.jsonl"}
			if test.folder {
				want = []string{"first.jsonl", "second.jsonl", "third.jsonl"}
			}
			if !slices.Equal(got, want) {
				t.Errorf("imported %q, want %q", got, want)
			}
		})
	}
}

// TestARelativePath names the same file as a whole one: what was imported under either isn't read again.
func TestARelativePath(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	f.write("s.jsonl", claudeSession(rand.New(rand.NewPCG(9, 9)), 1)[0]+"\n")
	whole, err := filepath.EvalSymlinks(f.folder)
	testdb.Must(t, err)
	here, err := os.Getwd()
	testdb.Must(t, err)
	relative, err := filepath.Rel(here, whole)
	testdb.Must(t, err)
	f.Paths = []string{filepath.Join(relative, "s.jsonl")}
	f.again(false)
	if len(f.reported) != 1 || f.reported[0].Path != filepath.Join(whole, "s.jsonl") {
		t.Errorf("%+v", f.reported)
	}
	f.Paths = []string{whole}
	if f.again(true); len(f.reported) != 1 {
		t.Errorf("under its whole path: %+v", f.reported[1:])
	}
}

// TestFailingFilesAreListed: those whose newest can't be imported, since when, and no longer than that.
func TestFailingFilesAreListed(t *testing.T) {
	t.Parallel()
	f := newFollowed(t)
	var failing map[string]time.Time
	f.Looked = func(_ context.Context, now map[string]time.Time) { failing = now }
	f.write("a.jsonl", strings.Join(codexSession(rand.New(rand.NewPCG(1, 1)), 2), "\n")+"\n")
	f.write("b.jsonl", "no session")
	f.DB.Wait = time.Millisecond
	release := testdb.OpenHost(t, f.DB.Path())
	testdb.Must(t, release.Script("BEGIN IMMEDIATE"))
	f.again(false)
	if _, ok := failing[filepath.Join(f.folder, "a.jsonl")]; len(failing) != 1 || !ok {
		t.Errorf("behind a lock: %v", failing)
	}
	testdb.Must(t, release.Script("ROLLBACK"))
	f.now = f.now.Add(time.Minute)
	f.again(false)
	if failing == nil || len(failing) != 0 {
		t.Errorf("after it: %v", failing)
	}
}
