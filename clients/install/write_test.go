package install_test

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/clients/install"
	"lcm-tui/internal/testdb"
)

// names lists a folder.
func names(t testing.TB, folder string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestLinkIsFollowed: a link stays one, its file is changed beside where that lies, and keeps
// its mode; the backup is private, and no backup is written over.
func TestLinkIsFollowed(t *testing.T) {
	t.Parallel()
	e, r := newEnvironment(t), request(t, "claude-code")
	dotfiles := filepath.Join(e.Home, "dotfiles")
	target := filepath.Join(dotfiles, "claude.json")
	write(t, target, "{\"a\": 1}")
	link := filepath.Join(e.Home, ".claude.json")
	if err := errors.Join(os.Chmod(target, 0o640), os.Symlink(filepath.Join("dotfiles", "claude.json"), link)); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		c, err := r.Install(e)
		backup := apply(t, c, err)
		info, err := os.Stat(backup)
		if err != nil || info.Mode().Perm() != 0o600 || filepath.Dir(backup) != dotfiles || read(t, backup) != "{\"a\": 1}" {
			t.Errorf("the backup: %v, %v", info, err)
		}
		c, err = r.Uninstall(e)
		apply(t, c, err)
	}
	if to, err := os.Readlink(link); err != nil || to != filepath.Join("dotfiles", "claude.json") {
		t.Errorf("the link: %s, %v", to, err)
	}
	if info, err := os.Stat(target); err != nil || info.Mode().Perm() != 0o640 || read(t, target) != "{\"a\": 1}" {
		t.Errorf("the file: %v, %v", info, err)
	}
	want := []string{"claude.json"}
	for _, number := range []string{"-2", "-3", "-4", "-5", "-6", ""} {
		want = append(want, "claude.json.lcm-tui-20260302T093000Z"+number+".bak")
	}
	if got := names(t, dotfiles); !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// TestNewFile: a file that the installation creates is private in the user's folder, and goes
// with our entry when it holds nothing else.
func TestNewFile(t *testing.T) {
	t.Parallel()
	for _, name := range install.Names() {
		r := request(t, name)
		if !r.Client.IsWritable() {
			continue
		}
		for scope, mode := range map[install.Scope]fs.FileMode{install.ScopeUser: 0o600, install.ScopeProject: 0o644} {
			e := newEnvironment(t)
			r.Scope = scope
			c, err := r.Install(e)
			if backup := apply(t, c, err); backup != "" {
				t.Errorf("%s: a backup of nothing", name)
			}
			info, err := os.Stat(c.Path)
			if err != nil || info.Mode().Perm() != mode || read(t, c.Path) != r.Client.Snippet(ours) {
				t.Errorf("%s %s: %v, %v\n%s", name, scope, info, err, read(t, c.Path))
			}
			c, err = r.Uninstall(e)
			if backup := apply(t, c, err); backup != "" || len(names(t, filepath.Dir(c.Path))) > 0 {
				t.Errorf("%s %s: %q is left", name, scope, names(t, filepath.Dir(c.Path)))
			}
		}
	}
}

// TestFileThatGotMore: what another program wrote after the installation stays, and what the
// installation had made beside the entry goes.
func TestFileThatGotMore(t *testing.T) {
	t.Parallel()
	e, r := newEnvironment(t), request(t, "claude-code")
	path := configure(t, e, r, "{\n  \"numStartups\": 1\n}\n")
	c, err := r.Install(e)
	apply(t, c, err)
	write(t, path, strings.Replace(read(t, path), "1", "2", 1))
	c, err = r.Uninstall(e)
	apply(t, c, err)
	if got := read(t, path); got != "{\n  \"numStartups\": 2\n}\n" {
		t.Errorf("%q", got)
	}
}

// TestCommentIsKept: a comment that somebody wrote beside our entry stays when that goes, also
// in an object that the installation had made.
func TestCommentIsKept(t *testing.T) {
	t.Parallel()
	e, r := newEnvironment(t), request(t, "vscode")
	path := configure(t, e, r, "{\n  \"inputs\": []\n}\n")
	c, err := r.Install(e)
	apply(t, c, err)
	write(t, path, strings.Replace(read(t, path), "    \"lcm\"", "    // ask Ines\n    \"lcm\"", 1))
	c, err = r.Uninstall(e)
	apply(t, c, err)
	if got := read(t, path); got != "{\n  \"servers\": {\n    // ask Ines\n  },\n  \"inputs\": []\n}\n" {
		t.Errorf("%q", got)
	}
}

// TestNoRoom: where the disk is full or read-only, the file and the folder stay as they were.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	content := "{\"a\": \"" + strings.Repeat("x", 40<<10) + "\"}"
	for name, prepare := range map[string]func(disk string) error{
		"full":      func(disk string) error { return fill(filepath.Join(disk, "other")) },
		"read-only": remountReadOnly,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e, r := newEnvironment(t), request(t, "claude-code")
			e.Home = testdb.Disk(t, 128<<10)
			path := configure(t, e, r, content)
			if err := prepare(e.Home); err != nil {
				t.Fatal(err)
			}
			before := names(t, e.Home)
			c, err := r.Install(e)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := c.Apply(at); err == nil || !strings.Contains(err.Error(), "configuration") {
				t.Errorf("no error: %v", err)
			}
			if read(t, path) != content || !slices.Equal(names(t, e.Home), before) {
				t.Errorf("changed: %q", names(t, e.Home))
			}
		})
	}
}

