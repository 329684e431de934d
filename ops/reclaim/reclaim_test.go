package reclaim_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/reclaim"
)

func noReport(int, int, string) {}

// sparse returns the path of a database of which many pages are free, with its dump.
func sparse(t *testing.T) (path, dump string) {
	t.Helper()
	path = testdb.Sample(t, fakehost.Head)
	exec := func(statement string) {
		h, err := fakehost.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(h.Exec(statement), h.Close()); err != nil {
			t.Fatal(err)
		}
	}
	exec("CREATE TABLE padding AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i+1 FROM n WHERE i < 300) SELECT i, hex(zeroblob(2000)) AS text FROM n")
	exec("DELETE FROM padding WHERE i > 3")
	return path, testdb.Dump(t, path)
}

// host opens a connection as a host does.
func host(t *testing.T, path string) *fakehost.Writer {
	t.Helper()
	h, err := fakehost.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = h.Close() })
	return h
}

func inode(t *testing.T, path string) os.FileInfo {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info
}

// checkWhole fails unless a file is sound and has these rows.
func checkWhole(t *testing.T, path, dump string) {
	t.Helper()
	if n, err := testdb.Count(path, "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"); err != nil || n != 0 {
		t.Errorf("integrity of %s: %d faults, %v", path, n, err)
	}
	if testdb.Dump(t, path) != dump {
		t.Errorf("%s has other rows", path)
	}
}

// checkAlone fails if anything lies beside the database.
func checkAlone(t *testing.T, path string, others ...string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Dir(path) + "/*")
	names = slices.DeleteFunc(names, func(name string) bool { return filepath.Base(name) == "lcm-files" })
	if err != nil || len(names) != 1+len(others) {
		t.Errorf("in the folder: %v, %v", names, err)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// TestACompactedCopyTakesThePlace: it has the same rows, permissions and journal mode, is smaller,
// and nothing is left beside it.
func TestACompactedCopyTakesThePlace(t *testing.T) {
	t.Parallel()
	path, dump := sparse(t)
	must(t, os.Chmod(path, 0o640))
	was := inode(t, path)
	r, err := reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	must(t, err)
	now := inode(t, path)
	if r.Method != reclaim.MethodSwap || os.SameFile(was, now) || now.Mode() != was.Mode() || now.Size() >= was.Size()-500_000 || r.After.File != now.Size() || r.After.Free != 0 {
		t.Errorf("%d bytes, mode %v; %+v", now.Size(), now.Mode(), r)
	}
	checkAlone(t, path)
	checkWhole(t, path, dump)
	if n, err := testdb.Count(path, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"); err != nil || n != 1 {
		t.Errorf("journal mode: %d, %v", n, err)
	}
}

// TestTheFileBehindALinkIsReplaced, and the symbolic link stays one.
func TestTheFileBehindALinkIsReplaced(t *testing.T) {
	t.Parallel()
	path, dump := sparse(t)
	link := filepath.Join(t.TempDir(), "link.db")
	must(t, os.Symlink(path, link))
	r, err := reclaim.File(t.Context(), link, reclaim.Options{}, noReport)
	must(t, err)
	info, err := os.Lstat(link)
	if err != nil || info.Mode()&os.ModeSymlink == 0 || r.Method != reclaim.MethodSwap {
		t.Errorf("%v, %v, %+v", info, err, r)
	}
	checkWhole(t, path, dump)
}

// TestAFileWithTwoNamesStaysTheSameFile: a copy would take the place of one name only.
func TestAFileWithTwoNamesStaysTheSameFile(t *testing.T) {
	t.Parallel()
	path, dump := sparse(t)
	other := filepath.Join(filepath.Dir(path), "other.db")
	must(t, os.Link(path, other))
	r, err := reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	must(t, err)
	if r.Method != reclaim.MethodVacuum || !os.SameFile(inode(t, path), inode(t, other)) || r.After.Free != 0 || len(r.Notes) != 1 {
		t.Errorf("%+v", r)
	}
	checkWhole(t, path, dump)
}

// TestWhatACrashedHostLeftIsKept: its newest rows stand in the -wal only.
func TestWhatACrashedHostLeftIsKept(t *testing.T) {
	t.Parallel()
	path, _ := sparse(t)
	h := host(t, path)
	if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "written last"}); err != nil {
		t.Fatal(err)
	}
	crashed := snapshot(t, path)
	r, err := reclaim.File(t.Context(), crashed, reclaim.Options{}, noReport)
	must(t, err)
	if r.Method != reclaim.MethodSwap || r.Before.WAL == 0 || r.After.WAL != 0 {
		t.Errorf("%+v", r)
	}
	checkAlone(t, crashed)
	checkWhole(t, crashed, testdb.Dump(t, path))
}

