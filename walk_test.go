//go:build unix

package main

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/terminal"
	"lcm-tui/internal/testlength"
)

// walk is a newcomer at a terminal, who presses only keys that the screen or its help
// names. Text typed into a field is one action.
type walk struct {
	t       *testing.T
	ctx     context.Context
	term    *terminal.Terminal
	db      string
	actions int
}

// startWalk opens the program on a copy of the demonstration database. env is added to
// the environment.
func startWalk(t *testing.T, cols, rows int, env ...string) *walk {
	t.Helper()
	home := t.TempDir()
	db := filepath.Join(home, "lcm.db")
	env = append(walkEnv(home), env...)
	writeWalkDemo(t, db, env)
	w := openWalk(t, cols, rows, env, "--db", db)
	w.db = db
	w.wait("Tidewater")
	return w
}

func walkEnv(home string) []string {
	return []string{beMain + "=1", "HOME=" + home, "PATH=" + os.Getenv("PATH"), "LANG=C.UTF-8", "TZ=UTC"}
}

func writeWalkDemo(t *testing.T, db string, env []string) {
	t.Helper()
	demo := exec.CommandContext(t.Context(), os.Args[0], "demo", "--path", db)
	demo.Env = env
	if out, err := demo.CombinedOutput(); err != nil {
		t.Fatalf("make the demonstration: %v\n%s", err, out)
	}
}

// openWalk opens the program with args.
func openWalk(t *testing.T, cols, rows int, env []string, args ...string) *walk {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], args...)
	cmd.Env = env
	term, err := terminal.Start(cmd, cols, rows)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { _ = term.Close() })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	return &walk{t: t, ctx: ctx, term: term}
}

// press presses a key that the screen names, and waits for a text.
func (w *walk) press(key, shows string) {
	w.t.Helper()
	if !w.isNamed(key) {
		w.t.Fatalf("%q is named neither on the screen nor in its help:\n%s", key, w.term.Screen())
	}
	w.send(key)
	w.actions++
	w.wait(shows)
}

// enterText types text into the field that has the keys.
func (w *walk) enterText(text, shows string) {
	w.t.Helper()
	w.send(strconv.Quote(text))
	w.actions++
	w.wait(shows)
}

// isNamed reports whether the screen shows a key, or else its help does. A look at the help counts
// no action.
func (w *walk) isNamed(key string) bool {
	w.t.Helper()
	label := map[string]string{"down": "↓", "up": "↑", "right": "→", "left": "←", "enter": "⏎"}[key]
	if label == "" {
		label = key
	}
	named := regexp.MustCompile(`(?m)(^|[\s/│↑→])` + regexp.QuoteMeta(label) + `([\s/·]|[↓→←]|$)`)
	if named.MatchString(w.term.Screen().String()) {
		return true
	}
	w.send("?")
	w.wait("esc close")
	defer func() {
		w.send("esc")
		w.waitFor("the screen without help", func(s string) bool { return !strings.Contains(s, "esc close") })
	}()
	for range 20 { // Help may be longer than the screen.
		text := w.term.Screen().String()
		if named.MatchString(text) {
			return true
		}
		w.send("down")
		if err := w.term.Settle(w.ctx, 50*time.Millisecond); err != nil || w.term.Screen().String() == text {
			return false
		}
	}
	return false
}

func (w *walk) send(key string) {
	w.t.Helper()
	keys, err := terminal.Keys(key)
	if err != nil {
		w.t.Fatal(err)
	}
	for _, k := range keys {
		if err := w.term.Press(k); err != nil {
			w.t.Fatal(err)
		}
	}
}

// wait waits until the screen shows a text.
func (w *walk) wait(text string) {
	w.t.Helper()
	w.waitFor(text, func(s string) bool { return strings.Contains(s, text) })
}

func (w *walk) waitFor(what string, shown func(screen string) bool) {
	w.t.Helper()
	if _, err := w.term.Until(w.ctx, func(s terminal.Screen) bool { return shown(s.String()) }); err != nil {
		w.t.Fatalf("%q does not appear: %v\n%s", what, err, w.term.Screen())
	}
	// The rest of the screen may be drawn later than the text.
	if err := w.term.Settle(w.ctx, 50*time.Millisecond); err != nil {
		w.t.Fatal(err)
	}
}

// took fails when the job needed more actions than it should.
func (w *walk) took(job string, limit int) {
	w.t.Helper()
	if w.actions > limit {
		w.t.Errorf("%s takes %d keys, more than %d", job, w.actions, limit)
	}
	w.t.Logf("%s: %d keys", job, w.actions)
}

// TestAFullContextIsCompacted: a newcomer finds the conversation that is nearly full, learns
// why nothing can be compacted, takes the shorter fresh tail, chooses the summarizer that is built in,
// reviews and applies, and undoes it again.
func TestAFullContextIsCompacted(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	w := startWalk(t, 120, 36)
	before := w.dump()
	w.press("down", "")
	w.press("down", "")
	w.press("C", "every message of the context is in the fresh tail")
	w.press("f", "about 3 leaves")
	w.press("M", "ollama/")
	w.press("enter", "review it")
	w.press("enter", "an estimate")
	w.press("ctrl+x", "a apply")
	w.press("a", "applied")
	if w.dump() == before {
		t.Error("nothing was written")
	}
	w.took("compacting a full context", 9)
	w.press("u", "Review")
	w.press("a", "undone")
	if w.dump() != before {
		t.Error("undo did not bring back what was there")
	}
}

