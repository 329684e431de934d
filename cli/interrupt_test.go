package cli_test

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"lcm-tui/cli"
	"lcm-tui/cli/commands"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
)

// interruption is a context that is cancelled when it is looked at for the n-th time.
type interruption struct {
	context.Context
	cancel func()
	left   atomic.Int64
	looks  atomic.Int64
}

func interruptAt(parent context.Context, n int64) *interruption {
	ctx, cancel := context.WithCancel(parent)
	c := &interruption{Context: ctx, cancel: cancel}
	c.left.Store(n)
	return c
}

func (c *interruption) look() {
	c.looks.Add(1)
	if c.left.Add(-1) == 0 {
		c.cancel()
	}
}

func (c *interruption) Err() error            { c.look(); return c.Context.Err() }
func (c *interruption) Done() <-chan struct{} { c.look(); return c.Context.Done() }

// runUntil runs a command until its context was looked at n times; 0 is to its end.
func runUntil(t *testing.T, n int64, db string, args ...string) (exit int, looks int64, output string) {
	t.Helper()
	args = slices.Clone(args)
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "HERE", filepath.Dir(db))
	}
	ctx := interruptAt(t.Context(), n)
	defer ctx.cancel()
	var out, errs bytes.Buffer
	env := map[string]string{"LCM_DATABASE_PATH": db, "HOME": filepath.Dir(db)}
	exit = cli.Main(ctx, args, cli.System{
		In: strings.NewReader(""), Out: &out, Err: &errs, Env: func(name string) string { return env[name] }, WorkDir: env["HOME"],
	}, commands.Rooms...)
	return exit, ctx.looks.Load(), out.String() + errs.String()
}

// tree returns what the files below a folder are: names, and the rows of the database.
func tree(t *testing.T, db string) string {
	t.Helper()
	s := testdb.Dump(t, db)
	err := filepath.WalkDir(filepath.Dir(db), func(path string, e fs.DirEntry, err error) error {
		if err != nil || strings.HasSuffix(path, "-wal") || strings.HasSuffix(path, "-shm") || e.IsDir() {
			return err
		}
		info, err := e.Info()
		if err == nil && path != db {
			s += fmt.Sprintln(path[len(filepath.Dir(db)):], info.Size())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// interruptions is how many places each command is interrupted in.
const interruptions = 8

// TestInterruptedCommandsSayWhatTheyDid: where a command says that nothing was written, changed or
// begun, no row and no file is another one; and none says it of a change that is made.
func TestInterruptedCommandsSayWhatTheyDid(t *testing.T) {
	t.Parallel()
	model := preparedForWriting(t)
	commands := writingCommands(t, model)
	commands = append(commands,
		[]string{"restore", "HERE/other.db", "--apply"}, []string{"restore", "HERE/other.db", "--apply", "--at-backup"},
		[]string{"slice", "1", "--to", "HERE/slice.db"}, []string{"backup"}, []string{"export", "1", "--format", "jsonl", "--to", "HERE/out.jsonl"},
		[]string{"export", "--all", "--format", "markdown", "--to", "HERE/folder"},
		[]string{"bundle", "--to", "HERE/bundle.zip"}, []string{"salvage", "HERE/other.db", "HERE/salvaged.db"}, []string{"trash", "restore", "1", "--apply"},
		[]string{"prune", "copies", "--agent", "main", "--apply"}, []string{"key", "move", "1", "--to", "3", "--apply"},
	)
	places := int64(interruptions)
	if testlength.Short() {
		places /= 2
	}
	for i, args := range commands {
		if testlength.Short() && i%4 != 0 {
			continue
		}
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			_, looks, out := runUntil(t, 0, folderOf(t, model), args...)
			if looks < 3 {
				t.Fatalf("%d looks: %s", looks, out)
			}
			step := max(1, looks/places)
			for n := int64(1); n <= looks; n += step {
				db := folderOf(t, model)
				was := tree(t, db)
				exit, _, out := runUntil(t, n, db, args...)
				now := tree(t, db)
				for _, says := range []string{"nothing was written", "nothing was changed", "nothing was begun"} {
					if exit != 0 && strings.Contains(out, says) && now != was {
						t.Errorf("interrupted at %d of %d (exit code %d) it says %q:\n%s\n%s", n, looks, exit, says, out, lineDiff(was, now))
					}
				}
				if exit == 0 && now == was && strings.Contains(strings.Join(args, " "), "--apply") {
					t.Errorf("interrupted at %d of %d nothing is written, and the exit code is 0: %s", n, looks, out)
				}
			}
		})
	}
}

// preparedForWriting returns a database with records, a trash, and another database beside it.
func preparedForWriting(t *testing.T) string {
	t.Helper()
	path := testdb.Sample(t, fakehost.Head)
	for _, args := range [][]string{
		{"prune", "conversations", "--conv", "2", "--apply"},
		{"key", "rename", "1", "agent:main:second", "--apply"},
		{"key", "rename", "1", "agent:main:third", "--apply"},
		{"undo", "3"},
	} {
		if exit, out, errs := run(t, path, args...); exit != 0 {
			t.Fatalf("%v: %s%s", args, out, errs)
		}
	}
	return path
}

// folderOf copies the folder of a database, and puts another database beside the copy.
func folderOf(t *testing.T, path string) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(filepath.Dir(path))); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(testdb.Sample(t, fakehost.Head))
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "other.db"), content, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(folder, filepath.Base(path))
}