// snapshot copies the folder of a database as it is, by another process: as a kill would leave it.
func snapshot(t *testing.T, path string) (copied string) {
	t.Helper()
	to := t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", filepath.Dir(path)+"/.", to).CombinedOutput(); err != nil {
		t.Skipf("no cp here: %s, %v", out, err)
	}
	return filepath.Join(to, filepath.Base(path))
}

// TestBesideAHostTheFileStaysTheSame: the -wal is emptied, and the host goes on writing.
func TestBesideAHostTheFileStaysTheSame(t *testing.T) {
	t.Parallel()
	path, _ := sparse(t)
	was := inode(t, path)
	h := host(t, path)
	if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "before"}); err != nil {
		t.Fatal(err)
	}
	r, err := reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	must(t, err)
	if r.Method != reclaim.MethodSteps || !os.SameFile(was, inode(t, path)) || r.After.WAL != 0 || len(r.Notes) != 1 {
		t.Errorf("%+v", r)
	}
	if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "after"}); err != nil {
		t.Fatal(err)
	}
	checkWhole(t, path, testdb.Dump(t, path))
	if _, err := reclaim.File(t.Context(), path, reclaim.Options{Incremental: true}, noReport); !errors.Is(err, data.ErrInUse) {
		t.Errorf("converting beside a host: %v", err)
	}
	r, err = reclaim.File(t.Context(), path, reclaim.Options{Online: true, Incremental: true}, noReport)
	must(t, err)
	if r.Method != reclaim.MethodVacuum || !os.SameFile(was, inode(t, path)) || r.After.Free != 0 || r.After.File >= was.Size()-500_000 {
		t.Errorf("online: %+v", r)
	}
	must(t, h.Exec("DELETE FROM padding"))
	must(t, h.Exec("CREATE TABLE more AS SELECT hex(zeroblob(2000)) AS text FROM messages"))
	must(t, h.Exec("DROP TABLE more"))
	r, err = reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	must(t, err)
	if r.Method != reclaim.MethodSteps || r.Before.Free == 0 || r.After.Free != 0 {
		t.Errorf("free pages after the conversion: %+v", r)
	}
}

// TestTheAnswerOfAReaderIsShown: while somebody reads in a transaction the -wal can't be emptied.
func TestTheAnswerOfAReaderIsShown(t *testing.T) {
	t.Parallel()
	path, _ := sparse(t)
	h := host(t, path)
	pool, err := sql.Open("sqlite", data.FileURI(path, ""))
	must(t, err)
	defer pool.Close()
	reader, err := pool.BeginTx(t.Context(), nil)
	must(t, err)
	must(t, reader.QueryRowContext(t.Context(), "SELECT count(*) FROM messages").Scan(new(int)))
	if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "meanwhile"}); err != nil {
		t.Fatal(err)
	}
	r, err := reclaim.EmptyWAL(t.Context(), path, time.Millisecond)
	if err != nil || r.After.WAL == 0 || len(r.Steps) != 1 || !strings.Contains(r.Steps[0].Note, "reads in a transaction") {
		t.Errorf("%+v, %v", r, err)
	}
	must(t, reader.Rollback())
	r, err = reclaim.File(t.Context(), path, reclaim.Options{WAL: true}, noReport)
	if err != nil || r.After.WAL != 0 || r.Steps[0].Note != "" {
		t.Errorf("without the reader: %+v, %v", r, err)
	}
}

// TestWhoComesWhileTheCopyIsMade keeps the file: nothing takes its place.
func TestWhoComesWhileTheCopyIsMade(t *testing.T) {
	t.Parallel()
	for _, step := range []string{"copied", "verified"} {
		path, _ := sparse(t)
		was := inode(t, path)
		var h *fakehost.Writer
		r, err := reclaim.Stopping(t.Context(), path, reclaim.Options{}, func(now string) {
			if now == step {
				h = host(t, path)
				if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "just now"}); err != nil {
					t.Error(err)
				}
			}
		})
		if err != nil || r.Method != reclaim.MethodSteps || !os.SameFile(was, inode(t, path)) {
			t.Errorf("%s: %+v, %v", step, r, err)
		}
		must(t, h.Close())
		checkAlone(t, path)
		if n, err := testdb.Count(path, "SELECT count(*) FROM messages WHERE content = 'just now'"); err != nil || n != 1 {
			t.Errorf("%s: %d messages, %v", step, n, err)
		}
	}
}

// TestWhoComesInTheLastMoment: a process that has opened the old file gets it back under its name.
func TestWhoComesInTheLastMoment(t *testing.T) {
	t.Parallel()
	path, dump := sparse(t)
	was := inode(t, path)
	holder := exec.CommandContext(t.Context(), "sh", "-c", `exec 3<"$0"; echo open; read x`, path)
	stdin, err := holder.StdinPipe()
	must(t, err)
	out, err := holder.StdoutPipe()
	must(t, err)
	r, err := reclaim.Stopping(t.Context(), path, reclaim.Options{}, func(step string) {
		if step == "linked" {
			must(t, holder.Start())
			if _, err := out.Read(make([]byte, 1)); err != nil {
				t.Error(err)
			}
		}
	})
	if err != nil || r.Method != reclaim.MethodSteps || !os.SameFile(was, inode(t, path)) || len(r.InUseBy) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	_ = stdin.Close()
	_ = holder.Wait()
	checkAlone(t, path)
	checkWhole(t, path, dump)
}

