package change_test

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

const victimEnv = "LCM_TEST_VICTIM"

// TestVictim is no test: it is the program that the tests below kill. It writes, or undoes
// what was written last, and waits at a step, which it says, to be killed.
func TestVictim(t *testing.T) {
	job := strings.Split(os.Getenv(victimEnv), "|")
	if len(job) != 4 {
		t.Skip("run by the tests that kill it")
	}
	db := open(t, job[0])
	times, err := strconv.Atoi(job[3])
	must(t, err)
	db.Step = func(step string) {
		if step != job[2] {
			return
		}
		if times--; times == 0 {
			fmt.Println("\nreached")
			select {}
		}
	}
	switch job[1] {
	case "write":
		_, err = change.Write(t.Context(), db, retitle(t, db, strings.Repeat("long ", 2000)))
	case "parts":
		db.PartRows = 30
		_, err = change.Write(t.Context(), db, crowding(t, db, 40))
	case "undo", "undoparts":
		if job[1] == "undoparts" {
			db.PartRows = 60
		}
		r, last := change.Last(t.Context(), db)
		must(t, last)
		err = change.Undo(t.Context(), db, r.ID)
	}
	t.Fatalf("it was to be killed, and ended: %v", err)
}

// killAt runs the victim up to the nth time that it reaches a step, and kills it there.
func killAt(t *testing.T, path, job, step string, n int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$") //nolint:noctx // It is killed, which is the point.
	cmd.Env = append(os.Environ(), victimEnv+"="+strings.Join([]string{path, job, step, strconv.Itoa(n)}, "|"))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	reported := ""
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "reached"; {
		reported += lines.Text() + "\n"
	}
	if strings.Contains(reported, "FAIL") {
		t.Error(reported)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if n, err := testdb.Count(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"); err != nil || n != 0 {
		t.Fatalf("killed at %s of %s: integrity %d, %v", step, job, n, err)
	}
}

// TestKilledWhileWriting: before the commit nothing is there, and after it all, with its
// record; the same holds for the undo.
func TestKilledWhileWriting(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for step, done := range map[string]bool{"begun": false, "rows": false, "made": false, "committed": true} {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			path := sample(t, fakehost.Head)
			was := dump(t, path)
			killAt(t, path, "write", step, 1)
			if got := dump(t, path); (got != was) != done {
				t.Errorf("something was written: %v, want %v", got != was, done)
			}
			if !done {
				db := open(t, path)
				_, err := change.Write(t.Context(), db, retitle(t, db, "another title"))
				must(t, err)
			}
			written := dump(t, path)
			killAt(t, path, "undo", step, 1)
			want := written
			if done {
				want = was
			}
			if got := dump(t, path); got != want {
				t.Error(cmp.Diff(want, got))
			}
		})
	}
}

// TestKilledBetweenParts: of a change in several parts what is there is reported, and can
// be undone.
func TestKilledBetweenParts(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	path := sample(t, fakehost.Head)
	was := dump(t, path)
	killAt(t, path, "parts", "committed", 2)
	db := open(t, path)
	found, err := change.UnfinishedChanges(t.Context(), db)
	if err != nil || len(found) != 1 {
		t.Fatalf("%d changes aren't finished, %v", len(found), err)
	}
	must(t, change.Undo(t.Context(), db, found[0].Record))
	if got := dump(t, path); got != was {
		t.Error(cmp.Diff(was, got))
	}
}
