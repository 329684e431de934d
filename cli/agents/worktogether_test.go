//go:build unix

package agents_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testcli"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/work"
)

// crowded returns a database of conversations of so many messages.
func crowded(t *testing.T, conversations, messages int) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	h, err := fakehost.Create(path, fakehost.V0_15)
	testdb.Must(t, err)
	for c := range conversations {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: fmt.Sprintf("agent:main:%d", c), Active: true})
		testdb.Must(t, err)
		for i := range messages {
			_, err := h.Message(conv, fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprintf("%d: %s", i, strings.Repeat("the ferry leaves at noon, ", 20))})
			testdb.Must(t, err)
		}
	}
	testdb.Must(t, h.Close())
	return path
}

// once are the arguments of a pass that finds the contexts of crowded too full.
func once(more ...string) []string {
	return append([]string{"work", "--once", "--json", "--max-active-messages", "4", "--set", "freshTailCount=2", "--set", "leafChunkTokens=600"}, more...)
}

// endedJobs returns the conversations of the jobs that a pass ended, by state.
func endedJobs(t *testing.T, out string) map[string][]int64 {
	t.Helper()
	var r struct{ Ended []work.Job }
	if err := json.Unmarshal([]byte(out), &r); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	by := map[string][]int64{}
	for _, j := range r.Ended {
		by[string(j.State)] = append(by[string(j.State)], j.Conversation)
	}
	return by
}

// locksOf returns the locks that commands on a database take.
func locksOf(path string) work.Locks {
	return work.Locks{State: filepath.Join(filepath.Dir(path), ".local", "state", "lcm-tui")}
}

// TestASecondWorkerTakesOtherConversations, and where all are taken it says at once that it is busy.
func TestASecondWorkerTakesOtherConversations(t *testing.T) {
	t.Parallel()
	path := crowded(t, 2, 12)
	locks := locksOf(path)
	pass, err := locks.TakePass(t.Context(), path)
	testdb.Must(t, err)
	defer pass()
	one, err := locks.Take(t.Context(), path, 1)
	testdb.Must(t, err)
	defer one()
	exit, out, errs := testcli.Run(t, path, once()...)
	if got := endedJobs(t, out); exit != 0 || fmt.Sprint(got) != "map[done:[2]]" {
		t.Fatalf("exit %d, %v: %s", exit, got, errs)
	}
	const busy = 75
	exit, _, errs = testcli.Run(t, path, once()...)
	if exit != busy || !strings.Contains(errs, "conversation 1 is being worked on") {
		t.Errorf("exit %d: %s", exit, errs)
	}
	if exit, _, errs = testcli.Run(t, path, "work", "run", "1"); exit != busy {
		t.Errorf("exit %d: %s", exit, errs)
	}
}

// TestALockIsNotWaitedFor: whoever meets it gets the error at once.
func TestALockIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	path := crowded(t, 1, 2)
	locks := locksOf(path)
	release, err := locks.Take(t.Context(), path, 1)
	testdb.Must(t, err)
	defer release()
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	tries := 0
	for began := time.Now(); tries < 20; tries++ {
		if _, err := locks.Take(ctx, path, 1); err == nil {
			t.Fatal("two have one lock")
		}
		if time.Since(began) > time.Minute { // Twenty tries of 50 ms are a second.
			t.Fatalf("%d tries in a minute", tries)
		}
	}
}

// TestFilesThatAreNotWorkedOn are refused at the start with the reason: those of other programs, and damaged ones.
func TestFilesThatAreNotWorkedOn(t *testing.T) {
	t.Parallel()
	relative := crowded(t, 1, 4)
	testdb.Execute(t, relative, "CREATE TABLE summary_nodes (id INTEGER PRIMARY KEY)")
	damaged := crowded(t, 1, 4)
	text, err := os.ReadFile(damaged)
	testdb.Must(t, err)
	testdb.Must(t, os.WriteFile(damaged, append([]byte("not a database"), text[14:]...), 0o600))
	cut := crowded(t, 1, 40)
	info, err := os.Stat(cut)
	testdb.Must(t, err)
	testdb.Must(t, os.Truncate(cut, info.Size()*2/3))
	for path, why := range map[string]string{relative: "hermes-lcm", damaged: "not an SQLite database", cut: "cut off"} {
		for _, how := range []string{"--once", "--watch"} {
			exit, _, errs := testcli.Run(t, path, "work", how)
			if exit != 1 || !strings.Contains(errs, why) {
				t.Errorf("%s %s: exit %d: %s", filepath.Base(path), how, exit, errs)
			}
		}
	}
}

// TestADayAtItsLimit: no model is called, the job waits until midnight, and the next process knows.
func TestADayAtItsLimit(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := crowded(t, 1, 12)
	called := filepath.Join(t.TempDir(), "called")
	model := filepath.Join(t.TempDir(), "model")
	testdb.Must(t, os.WriteFile(model, []byte("#!/bin/sh\necho x >>'"+called+"'\necho short\n"), 0o700)) //nolint:gosec // It is run.
	for _, limit := range []string{"--max-calls-per-day=0", "--max-calls-per-day=1"} {
		for range 3 {
			exit, _, errs := testcli.Run(t, path, once("--exec", model, limit)...)
			if exit == 1 {
				t.Fatalf("%s: exit %d: %s", limit, exit, errs)
			}
		}
		lines, _ := os.ReadFile(called) // It isn't there without a call.
		if got, want := strings.Count(string(lines), "x"), int(limit[len(limit)-1]-'0'); got > want {
			t.Errorf("%s: %d calls", limit, got)
		}
	}
}
