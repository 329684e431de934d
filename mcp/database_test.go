package mcp_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"lcm-tui/data"
	_ "lcm-tui/data/postgres/reading" // Opens replicas.
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testreplica"
)

// move puts the file at one path in the place of another.
func move(t *testing.T, from, to string) {
	t.Helper()
	if err := errors.Join(os.Rename(from, to)); err != nil {
		t.Fatal(err)
	}
}

func TestFileThatComesAndGoes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "lcm.db")
	c := connect(t, options(path), statelessVersion, "test")
	says := func(when, want string, fails bool) {
		t.Helper()
		if text, failed := callTool(t, c, "lcm_conversations", nil); failed != fails || !strings.Contains(text, want) {
			t.Errorf("%s: failed %v, want %q: %s", when, failed, want, text)
		}
	}
	says("before the file is made", "there is no such file", true)
	move(t, testdb.Sample(t, fakehost.Head), path)
	says("when it is there", "2 of 2 conversations", false)
	move(t, testdb.Sample(t, fakehost.Levels()[0]), path)
	says("when it was replaced", "2 of 2 conversations", false)
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	says("when it was deleted", "there is no such file", true)
	if err := os.WriteFile(path, []byte(strings.Repeat("no database\n", 1000)), 0o600); err != nil {
		t.Fatal(err)
	}
	says("when it is something else", "not an SQLite database", true)
	move(t, testdb.Sample(t, fakehost.Head), path)
	says("when it is back", "2 of 2 conversations", false)
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, info.Size()/2); err != nil {
		t.Fatal(err)
	}
	if text, failed := callTool(t, c, "lcm_conversations", nil); !failed && !strings.Contains(text, "warning") {
		t.Errorf("half of the file looks whole: %s", text)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	move(t, testdb.Sample(t, fakehost.Head), path)
	says("when it was restored", "2 of 2 conversations", false)
}

// TestSourceThatComesAgain: a replica whose source is forgotten and sent again is opened again.
func TestSourceThatComesAgain(t *testing.T) {
	t.Parallel()
	server, path := testreplica.Server(t), testdb.Sample(t, fakehost.Head)
	c := connect(t, options(testreplica.Add(t, server, "laptop", path)), statelessVersion, "test")
	says := func(when, want string, fails bool) {
		t.Helper()
		if text, failed := callTool(t, c, "lcm_conversations", nil); failed != fails || !strings.Contains(text, want) {
			t.Errorf("%s: failed %v, want %q: %s", when, failed, want, text)
		}
	}
	says("when it is there", "2 of 2 conversations", false)
	testreplica.Execute(t, server, "DELETE FROM lcm.conversations", "DELETE FROM lcm.sources")
	says("when it was forgotten", "no source", true)
	testreplica.Add(t, server, "laptop", path)
	says("when it was sent again", "2 of 2 conversations", false)
}

func TestTablesThatChange(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	c := connect(t, options(path), statelessVersion, "test")
	if text, _ := callTool(t, c, "lcm_conversations", map[string]any{"filter": "ledger"}); !strings.Contains(text, "Moving the ledger") {
		t.Fatal(text)
	}
	w, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Exec("ALTER TABLE conversations DROP COLUMN title"), w.Close()); err != nil {
		t.Fatal(err)
	}
	if text, failed := callTool(t, c, "lcm_conversations", nil); failed || strings.Contains(text, "Moving the ledger") {
		t.Errorf("the handle knows the old tables: failed %v: %s", failed, text)
	}
}

func TestReadersBesideAWriter(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	host, err := fakehost.Start(path, fakehost.Defaults())
	if err != nil {
		t.Fatal(err)
	}
	var readers sync.WaitGroup
	done := make(chan struct{})
	for _, version := range []string{handshakeVersion, statelessVersion} {
		c := connect(t, options(path), version, "test")
		readers.Go(func() {
			for range 10 {
				for tool, arguments := range map[string]map[string]any{"lcm_recent": {"conversationId": 1}, "lcm_conversations": nil} {
					if text, failed := callTool(t, c, tool, arguments); failed {
						t.Errorf("%s beside a writer: %s", tool, text)
					}
				}
			}
		})
	}
	go func() {
		readers.Wait()
		close(done)
	}()
	for reading := true; reading; {
		if _, err := host.Append(1, fakehost.Message{Role: "user", Content: "one more"}); err != nil {
			t.Error(err)
		}
		select {
		case <-done:
			reading = false
		default:
		}
	}
	c := connect(t, options(path), statelessVersion, "test")
	if text, _ := callTool(t, c, "lcm_recent", map[string]any{"conversationId": 1}); !strings.Contains(text, "one more") {
		t.Errorf("the newest message is missing: %s", text)
	}
	if err := host.Close(); err != nil {
		t.Error(err)
	}
}

// TestLockedFile: a program that keeps the file to itself is named as the reason, in time.
func TestLockedFile(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	w, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Exec("PRAGMA journal_mode = DELETE"), w.Exec("BEGIN EXCLUSIVE")); err != nil {
		t.Fatal(err)
	}
	o := options(path)
	o.Open = func(ctx context.Context) (*data.DB, error) { return data.OpenWaiting(ctx, path, 50*time.Millisecond) }
	c := connect(t, o, statelessVersion, "test")
	if text, failed := callTool(t, c, "lcm_conversations", nil); !failed || !strings.Contains(text, "holds a lock") {
		t.Errorf("a locked file: failed %v: %s", failed, text)
	}
	if err := w.Exec("ROLLBACK"); err != nil {
		t.Fatal(err)
	}
	if text, failed := callTool(t, c, "lcm_conversations", nil); failed {
		t.Errorf("the lock is gone: %s", text)
	}
	if err := w.Exec("BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	if text, failed := callTool(t, c, "lcm_conversations", nil); !failed || !strings.Contains(text, "holds a lock") {
		t.Errorf("locked while it is open: failed %v: %s", failed, text)
	}
	if err := errors.Join(w.Exec("ROLLBACK"), w.Close()); err != nil {
		t.Fatal(err)
	}
}
