//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/samples"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// program returns the program itself with arguments, on a database.
func program(t *testing.T, db string, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], append([]string{"--db", db}, args...)...) //nolint:noctx // Some are killed, which is the point.
	home := filepath.Dir(db)
	cmd.Env = append(os.Environ(), beMain+"=1", "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	return cmd
}

// killedAt starts the program and kills it once its writes have made the -wal of the database
// so large, or lets it end before. It reports whether it was killed.
func killedAt(t *testing.T, cmd *exec.Cmd, db string, bytes int64) bool {
	t.Helper()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		close(ended)
	}()
	for {
		select {
		case <-ended:
			return false
		case <-time.After(50 * time.Microsecond):
		}
		if info, err := os.Stat(db + "-wal"); err == nil && info.Size() >= bytes {
			_ = cmd.Process.Kill()
			<-ended
			return true
		}
	}
}

// sound fails if the pages of a file aren't, or a row refers to none.
func sound(t *testing.T, db string) {
	t.Helper()
	for _, query := range []string{
		"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
		"SELECT count(*) FROM pragma_foreign_key_check",
	} {
		if n, err := testdb.Count(db, query); err != nil || n != 0 {
			t.Fatalf("%s: %d, %v", query, n, err)
		}
	}
}

// dumped returns the file but for the records.
func dumped(t *testing.T, db string) string {
	t.Helper()
	s, err := testdb.DumpTables(db, "lcm_tui_undo")
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestKilledTransplant: it's there whole, and can be undone, or not at all.
func TestKilledTransplant(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	db := filepath.Join(t.TempDir(), "lcm.db")
	if err := demo.Write(db, time.Date(2026, 3, 18, 12, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	was := dumped(t, db)
	killed := 0
	for i := range 6 {
		if killedAt(t, program(t, db, "transplant", "1", "2", "--apply"), db, 1<<(4*i)) {
			killed++
		}
		sound(t, db)
		if dumped(t, db) == was {
			continue
		}
		if out, err := program(t, db, "undo").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if dumped(t, db) != was {
			t.Fatal("a part of it is left")
		}
	}
	if killed == 0 {
		t.Error("no run was killed while it wrote")
	}
}

// TestKilledBackfill: what is written is whole, and the next run adds the rest, so
// that it comes to the same as one that nobody killed.
func TestKilledBackfill(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	folder := t.TempDir()
	const messages = 5000
	log := filepath.Join(folder, "long.jsonl")
	if err := os.WriteFile(log, []byte(transcript(messages)), 0o600); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(folder, "lcm.db")
	if err := samples.Write(db, fakehost.Head); err != nil {
		t.Fatal(err)
	}
	const stored = "SELECT count(*) FROM messages m JOIN conversations c USING (conversation_id) WHERE c.session_id = 'long'"
	for i := range 4 {
		if !killedAt(t, program(t, db, "backfill", log, "--apply"), db, 1<<(5*i)) && i == 0 {
			t.Fatal("it wrote nothing into the -wal")
		}
		sound(t, db)
	}
	if out, err := program(t, db, "backfill", log, "--apply").CombinedOutput(); err != nil && !strings.Contains(string(out), "nothing") {
		t.Fatalf("%v: %s", err, out)
	}
	sound(t, db)
	for query, want := range map[string]int{
		stored: messages,
		"SELECT count(DISTINCT seq) FROM messages m JOIN conversations c USING (conversation_id) WHERE c.session_id = 'long' AND seq BETWEEN 1 AND 5000":              messages,
		"SELECT count(*) FROM context_items i JOIN conversations c USING (conversation_id) WHERE c.session_id = 'long'":                                               messages,
		"SELECT count(*) FROM messages m JOIN conversations c USING (conversation_id) JOIN messages_fts_docsize d ON d.id = m.message_id WHERE c.session_id = 'long'": messages,
	} {
		if n, err := testdb.Count(db, query); err != nil || n != want {
			t.Errorf("%s: %d, not %d, %v", query, n, want, err)
		}
	}
}

// transcript returns one of n messages of a user.
func transcript(n int) string {
	var b strings.Builder
	b.WriteString(`{"type":"session","version":3,"id":"long","timestamp":"2026-01-05T09:00:00.000Z","cwd":"/"}` + "\n")
	parent := "null"
	for i := range n {
		fmt.Fprintf(&b, `{"type":"message","id":"%08x","parentId":%s,"timestamp":"2026-01-05T09:00:00.000Z","message":{"role":"user","content":"message %d of many"}}`+"\n", i, parent, i)
		parent = fmt.Sprintf(`"%08x"`, i)
	}
	return b.String()
}

// TestKilledPrune: every conversation is whole or gone, and every text is there or forgotten; the
// trash has what is missing, so that undo brings it back, and a second run goes on.
func TestKilledPrune(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for _, c := range testlength.Some([]struct{ verb, file string }{
		{"conversations", "v0.15.3/rich.db"}, {"text", "v1.0/rich.db"}, {"text", "v0.15.3/rich.db"}, {"conversations", "v1.0/rich.db"},
	}) {
		verb, db := c.verb, testdb.Fixture(t, c.file)
		h, err := fakehost.Open(db)
		if err == nil {
			err = errors.Join(h.Exec("UPDATE conversations SET active = 0, archived_at = '2026-01-01 00:00:00', updated_at = '2026-01-01 00:00:00'"), h.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		was := testdb.Dump(t, db)
		count := func(query string) int {
			n, err := testdb.Count(db, query)
			if err != nil {
				t.Fatal(err)
			}
			return n
		}
		forgotten, conversations := "SELECT count(*) FROM messages WHERE content LIKE '[LCM Forgotten: %'", "SELECT count(*) FROM conversations"
		all := count(conversations)
		run := func(args ...string) {
			if out, err := program(t, db, args...).CombinedOutput(); err != nil {
				t.Fatalf("%s: %v: %s", args, err, out)
			}
		}
		for _, bytes := range testlength.Some([]int64{1 << 19, 1}) {
			killedAt(t, program(t, db, "prune", verb, "--archived", "--apply"), db, bytes)
			sound(t, db)
			if n := count("SELECT count(*) FROM conversations c WHERE NOT EXISTS (SELECT 1 FROM messages m WHERE m.conversation_id = c.conversation_id)"); n > 0 {
				t.Errorf("%s: %d conversations are there without their messages", verb, n)
			}
			if n := count("SELECT count(*) FROM messages m JOIN message_parts p USING (message_id) WHERE m.content LIKE '[LCM Forgotten: %' AND p.ordinal = 0 AND p.text_content IS NOT m.content"); n > 0 {
				t.Errorf("%s: %d texts are forgotten in part", verb, n)
			}
			if count(conversations) < all || count(forgotten) > 0 {
				run("undo")
			}
			if testdb.Dump(t, db) != was {
				t.Fatalf("%s of %s: undo leaves another file", verb, c.file)
			}
		}
		run("prune", verb, "--archived", "--apply")
		if verb == "conversations" && count(conversations) > 0 || verb == "text" && count(forgotten) == 0 {
			t.Errorf("%s: the last run left something", verb)
		}
	}
}
