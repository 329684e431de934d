package memory

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/testdb"
	"lcm-tui/views"
	"lcm-tui/views/viewtest"
	"lcm-tui/work"
)

// drive opens the screen of memory beside session files of two clients. note writes what hooks noted.
func drive(t *testing.T, note func(*work.Sidecar)) *viewtest.Driver {
	t.Helper()
	d := viewtest.DriveDemo(t)
	folder := t.TempDir()
	claude, codex := filepath.Join(folder, "claude"), filepath.Join(folder, "codex")
	d.WriteSessionFile(claude, "new.jsonl", "{}\n")
	d.WriteSessionFile(claude, "old.jsonl", "{}\n")
	d.WriteSessionFile(codex, "kept.jsonl", "{}\n")
	old := viewtest.DemoNow.AddDate(0, 0, -27)
	testdb.Must(t, os.Chtimes(filepath.Join(claude, "old.jsonl"), old, old))
	d.Exec("INSERT INTO conversation_bootstrap_state (conversation_id, session_file_path, last_seen_size, last_seen_mtime_ms, last_processed_offset) VALUES (1, ?, 3, 0, 3)",
		filepath.Join(codex, "kept.jsonl"))
	d.Env.Agents = views.Agents{
		Notes: filepath.Join(folder, "notes"), Model: "extractive", Calls: 100, Dollars: 1,
		Clients: []views.AgentClient{{Name: "claude-code", Sessions: claude, KeptDays: func() int { return 30 }}, {Name: "codex", Sessions: codex, KeptDays: func() int { return 0 }}},
	}
	if note != nil {
		notes, err := work.Open(t.Context(), d.Env.Agents.Notes)
		testdb.Must(t, err)
		note(notes)
		testdb.Must(t, notes.Close())
	}
	d.Press(".", "m")
	return d
}

// TestSessionFiles: those that aren't saved come first, of them the one that its client deletes first.
func TestSessionFiles(t *testing.T) {
	t.Parallel()
	d := drive(t, nil)
	d.Sees("none ran yet: lcm-tui status", "1 dies unsaved within 7 days", "unsaved, dies in 3 days", "nothing waits", "nothing handed over yet")
	screen := d.Screen(120, 36)
	if old, fresh, kept := strings.Index(screen, "old.jsonl"), strings.Index(screen, "new.jsonl"), strings.Index(screen, "kept.jsonl"); !(0 < old && old < fresh && fresh < kept) {
		t.Errorf("%d, %d, %d in\n%s", old, fresh, kept, screen)
	}
	d.GoldenAt([2]int{80, 24}, [2]int{120, 36}, [2]int{200, 50})
	d.CursorOn("Session files")
	d.Press("enter")
	d.Misses("old.jsonl")
	d.Press("enter")
	d.CursorOn("kept.jsonl")
	d.Press("enter")
	d.Sees("Messages")
}

// TestSessionFilesOfIgnoredFolders aren't said to be unsaved: nothing of them is to be kept.
func TestSessionFilesOfIgnoredFolders(t *testing.T) {
	t.Parallel()
	d := viewtest.DriveDemo(t)
	folder := t.TempDir()
	d.WriteSessionFile(folder, "s1.jsonl", `{"sessionId":"s1","cwd":"/private","type":"user","uuid":"u","parentUuid":null,"isSidechain":false,"message":{"role":"user","content":"x"}}`+"\n")
	old := viewtest.DemoNow.AddDate(0, 0, -27)
	testdb.Must(t, os.Chtimes(filepath.Join(folder, "s1.jsonl"), old, old))
	d.Env.Agents = views.Agents{
		Ignores: func(folder string) bool { return folder == "/private" },
		Clients: []views.AgentClient{{Name: "claude-code", Sessions: folder, KeptDays: func() int { return 30 }}},
	}
	d.Press(".", "m")
	d.Sees("nothing to save, 1 left out", "claude-code s1.jsonl         left out")
	d.Misses("unsaved")
	d.CursorOn("s1.jsonl")
	d.Sees("on purpose: nothing is kept of its", "folder /private")
}

// TestNotesOfHooks: what failed is marked, jobs say why they wait, and what was handed over opens.
func TestNotesOfHooks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	d := drive(t, func(s *work.Sidecar) {
		testdb.Must(t, errors.Join(
			s.NoteReceipt(ctx, "claude-code", "SessionStart", "none", 34*time.Millisecond, ""),
			s.NoteReceipt(ctx, "claude-code", "Stop", "none", time.Second, "the database is locked \x1b[31m"),
			s.Request(ctx, work.Compaction, 1, work.Threshold),
			s.NoteInjection(ctx, "claude-code", "SessionStart:startup", "none", []string{"sum_not_there"}, 1234),
		))
	})
	d.Sees("1 hook failed the last time", "the database is locked", "in 34 ms", "compaction of #1", "1 job waits", "1,234 characters, 1 id")
	d.Misses("\x1b[31m")
	d.CursorOn("1,234 characters, 1 id")
	d.Sees("ids sum_not_there")
	d.Press("enter")
	d.Sees("sum_not_there in")
}

// TestPauseAndRun: the work is paused beside the database, and a command of this program says what came of it.
func TestPauseAndRun(t *testing.T) {
	t.Parallel()
	d := drive(t, nil)
	d.Press("s")
	d.Sees("this program can't start itself")
	var ran []string
	out, failed := "imported 3 messages from 1 session file of 2\n", error(nil)
	d.Env.Agents.Run = func(_ context.Context, args ...string) (string, error) {
		ran = append(ran, strings.Join(args, " "))
		return out, failed
	}
	d.Press("s")
	d.Sees("s again imports the sessions of coding agents into it")
	d.Press("s")
	d.Sees("imported 3 messages from 1 session file of 2")
	out = `{"database":"x","ended":[{"state":"done"},{"state":"skipped"},{"state":"failed"}],"jobs":[]}`
	d.Press("r")
	d.Sees("1 job is done, 1 skipped, 1 failed")
	failed = errors.New("the limit of the day is reached")
	d.Press("r")
	d.Sees("the limit of the day is reached")
	if got := strings.Join(ran, "; "); got != "follow --apply --once; work --once --json; work --once --json" {
		t.Errorf("ran %s", got)
	}
	d.Press("p")
	d.Sees("the work is paused; hooks still save sessions", "~ paused since ")
	d.Press("r")
	d.Sees("the work is paused: p lets it go on")
	d.Press("p")
	d.Misses("~ paused")
}