// fill writes to a file until the disk has room for one page more only.
func fill(path string) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	page, written := make([]byte, 4096), 0
	for err == nil {
		_, err = f.Write(page)
		written += len(page)
	}
	return errors.Join(f.Truncate(int64(written-12*len(page))), f.Close())
}

// TestLock: while Claude Code writes, nothing is written; a lock that it left behind doesn't
// stop us, and ours is given back.
func TestLock(t *testing.T) {
	t.Parallel()
	e, r := newEnvironment(t), request(t, "claude-code")
	path := configure(t, e, r, "{}")
	lock := path + ".lock"
	c, err := r.Install(e)
	if err := errors.Join(err, os.Mkdir(lock, 0o700)); err != nil {
		t.Fatal(err)
	}
	c.SetLockWait(0)
	if _, err := c.Apply(at); err == nil || !strings.Contains(err.Error(), "another program is writing it") || read(t, path) != "{}" {
		t.Errorf("locked: %v", err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(lock, old, old); err != nil {
		t.Fatal(err)
	}
	apply(t, c, nil)
	if _, err := os.Stat(lock); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock is still there: %v", err)
	}
}

// killed is the variable by which a process of this test knows that it is to be killed.
const killed = "LCM_TEST_INSTALL_HOME"

// TestKilledBeforeRename: a process that ends when all is written but the name leaves the file
// as it was, and the next try succeeds and removes what the process had written.
func TestKilledBeforeRename(t *testing.T) {
	t.Parallel()
	r := request(t, "claude-code")
	if home := os.Getenv(killed); home != "" {
		install.SetBeforeRename(func() {
			fmt.Println("written")
			time.Sleep(time.Hour)
		})
		c, err := r.Install(install.Environment{Variable: func(string) string { return "" }, Home: home, OS: "linux"})
		apply(t, c, err)
	}
	e := newEnvironment(t)
	path := configure(t, e, r, `{"a": 1}`)
	child := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestKilledBeforeRename$")
	child.Env = append(os.Environ(), killed+"="+e.Home)
	out, err := child.StdoutPipe()
	if err := errors.Join(err, child.Start()); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	_ = child.Process.Kill()
	_ = child.Wait()
	if err != nil || line != "written\n" {
		t.Fatalf("%q, %v", line, err)
	}
	if got := read(t, path); got != `{"a": 1}` {
		t.Errorf("%q", got)
	}
	old := time.Now().Add(-time.Minute) // The lock of the dead process is one of long ago.
	if err := os.Chtimes(path+".lock", old, old); err != nil {
		t.Fatal(err)
	}
	c, err := r.Install(e)
	apply(t, c, err)
	if !strings.Contains(read(t, path), ours.Command) {
		t.Error("the next try wrote nothing")
	}
	for _, name := range names(t, e.Home) {
		if strings.HasSuffix(name, ".part") || strings.HasPrefix(name, "..") {
			t.Errorf("the dead process left %s", name)
		}
	}
}
