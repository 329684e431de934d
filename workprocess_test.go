//go:build unix

package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// kills is how many workers TestKilledWork kills.
var kills = flag.Int("kills", usualKills, "how many workers are killed")

const (
	usualKills  = 24
	killsOfFile = 12 // After which there is nothing left to do in it.
)

// busyFile returns a database with conversations of so many messages each.
func busyFile(t *testing.T, conversations, messages int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	w, err := fakehost.Create(path, fakehost.V0_15)
	testdb.Must(t, err)
	testdb.Must(t, w.Tx(func(w *fakehost.Writer) error {
		for c := range conversations {
			conv, err := w.Conversation(fakehost.Conversation{SessionKey: fmt.Sprintf("agent:main:%d", c), Active: true})
			if err != nil {
				return err
			}
			for i := range messages {
				text := fmt.Sprintf("message %d of conversation %d: %s", i, c, strings.Repeat("the ferry leaves at noon, ", 20))
				if _, err := w.Message(conv, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: text}); err != nil {
					return err
				}
			}
		}
		return nil
	}))
	testdb.Must(t, w.Close())
	return path
}

// smallChunks are the settings with which a few messages are worth a compaction.
var smallChunks = []string{"--set", "freshTailCount=2", "--set", "leafChunkTokens=600", "--max-active-messages", "4"}

// unreachable counts the messages that no context leads to.
const unreachable = `WITH RECURSIVE below(conv, id) AS (SELECT conversation_id, summary_id FROM context_items WHERE summary_id IS NOT NULL
	UNION SELECT below.conv, p.parent_summary_id FROM below JOIN summary_parents p ON p.summary_id = below.id)
	SELECT count(*) FROM messages m WHERE m.message_id NOT IN (SELECT message_id FROM context_items WHERE message_id IS NOT NULL)
		AND m.message_id NOT IN (SELECT l.message_id FROM below JOIN summary_messages l ON l.summary_id = below.id)`

// killPoints are the sizes of the -wal, in bytes, at which workers are killed one after the other: with the first page of a
// transaction, within one, between two, and in the middle of later ones.
func killPoints(n int) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := range n {
			if !yield(int64(i*7%25)*6_000 + 1) {
				return
			}
		}
	}
}

// TestKilledWork: wherever a worker is killed, the file is sound and every message can be reached; the next one goes on
// with what is left, also after the last kill, and no conversation is worked on twice.
func TestKilledWork(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	const messages, conversations = 10, 50
	fresh := busyFile(t, conversations, messages)
	once := append([]string{"work", "--once", "--json"}, smallChunks...)
	db, killed, at := "", 0, 0
	finish := func() {
		for range 2 { // What is left, and then nothing.
			if out, err := program(t, db, once...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
		}
		sound(t, db)
		for query, want := range map[string]int{
			unreachable: 0,
			"SELECT count(*) FROM conversations c WHERE (SELECT count(message_id) FROM context_items ci WHERE ci.conversation_id = c.conversation_id) > 4": 0,
			"SELECT count(*) FROM messages": conversations * messages,
			"SELECT count(*) FROM (SELECT 1 FROM summary_messages GROUP BY message_id HAVING count(*) > 1)": 0,
		} {
			if n, err := testdb.Count(db, query); err != nil || n != want {
				t.Errorf("%s: %d, want %d, %v", query, n, want, err)
			}
		}
	}
	for point := range killPoints(*kills) {
		if at%killsOfFile == 0 {
			db = testdb.Copy(t, fresh)
		}
		if killedAt(t, program(t, db, once...), db, point) {
			killed++
		}
		sound(t, db)
		if n, err := testdb.Count(db, unreachable); err != nil || n != 0 {
			t.Fatalf("kill %d at %d bytes: %d messages can't be reached, %v", at, point, n, err)
		}
		if at++; at%killsOfFile == 0 || at == *kills {
			finish()
		}
	}
	if killed < *kills/2 {
		t.Errorf("%d workers were killed while they wrote, of %d", killed, *kills)
	}
}

// watching is a service that runs as a process.
type watching struct {
	*exec.Cmd
	t    *testing.T
	logs *bufio.Scanner
}

// watch starts the service on a database, and waits until it works.
func watch(t *testing.T, db string, more ...string) *watching {
	t.Helper()
	cmd := program(t, db, append([]string{"work", "--watch", "--every", "1h", "--integrity", "off"}, more...)...)
	cmd.Env = append(cmd.Env, "XDG_STATE_HOME=", "XDG_CONFIG_HOME=")
	logs, err := cmd.StderrPipe()
	testdb.Must(t, err)
	testdb.Must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }) // It ended long ago.
	w := &watching{Cmd: cmd, t: t, logs: bufio.NewScanner(logs)}
	w.until(`"msg":"start"`)
	return w
}

