package data_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testlength"
)

// lookEnv names the database to the process that looks who has it open.
const lookEnv = "LCM_TEST_LOOK"

// TestLook is no test: it is that process. It looks twice, so that a handle that looked and was closed would show.
func TestLook(t *testing.T) {
	path := os.Getenv(lookEnv)
	if path == "" {
		t.Skip("run by the test of locks")
	}
	db, err := data.Open(t.Context(), path)
	must(t, err)
	_ = db.Holders(path)
	fmt.Printf("\nholders %q known %t\n", db.Holders(path).Names, db.Holders(path).Known)
	must(t, db.Close())
}

// look returns what another process sees of who has a database open; user 0 is ours.
func look(t *testing.T, path string, user bool) string {
	t.Helper()
	self, err := os.ReadFile(os.Args[0])
	must(t, err)
	program := filepath.Join(filepath.Dir(path), "look")
	must(t, os.WriteFile(program, self, 0o755))
	for _, name := range []string{path, path + "-shm", path + "-wal", filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		if err := os.Chmod(name, 0o777); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestLook$")
	cmd.Env, cmd.Dir = append(os.Environ(), lookEnv+"="+path), filepath.Dir(path)
	if user {
		asAnotherUser(cmd)
	}
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	_, text, _ := strings.Cut(string(out), "holders ")
	line, _, _ := strings.Cut(text, "\n")
	return line
}

// TestLocksTellWhoHasAFileOpen: an idle connection of another process is found by its lock, also by a user to whom that
// process doesn't show its files; without one it is known that there is none. Looking drops no lock of ours.
func TestLocksTellWhoHasAFileOpen(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "freebsd" {
		t.Skip("here locks show no process")
	}
	for _, other := range []bool{false, true} {
		if other && (runtime.GOOS != "linux" || os.Getuid() != 0) {
			continue // Only root can start a process of another user.
		}
		path := sample(t, fakehost.Head)
		if got := look(t, path, other); got != `[] known true` {
			t.Errorf("another user %t: nobody has it open, and it sees %s", other, got)
		}
		db, err := data.Open(t.Context(), path)
		must(t, err)
		if held := db.Holders(path); !held.Away() {
			t.Errorf("we alone have it open, and see %v", held)
		}
		if held := filesystem.WALHolders(path); !held.Away() {
			t.Errorf("by the locks alone we see %v", held)
		}
		for range 2 { // Looking closed nothing.
			if got, want := look(t, path, other), fmt.Sprintf("(process %d)", os.Getpid()); !strings.Contains(got, want) {
				t.Errorf("another user %t: we have it open, and it sees %s", other, got)
			}
		}
		must(t, db.Close())
		if held := filesystem.WALHolders(path); held.Known {
			t.Errorf("without a connection it isn't known: %v", held)
		}
	}
}

// TestLocksOfOtherJournals: outside of WAL mode an idle connection has no lock, so that they tell nothing.
func TestLocksOfOtherJournals(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	path := sample(t, fakehost.Head)
	h := host(t, path)
	must(t, h.Exec("PRAGMA journal_mode = DELETE"))
	must(t, os.WriteFile(path+"-shm", make([]byte, 32768), 0o600)) // Left behind by a process that was killed.
	if got := look(t, path, true); got != `[] known false` {
		t.Errorf("it sees %s", got)
	}
}
