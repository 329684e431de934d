package data_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"lcm-tui/data"
	"lcm-tui/internal/fakehost"
)

func noReport(int, int, string) {}

func TestBackupIsTheSameAndPrivate(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	to := filepath.Join(t.TempDir(), "copy.db")
	steps := 0
	r, err := db.Backup(t.Context(), to, func(int, int, string) { steps++ })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(dump(t, path), dump(t, to)); diff != "" {
		t.Error(diff)
	}
	info, err := os.Stat(to)
	if err != nil || info.Size() != r.Bytes || steps == 0 || r.Tables["messages"] == 0 {
		t.Errorf("%+v, %v", r, err)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others may read it: %v", info.Mode())
	}
	if _, err := db.Backup(t.Context(), to, noReport); !errors.Is(err, data.ErrExists) {
		t.Errorf("onto a file: %v", err)
	}
	left, err := filepath.Glob(to + ".*")
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestBackupWhileAHostWrites: the copy is one moment of the file, whole.
func TestBackupWhileAHostWrites(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	h := host(t, path)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "meanwhile"}); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for range 5 {
		if _, err := db.Backup(t.Context(), filepath.Join(t.TempDir(), "copy.db"), noReport); err != nil {
			t.Error(err)
		}
	}
	close(stop)
	wg.Wait()
}

func TestBackupCanBeCancelled(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t, fakehost.Head))
	ctx, cancel := context.WithCancel(t.Context())
	to := filepath.Join(t.TempDir(), "copy.db")
	_, err := db.Backup(ctx, to, func(_, _ int, note string) {
		if note == "copying pages" || note == "counting rows" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(to)); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestABackupOverwritesNothing, also not a file that comes while it is made.
func TestABackupOverwritesNothing(t *testing.T) {
	t.Parallel()
	db := open(t, sample(t, fakehost.Head))
	to := filepath.Join(t.TempDir(), "copy.db")
	_, err := db.Backup(t.Context(), to, func(int, int, string) { writeText(t, to, "of another program") })
	if !errors.Is(err, data.ErrExists) {
		t.Errorf("got %v", err)
	}
	same(t, "the folder", filesBelow(t, filepath.Dir(to)), map[string]string{"copy.db": "of another program"})
}

// TestABackupWithoutTheNewestChangesIsRefused: of a folder that nobody may write to, the -wal isn't
// read.
func TestABackupWithoutTheNewestChangesIsRefused(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	must(t, host(t, path).Exec("UPDATE messages SET content = 'in the -wal only'"))
	db, err := data.OpenImmutable(t.Context(), path)
	must(t, err)
	defer db.Close()
	to := filepath.Join(t.TempDir(), "copy.db")
	if _, err := db.Backup(t.Context(), to, noReport); !errors.Is(err, data.ErrPermission) {
		t.Errorf("got %v", err)
	}
	if entries, err := os.ReadDir(filepath.Dir(to)); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

// TestBackupsOfOneSecond have names of their own, by which they are listed.
func TestBackupsOfOneSecond(t *testing.T) {
	t.Parallel()
	path := sample(t, fakehost.Head)
	db := open(t, path)
	at := db.Now()
	db.Now = func() time.Time { return at }
	for n := 1; n <= 3; n++ {
		r, err := data.BackupNumbered(t.Context(), db, db.BackupPath(), noReport)
		must(t, err)
		if listed, err := data.Backups(path); err != nil || len(listed) != n {
			t.Errorf("after %s: %+v, %v", r.Path, listed, err)
		}
		if free := data.FreeBackupPath(db.BackupPath()); free == r.Path {
			t.Errorf("%s isn't free", free)
		}
	}
}