// TestKilledAnywhere: the file is the old one or the new one, whole, and the next run removes what
// was left.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	path, dump := sparse(t)
	left := map[string]string{}
	_, err := reclaim.Stopping(t.Context(), path, reclaim.Options{}, func(step string) { left[step] = snapshot(t, path) })
	must(t, err)
	if len(left) != 5 {
		t.Fatalf("steps: %v", left)
	}
	for step, path := range left {
		t.Run(step, func(t *testing.T) {
			t.Parallel()
			checkWhole(t, path, dump)
			r, err := reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
			if err != nil || r.Method != reclaim.MethodSwap {
				t.Errorf("%+v, %v", r, err)
			}
			checkAlone(t, path)
			checkWhole(t, path, dump)
		})
	}
}

// TestOtherNameOfTheOldFileIsPrivate: it has what was deleted since, and stays where the program is killed.
func TestOtherNameOfTheOldFileIsPrivate(t *testing.T) {
	t.Parallel()
	path, _ := sparse(t)
	must(t, os.Chmod(path, 0o644))
	seen := 0
	_, err := reclaim.Stopping(t.Context(), path, reclaim.Options{}, func(step string) {
		names, _ := filepath.Glob(path + ".lcm-tui-reclaim-*.old")
		if step == "linked" {
			return // It is the live file still.
		}
		for _, name := range names {
			if seen++; inode(t, name).Mode().Perm() != 0o600 {
				t.Errorf("%s: it is %v", step, inode(t, name).Mode())
			}
		}
	})
	if err != nil || seen != 2 || inode(t, path).Mode().Perm() != 0o644 {
		t.Errorf("%d looks, the file is %v, %v", seen, inode(t, path).Mode(), err)
	}
}

// TestCancelledNothingIsLeft: the file is the old one.
func TestCancelledNothingIsLeft(t *testing.T) {
	t.Parallel()
	path, dump := sparse(t)
	was := inode(t, path)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := reclaim.Stopping(ctx, path, reclaim.Options{}, func(step string) {
		if step == "copied" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !os.SameFile(was, inode(t, path)) {
		t.Errorf("%v", err)
	}
	checkAlone(t, path)
	checkWhole(t, path, dump)
}

// TestWithoutRoomNothingStarts: the error says how much is needed where.
func TestWithoutRoomNothingStarts(t *testing.T) {
	t.Parallel()
	from, dump := sparse(t)
	disk := testdb.Disk(t, 3<<20)
	b, err := os.ReadFile(from)
	must(t, err)
	path := filepath.Join(disk, "lcm.db")
	must(t, os.WriteFile(path, b, 0o600))
	free, _ := filesystem.FreeSpace(disk)
	must(t, os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, free-300<<10), 0o600))
	was := inode(t, path)
	_, err = reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	if !errors.Is(err, data.ErrFull) || !strings.Contains(err.Error(), "B of free disk are needed in "+disk+",") {
		t.Fatalf("%v", err)
	}
	now := inode(t, path)
	if !now.ModTime().Equal(was.ModTime()) || now.Size() != was.Size() {
		t.Error("something was written")
	}
	checkAlone(t, path, "ballast")
	checkWhole(t, path, dump)
}

// TestTheEstimateIsWhatHappens, and it writes nothing.
func TestTheEstimateIsWhatHappens(t *testing.T) {
	t.Parallel()
	path, _ := sparse(t)
	db := testdb.Open(t, path)
	was, err := os.ReadFile(path)
	must(t, err)
	var estimates []reclaim.Estimate
	for _, o := range []reclaim.Options{{}, {WAL: true}} {
		e, err := reclaim.EstimateOf(t.Context(), db, 300_000, o)
		must(t, err)
		estimates = append(estimates, e)
	}
	must(t, db.Close())
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(was, now) {
		t.Errorf("the file was written: %v", err)
	}
	if e := estimates[0]; e.Method != reclaim.MethodSwap || e.After.File != 300_000 || e.Needed != 330_000 || e.Before.Free < 1_000_000 || *e.Free == 0 {
		t.Errorf("%+v", e)
	}
	if e := estimates[1]; e.Method != reclaim.MethodWAL || e.After.File != e.Before.File || e.Needed != 0 {
		t.Errorf("%+v", e)
	}
	r, err := reclaim.File(t.Context(), path, reclaim.Options{}, noReport)
	if err != nil || r.Method != estimates[0].Method || r.Before != estimates[0].Before {
		t.Errorf("%+v, %v", r, err)
	}
}