// until reads what the service writes up to a line with a text.
func (w *watching) until(text string) {
	w.t.Helper()
	var all []string
	for w.logs.Scan() {
		if all = append(all, w.logs.Text()); strings.Contains(w.logs.Text(), text) {
			return
		}
	}
	w.t.Fatalf("it doesn't say %s: %s", text, strings.Join(all, "\n"))
}

// end sends a signal and returns the exit code.
func (w *watching) end(s os.Signal) int {
	w.t.Helper()
	testdb.Must(w.t, w.Process.Signal(s))
	for w.logs.Scan() { // Else it couldn't write its last line.
		continue
	}
	var exit *exec.ExitError
	if err := w.Wait(); err != nil && !errors.As(err, &exit) {
		w.t.Fatal(err)
	}
	return w.ProcessState.ExitCode()
}

// TestTheServiceEndsInGoodOrder, also while a model is asked: the call is cancelled, nothing is written, and the job
// stays for the next one.
func TestTheServiceEndsInGoodOrder(t *testing.T) {
	t.Parallel()
	for s, want := range map[os.Signal]int{syscall.SIGTERM: 0, os.Interrupt: 130} {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			db := busyFile(t, 1, 12)
			asked := filepath.Join(filepath.Dir(db), "asked")
			testdb.Must(t, syscall.Mkfifo(asked, 0o600))
			slow := filepath.Join(filepath.Dir(db), "slow")
			testdb.Must(t, os.WriteFile(slow, []byte("#!/bin/sh\necho >'"+asked+"'\nexec sleep 600\n"), 0o700)) //nolint:gosec // It is run.
			was := dumped(t, db)
			w := watch(t, db, append(slices.Clone(smallChunks), "--exec", slow)...)
			_, err := os.ReadFile(asked)
			testdb.Must(t, err)
			if exit := w.end(s); exit != want {
				t.Errorf("exit code %d", exit)
			}
			if dumped(t, db) != was {
				t.Error("something was written")
			}
			sound(t, db)
			out, err := program(t, db, append([]string{"work", "--once"}, smallChunks...)...).CombinedOutput()
			if err != nil || !strings.Contains(string(out), "done") {
				t.Errorf("the next one: %v: %s", err, out)
			}
		})
	}
}

// TestSignalsOfAService: SIGUSR1 pauses it and lets it go on, SIGHUP lets it read settings again, and neither ends it.
func TestSignalsOfAService(t *testing.T) {
	t.Parallel()
	db := busyFile(t, 1, 2)
	socket := filepath.Join(filepath.Dir(db), "s")
	w := watch(t, db, "--listen", "unix:"+socket)
	paused := func() bool {
		out, err := program(t, db, "work", "--json").Output()
		testdb.Must(t, err)
		return strings.Contains(string(out), `"paused_since"`)
	}
	for _, want := range []bool{true, false} {
		testdb.Must(t, w.Process.Signal(syscall.SIGUSR1))
		for range 100 {
			if paused() == want {
				break
			}
		}
		if paused() != want {
			t.Errorf("paused is %v", !want)
		}
	}
	testdb.Must(t, w.Process.Signal(syscall.SIGHUP))
	w.until(`"msg":"reload"`)
	if exit := w.end(syscall.SIGTERM); exit != 0 {
		t.Errorf("exit code %d", exit)
	}
	if _, err := os.Stat(socket); err == nil {
		t.Error("the socket is left")
	}
}
