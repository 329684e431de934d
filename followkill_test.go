//go:build unix

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// TestKilledFollow: a follower that is killed while a session grows loses nothing and stores nothing twice: the
// next one goes on, and in the end all is as after one import.
func TestKilledFollow(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	fresh := func() string {
		path := filepath.Join(t.TempDir(), "lcm.db")
		w, err := fakehost.Create(path, fakehost.V0_15)
		testdb.Must(t, err)
		testdb.Must(t, w.Close())
		return path
	}
	var lines []string
	for i := range 400 {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"e%d"`, i-1)
		}
		lines = append(lines, fmt.Sprintf(`{"parentUuid":%s,"isSidechain":false,"cwd":"/w","sessionId":"s9","type":"user","message":{"role":"user","content":"line %d %s"},"uuid":"e%d","timestamp":"2026-02-01T10:00:00.000Z"}`,
			parent, i, strings.Repeat("x", 2000), i))
	}
	killed, straight, folder := fresh(), fresh(), t.TempDir()
	session := filepath.Join(folder, "s9.jsonl")
	const times = 60
	kills := 0
	for i := range times {
		testdb.WriteText(t, session, strings.Join(lines[:len(lines)*(i+1)/times], "\n")+"\n")
		wal := int64(i%10)*30_000 + 1
		if killedAt(t, program(t, killed, "follow", folder, "--apply", "--once"), killed, wal) {
			kills++
		}
		sound(t, killed)
	}
	if kills == 0 {
		t.Error("no run was killed")
	}
	for _, path := range []string{killed, straight} {
		if out, err := program(t, path, "follow", folder, "--apply", "--once").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	const rows = `SELECT m.seq, m.content, m.transcript_entry_id, i.ordinal, p.text_content FROM messages m
		JOIN context_items i USING (message_id) JOIN message_parts p USING (message_id) ORDER BY 1`
	if got, want := testdb.Rows(t, killed, rows), testdb.Rows(t, straight, rows); !slices.Equal(got, want) || len(got) != len(lines) {
		t.Errorf("%d rows, straight %d", len(got), len(want))
	}
	if _, err := os.Stat(session); err != nil {
		t.Error(err)
	}
}
