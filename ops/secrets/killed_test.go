package secrets_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops"
	"lcm-tui/ops/reclaim"
	"lcm-tui/ops/secrets"
)

// slack makes a file whose gaps and free pages hold a value, as hosts leave them: they erase nothing.
func slack(t *testing.T, path, value string) {
	t.Helper()
	execute(t, path, "UPDATE messages SET content = content || ' and once more "+value+strings.Repeat(" then", 300)+"' WHERE message_id IN (SELECT message_id FROM messages ORDER BY message_id LIMIT 9)")
	execute(t, path, "UPDATE messages SET content = 'short' WHERE content LIKE '%and once more%'")
}

// snapshot copies the files of a folder, as a kill leaves them.
func snapshot(t *testing.T, path string) string {
	t.Helper()
	to := t.TempDir()
	check(t, os.CopyFS(to, os.DirFS(filepath.Dir(path))))
	return filepath.Join(to, filepath.Base(path))
}

// rawCount returns how often a value stands in the bytes of the files of a folder.
func rawCount(t *testing.T, folder, value string) (n int) {
	t.Helper()
	all, err := os.ReadDir(folder)
	check(t, err)
	for _, e := range all {
		if e.Type().IsRegular() {
			text, err := os.ReadFile(filepath.Join(folder, e.Name()))
			check(t, err)
			n += strings.Count(string(text), value)
		}
	}
	return n
}

const victimEnv = "LCM_TEST_SECRETS_VICTIM"

// TestVictim is no test: it is the program that the test below kills. It replaces secrets, and waits to be killed
// before the file is rewritten.
func TestVictim(t *testing.T) {
	path := os.Getenv(victimEnv)
	if path == "" {
		t.Skip("run by the test that kills it")
	}
	op := &secrets.Op{}
	op.Stopping(func(string) {
		fmt.Println("\nreached")
		select {}
	})
	_, err := apply(t, open(t, path), op)
	t.Fatalf("it was to be killed, and ended: %v", err)
}

// TestKilledProcessLeavesNothingThatTheNextRunDoesNotRemove: what the kill leaves in the file and in the
// -wal goes with the next rewriting.
func TestKilledProcessLeavesNothingThatTheNextRunDoesNotRemove(t *testing.T) {
	t.Parallel()
	p := newPlanted()
	path := plant(t, p)
	slack(t, path, p.github)
	cmd := exec.Command(os.Args[0], "-test.run=^TestVictim$") //nolint:noctx // It is killed, which is the point.
	cmd.Env = append(os.Environ(), victimEnv+"="+path)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if lines.Text() == "reached" {
			break
		}
	}
	check(t, cmd.Process.Kill())
	_ = cmd.Wait()
	if rawCount(t, filepath.Dir(path), p.github) == 0 {
		t.Error("the kill left nothing to remove")
	}
	checkRewritten(t, path, p)
}

// checkRewritten rewrites a file whose record says that its pages may hold secrets, and looks for them in all bytes.
func checkRewritten(t *testing.T, path string, p planted) {
	t.Helper()
	db := open(t, path)
	var unclean *change.UncleanPagesError
	if err := change.CheckPages(t.Context(), db); !errors.As(err, &unclean) || len(unclean.Records) != 1 {
		t.Errorf("the pages: %v", err)
	}
	if _, err := apply(t, db, &secrets.Op{}); !errors.Is(err, ops.ErrNothing) {
		t.Errorf("the next run says %v", err)
	}
	check(t, db.Close())
	_, err := reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	check(t, err)
	db = open(t, path)
	check(t, errors.Join(change.CheckPages(t.Context(), db), db.Close()))
	for _, value := range p.all() {
		if n := rawCount(t, filepath.Dir(path), value); n > 0 {
			t.Errorf("a value is there %d times", n)
		}
	}
}

// TestKilledBeforeTheFileIsRewritten: the record, the next search and the history say that pages aren't
// rewritten, and rewriting the file, by whichever command, removes every byte of the values.
func TestKilledBeforeTheFileIsRewritten(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	p := newPlanted()
	path := plant(t, p)
	slack(t, path, p.github)
	db := open(t, path)
	left := map[string]string{}
	op := &secrets.Op{ProveLater: true}
	op.Stopping(func(step string) { left[step] = snapshot(t, path) })
	out, err := apply(t, db, op)
	check(t, errors.Join(err, db.Close()))
	left["applied"] = snapshot(t, path)
	check(t, op.Finish(t.Context(), path, noReport))
	if rawCount(t, filepath.Dir(left["rows"]), p.github) == 0 {
		t.Fatal("there is nothing left to remove")
	}
	if len(left) != 3 {
		t.Fatalf("the steps are %v", left)
	}
	for step, path := range left {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			db := open(t, path)
			found, err := secrets.Find(t.Context(), db, secrets.Request{}, nil)
			check(t, err)
			if !slices.Equal(found.UncleanRecords, []int64{out.Record}) {
				t.Errorf("unclean records: %v", found.UncleanRecords)
			}
			records, err := change.History(t.Context(), db)
			check(t, err)
			if !records[0].UncleanPages || records[0].State() != "pages not rewritten" {
				t.Errorf("the record is %+v", records[0])
			}
			check(t, db.Close())
			checkRewritten(t, path, p)
		})
	}
}

// TestBesideAHostThePagesStayUnclean: the file of somebody else isn't rewritten, and the result says so.
func TestBesideAHostThePagesStayUnclean(t *testing.T) {
	t.Parallel()
	path := plant(t, newPlanted())
	db := open(t, path)
	op := &secrets.Op{}
	_, err := apply(t, db, op)
	check(t, err)
	check(t, op.Finish(t.Context(), path, noReport)) // This handle is the host.
	check(t, op.Prove(t.Context(), db, noReport))
	if !op.Result.UncleanPages {
		t.Error("the result says that the file is rewritten")
	}
}

// TestCancelledBeforeTheFileIsRewritten: it isn't said to be done, and the advice isn't to undo it.
func TestCancelledBeforeTheFileIsRewritten(t *testing.T) {
	t.Parallel()
	path := plant(t, newPlanted())
	db := open(t, path)
	op := &secrets.Op{ProveLater: true}
	_, err := apply(t, db, op)
	check(t, errors.Join(err, db.Close()))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = op.Finish(ctx, path, noReport)
	var unfinished *change.UnfinishedError
	if !errors.Is(err, context.Canceled) || !errors.As(err, &unfinished) || strings.Contains(unfinished.Hint()+unfinished.ScreenHint(), "undo #") {
		t.Errorf("it says %v", err)
	}
	db = open(t, path)
	var unclean *change.UncleanPagesError
	if err := change.CheckPages(t.Context(), db); !errors.As(err, &unclean) {
		t.Errorf("the pages: %v", err)
	}
}

// TestWhatAKilledPruneLeftInTheTrashIsACopy: it has the texts that were to be removed, as a file of the trash has.
func TestWhatAKilledPruneLeftInTheTrashIsACopy(t *testing.T) {
	t.Parallel()
	path := testdb.Sample(t, fakehost.Head)
	left := filepath.Join(data.TrashFolder(path), "20260101T000000Z-text.db.lcm-tui-1.part")
	content, err := os.ReadFile(path)
	testdb.Must(t, errors.Join(err, os.Mkdir(filepath.Dir(left), 0o700), os.WriteFile(left, content, 0o600), os.WriteFile(filepath.Join(filepath.Dir(left), "prune.lcm-tui-2.part"), nil, 0o600)))
	if copies := secrets.Copies(path); !slices.Equal(copies, []string{left}) {
		t.Errorf("%q", copies)
	}
}
