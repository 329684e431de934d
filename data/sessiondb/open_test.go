package sessiondb_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/sessiondb"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

func TestWhatIsNoAgentsDatabaseSaysWhyAndWhatToDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		name, path string
		want       error
	}{
		{"missing", filepath.Join(dir, "no.sqlite"), data.ErrMissing},
		{"empty", write("empty.sqlite", ""), data.ErrEmpty},
		{"a directory", dir, data.ErrDirectory},
		{"text", write("text.sqlite", strings.Repeat("not a database\n", 99)), data.ErrNotSQLite},
		{"an lcm.db", testdb.Sample(t, fakehost.Head), sessiondb.ErrNotAgent},
	} {
		db, err := sessiondb.Open(t.Context(), c.path)
		if err == nil {
			_ = db.Close()
		}
		var e *sessiondb.Error
		if !errors.Is(err, c.want) || !errors.As(err, &e) {
			t.Errorf("%s: %v, want %v", c.name, err, c.want)
			continue
		}
		if !strings.Contains(err.Error(), c.path) || e.Hint() == "" || strings.Contains(e.Hint(), "--db") {
			t.Errorf("%s: the error names no file or no next step: %v (%s)", c.name, err, e.Hint())
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "no.sqlite")); !os.IsNotExist(err) {
		t.Error("opening a missing file made one")
	}
}

// TestBeforeTranscripts: hosts of version 1 have the file, with sign-ins, and keep
// transcripts in session files.
func TestBeforeTranscripts(t *testing.T) {
	t.Parallel()
	db := open(t, testdb.AgentFile(t, 1))
	if _, err := db.Sessions(t.Context()); !errors.Is(err, sessiondb.ErrNoTranscripts) {
		t.Errorf("%v, want %v", err, sessiondb.ErrNoTranscripts)
	}
	if _, err := db.SignIns(t.Context()); err != nil {
		t.Error(err)
	}
}

// folder returns what lies beside a file, with the sizes.
func folder(t *testing.T, path string) map[string]int64 {
	t.Helper()
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int64{}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = info.Size()
	}
	return out
}

func TestReadingLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 23, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{`{"n":1}`}})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sessiondb.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	if got := list(t, db); len(got) != 1 {
		t.Errorf("sessions %v", got)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(path)
	if err != nil || string(after) != string(before) {
		t.Errorf("the file isn't what it was (%v)", err)
	}
	if got := folder(t, path); len(got) != 1 {
		t.Errorf("beside the file lie %v", got)
	}
}

// TestBesideTheHost: what the host wrote into its -wal is read, and stays there.
func TestBesideTheHost(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19, testdb.AgentSession{Key: "k", ID: "a", At: 1, Events: []string{`{"n":1}`}})
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec("PRAGMA wal_autocheckpoint = 0")
		exec(`INSERT INTO transcript_events VALUES ('a', 1, '{"n":2}', 9000)`)
		wal := folder(t, path)[filepath.Base(path)+"-wal"]
		db, err := sessiondb.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if got := list(t, db); len(got) != 1 || got[0].Events != 2 {
			t.Errorf("sessions %v", got)
		}
		exec(`INSERT INTO transcript_events VALUES ('a', 2, '{"n":3}', 9000)`)
		if got := list(t, db); got[0].Events != 3 {
			t.Errorf("sessions %v after another event", got)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if now := folder(t, path)[filepath.Base(path)+"-wal"]; now <= wal || wal == 0 {
			t.Errorf("the -wal had %d bytes and has %d", wal, now)
		}
	})
}

func TestLocked(t *testing.T) {
	t.Parallel()
	path := testdb.AgentFile(t, 19)
	testdb.ExecAgent(t, path, func(exec func(string, ...any)) {
		exec("PRAGMA journal_mode = DELETE")
		exec("BEGIN EXCLUSIVE")
		db, err := sessiondb.OpenFor(t.Context(), path, 10*time.Millisecond)
		if err == nil {
			_ = db.Close()
		}
		var e *sessiondb.Error
		if !errors.Is(err, data.ErrLocked) || !errors.As(err, &e) || e.Hint() == "" {
			t.Errorf("%v, want %v", err, data.ErrLocked)
		}
		exec("COMMIT")
	})
	open(t, path)
}
