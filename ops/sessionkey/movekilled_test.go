package sessionkey_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/sessionkey"
)

const victimEnv = "LCM_TEST_MOVE_VICTIM"

// TestVictim is no test: it is the program that the tests below kill. It moves conversation 1 to the place of 2, and
// waits at a step to be killed; without one it says how the move ended.
func TestVictim(t *testing.T) {
	job := strings.Split(os.Getenv(victimEnv), "|")
	if len(job) != 3 {
		t.Skip("run by the tests that kill it")
	}
	db, err := data.Open(t.Context(), job[0]) // Which sees who has the file open.
	must(t, err)
	db.Step = func(step string) {
		if step == job[2] {
			fmt.Println("\nreached")
			select {}
		}
	}
	p, err := (&sessionkey.Move{Conversation: 1, To: 2, Host: sessionkey.Host{Folder: job[1]}}).Plan(t.Context(), db, noReport)
	if err == nil {
		_, err = ops.Apply(t.Context(), db, p)
	}
	fmt.Printf("\nended: %v\n", err)
}

// victim starts the program, and returns how it ended, or kills it at the step.
func victim(t *testing.T, r *reset, step string) (ended string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere it isn't known who has a file open, so that nothing moves")
	}
	cmd := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^TestVictim$") // It is killed, which is the point.
	cmd.Env = append(os.Environ(), victimEnv+"="+strings.Join([]string{r.path, r.host.Folder, step}, "|"))
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "reached" {
			_ = cmd.Process.Kill()
		}
		if end, is := strings.CutPrefix(lines.Text(), "ended: "); is {
			ended = end
		}
	}
	_ = cmd.Wait()
	return ended
}

// TestKilledWhileMoving: nothing has moved, or all, with its record.
func TestKilledWhileMoving(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for step, done := range map[string]bool{"begun": false, "rows": false, "made": false, "committed": true} {
		r := newReset(t, resetKind{committed: true})
		before := r.dump(t)
		if ended := victim(t, r, step); ended != "" {
			t.Fatalf("%s: it ended: %s", step, ended)
		}
		if n := r.number(t, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"); n != "0" {
			t.Fatalf("%s: the file is damaged", step)
		}
		if moved := r.dump(t) != before; moved != done {
			t.Errorf("%s: something moved: %t, want %t", step, moved, done)
		}
		conv := int64(2)
		if done {
			conv = 1
		}
		if d := r.play(t, conv); len(d) > 0 {
			t.Errorf("%s: the host stores %q", step, d)
		}
	}
}

// TestMoveBesideAnotherProcess: one that only has the file open keeps the rows where they are.
func TestMoveBesideAnotherProcess(t *testing.T) {
	t.Parallel()
	r := newReset(t, resetKind{})
	before := r.dump(t)
	h, err := fakehost.Start(r.path, fakehost.Defaults())
	must(t, err)
	if ended := victim(t, r, ""); !strings.Contains(ended, "has the file open") {
		t.Errorf("it ended: %s", ended)
	}
	must(t, h.Close())
	if r.dump(t) != before {
		t.Error("something moved")
	}
	if ended := victim(t, r, ""); ended != "<nil>" {
		t.Errorf("nobody has it open, and it ended: %s", ended)
	}
}
