package data_test

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
)

// TestExclusive: nobody else reads while a connection is alone on a file, and nobody is alone on a
// file that another connection has open, even idle.
func TestExclusive(t *testing.T) {
	t.Parallel()
	for _, mode := range []string{"WAL", "DELETE"} {
		path := sample(t, fakehost.Head)
		h := host(t, path)
		must(t, h.Exec("PRAGMA journal_mode = "+mode))
		must(t, h.Close())
		x, err := data.OpenExclusive(t.Context(), path)
		must(t, err)
		pool, err := sql.Open("sqlite", data.FileURI(path, ""))
		must(t, err)
		defer pool.Close()
		if err := pool.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(new(int)); !errors.Is(data.ErrorKind(err), data.ErrLocked) {
			t.Errorf("%s: another connection reads: %v", mode, err)
		}
		must(t, x.Close())
		must(t, pool.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(new(int)))
		var e *data.Error
		_, err = data.OpenExclusive(t.Context(), path)
		if inUse := errors.As(err, &e) && errors.Is(err, data.ErrInUse) && strings.HasPrefix(e.Hint(), "stop"); inUse != (mode == "WAL") {
			t.Errorf("%s: beside an idle connection of this program: %v", mode, err)
		}
	}
}

// aloneEnv names the database to the process that TestHoldersOfAnotherUser starts.
const aloneEnv = "LCM_TEST_ALONE"

// TestAlone is no test: it is that process.
func TestAlone(t *testing.T) {
	path := os.Getenv(aloneEnv)
	if path == "" {
		t.Skip("run by the test of other users")
	}
	x, err := data.OpenExclusive(t.Context(), path)
	if err == nil {
		err = x.Close()
	}
	fmt.Println("\nunknown", errors.Is(err, data.ErrInUse) && errors.Is(err, data.ErrHoldersUnknown))
}

// TestHoldersOfAnotherUser: what a process of another user has open isn't known, so a file that isn't
// in WAL mode counts as open.
func TestHoldersOfAnotherUser(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("only root can start a process of another user")
	}
	path := sample(t, fakehost.Head)
	h := host(t, path)
	must(t, h.Exec("PRAGMA journal_mode = DELETE"))
	self, err := os.ReadFile(os.Args[0])
	must(t, err)
	program := filepath.Join(filepath.Dir(path), "alone")
	must(t, os.WriteFile(program, self, 0o755))
	for _, name := range []string{path, filepath.Dir(path), filepath.Dir(filepath.Dir(path))} {
		must(t, os.Chmod(name, 0o777))
	}
	cmd := exec.CommandContext(t.Context(), program, "-test.run=^TestAlone$")
	cmd.Env, cmd.Dir = append(os.Environ(), aloneEnv+"="+path), filepath.Dir(path)
	asAnotherUser(cmd)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "unknown true") {
		t.Errorf("%v: %s", err, out)
	}
}

// TestKindsAreOrdered by the versions that brought their tables and columns.
func TestKindsAreOrdered(t *testing.T) {
	t.Parallel()
	old, head := testdb.Open(t, sample(t, fakehost.V0_12)).Kind(), testdb.Open(t, sample(t, fakehost.Head)).Kind()
	one := data.Kind{Generation: data.GenerationOne, Level: data.GenerationOne}
	if old.IsNewer(head) || !head.IsNewer(old) || head.IsNewer(head) || !one.IsNewer(head) || head.IsNewer(one) {
		t.Error(old, head, one)
	}
}
