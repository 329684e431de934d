package leftover_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"lcm-tui/internal/hint"
	"lcm-tui/internal/leftover"
)

const ownerEnv = "LCM_TEST_OWNER"

// TestOwner is no test: it is a process that makes a file and a folder, and waits to be killed.
func TestOwner(t *testing.T) {
	folder := os.Getenv(ownerEnv)
	if folder == "" {
		t.Skip("run by the test that kills it")
	}
	f, err := leftover.CreateFile(folder, "lcm.db")
	if err != nil {
		t.Fatal(err)
	}
	made, err := leftover.CreateFolder("bundle")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("\nmade", f.Name(), made)
	_, _ = os.Stdin.Read(make([]byte, 1))
}

// TestWhatKilledProcessesLeaveIsRemoved, and nothing that a process still has.
func TestWhatKilledProcessesLeaveIsRemoved(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no locks that end with a process")
	}
	folder, temporary := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	others := []string{"lcm.db", "lcm.db.123.part", "lcm.db.lcm-tui-.part", "x.part-wal"} // Without a mark, or of an older version.
	for _, name := range others {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(temporary, "lcm-tui-bundle-1"), 0o700); err != nil {
		t.Fatal(err)
	}
	file, made, kill := owner(t, folder)
	if err := os.WriteFile(file+"-wal", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mine, err := leftover.CreateFile(folder, "lcm.db")
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if gone := slices.Concat(leftover.Abandoned(folder), leftover.Abandoned(temporary)); len(gone) > 0 {
			t.Fatalf("in use are %v", gone)
		}
	}
	found := func() (names []string) {
		for _, path := range leftover.Found(filepath.Join(folder, "lcm.db")) {
			names = append(names, filepath.Base(path))
		}
		return names
	}
	old := []string{"lcm.db.123.part", "lcm.db.lcm-tui-.part", "lcm-tui-bundle-1"}
	if names := found(); !slices.Equal(names, old) {
		t.Errorf("found while it runs are %v", names)
	}
	kill()
	if names := found(); !slices.Contains(names, filepath.Base(file)) || !slices.Contains(names, filepath.Base(made)) || len(names) != len(old)+2 {
		t.Errorf("found are %v", names)
	}
	if gone := slices.Concat(leftover.Abandoned(folder), leftover.Abandoned(temporary)); !slices.Equal(gone, []string{file, made}) {
		t.Errorf("abandoned are %v, want %s and %s", gone, file, made)
	}
	second, err := leftover.CreateFile(folder, "lcm.db")
	if err != nil {
		t.Fatal(err)
	}
	mineToo, err := leftover.CreateFolder("bundle")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{file, file + "-wal", made} {
		if _, err := os.Lstat(path); err == nil {
			t.Errorf("%s is still there", path)
		}
	}
	for _, name := range others {
		if _, err := os.Lstat(filepath.Join(folder, name)); err != nil {
			t.Error(err)
		}
	}
	for _, f := range []*os.File{mine, second} {
		if _, err := os.Lstat(f.Name()); err != nil || f.Close() != nil {
			t.Error(err)
		}
	}
	if err := leftover.RemoveFolder(mineToo); err != nil {
		t.Error(err)
	}
}

// owner starts the process that has a file and a folder.
func owner(t *testing.T, folder string) (file, made string, kill func()) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOwner$")
	cmd.Env = append(os.Environ(), ownerEnv+"="+folder)
	out, err := cmd.StdoutPipe()
	if err == nil {
		_, err = cmd.StdinPipe()
	}
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if fields := strings.Fields(lines.Text()); len(fields) == 3 && fields[0] == "made" {
			return fields[1], fields[2], func() {
				_ = cmd.Process.Kill()
				_ = cmd.Wait()
			}
		}
	}
	t.Fatal("it made nothing")
	return "", "", nil
}

// TestAFolderThatIsNotWritableIsNamed: not the file in it, whose name nobody knows.
func TestAFolderThatIsNotWritableIsNamed(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "none")
	_, file := leftover.CreateFile(folder, "x.db")
	_, sub := leftover.CreateFolderIn(folder, "x")
	for _, err := range []error{file, sub} {
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), " in "+folder+":") {
			t.Errorf("it says %v", err)
		}
		if got := hint.Of(err); got != "make the folder first, or write to another one" {
			t.Errorf("it advises %q", got)
		}
	}
}