// dump returns the content of the database but for the records of changes.
func (w *walk) dump() string {
	w.t.Helper()
	return dumped(w.t, w.db)
}

// TestADamagedSummaryIsRepaired: a newcomer finds the damaged summaries of the file, chooses the
// summarizer that is built in, reviews the repair, applies it, undoes it and redoes it.
func TestADamagedSummaryIsRepaired(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	w := startWalk(t, 120, 36)
	before := w.dump()
	w.press("h", "Damaged summaries")
	w.press("M", "ollama/")
	w.press("enter", "Damaged summaries")
	w.press("R", "the whole file")
	w.press("enter", "an estimate")
	w.press("ctrl+x", "a apply")
	w.press("a", "applied")
	if w.dump() == before {
		t.Error("nothing was written")
	}
	w.took("repairing the damaged summaries", 7)
	w.press("u", "undone")
	if w.dump() != before {
		t.Error("undo did not bring back what was there")
	}
	w.press("U", "#1 is redone as #2")
	if w.dump() == before {
		t.Error("redo did not write")
	}
}

// sessionFile is a conversation as Claude Code writes it.
const sessionFile = `{"sessionId":"5d1e","type":"user","uuid":"a","parentUuid":null,"timestamp":"2026-03-01T08:00:00.000Z","isSidechain":false,"cwd":"/repo","message":{"role":"user","content":"Which ferries are late?"}}
{"sessionId":"5d1e","type":"assistant","uuid":"b","parentUuid":"a","timestamp":"2026-03-01T08:00:05.000Z","isSidechain":false,"cwd":"/repo","message":{"role":"assistant","content":[{"type":"text","text":"The Islander, by ten minutes."}]}}
`

// TestASessionFileIsImported: a newcomer imports a session file and reads what came in.
func TestASessionFileIsImported(t *testing.T) {
	t.Parallel()
	w := startWalk(t, 120, 36)
	before := w.dump()
	folder := filepath.Join(filepath.Dir(w.db), ".claude", "projects", "-repo")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, "5d1e.jsonl"), []byte(sessionFile), 0o600); err != nil {
		t.Fatal(err)
	}
	w.press(".", "session files")
	w.press("T", "2 to import")
	w.press("I", "nothing is written yet")
	w.press("a", "applied")
	w.press("enter", "2 stored")
	w.press("c", "The Islander, by ten minutes.")
	w.took("importing a session file", 6)
	if w.dump() == before {
		t.Error("nothing was written")
	}
}

// TestAMessageIsFound: a newcomer opens a conversation and searches its messages for a few words.
func TestAMessageIsFound(t *testing.T) {
	t.Parallel()
	w := startWalk(t, 120, 36)
	w.press("enter", "seq 652 of 652")
	w.press("/", "search in this conversation")
	w.enterText("moves to the parking table", "moves to the parking table")
	w.press("enter", "n next match")
	w.took("finding a message", 4)
}

// TestADatabaseIsChosen: a newcomer with two databases opens the default one at once, and then the
// other one.
func TestADatabaseIsChosen(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	env := walkEnv(home)
	for _, folder := range []string{".openclaw", ".openclaw-work"} {
		if err := os.Mkdir(filepath.Join(home, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	first, second := filepath.Join(home, ".openclaw", "lcm.db"), filepath.Join(home, ".openclaw-work", "lcm.db")
	writeWalkDemo(t, first, env)
	content, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(second, content, 0o600); err != nil {
		t.Fatal(err)
	}
	w := openWalk(t, 160, 36, env)
	w.wait("~/.openclaw-work")
	w.press("enter", "Tidewater")
	w.took("opening the default database", 1)
	w.press(":", "back up")
	w.enterText("db", "open another database")
	w.press("enter", "● ~/.openclaw ")
	w.press("down", "/.openclaw-work/lcm.db")
	w.press("enter", "Tidewater")
	w.took("opening another database", 6)
	w.press(":", "back up")
	w.enterText("db", "open another database")
	w.press("enter", "● ~/.openclaw-work")
}

// TestANewcomerTriesTheDemonstration: without a database a key opens it, and quitting ends the program and removes it.
func TestANewcomerTriesTheDemonstration(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	w := openWalk(t, 80, 24, append(walkEnv(home), "TMPDIR="+home))
	w.wait("No database is open")
	w.wait("q quit")
	w.press("t", "invented, deleted at the end")
	w.wait("Tidewater")
	w.took("trying the demonstration", 1)
	w.send("q")
	if err := w.term.Wait(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(home, "lcm-tui-*")); len(left) > 0 {
		t.Errorf("%q is left behind", left)
	}
}
