package restore_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/restore"
)

// recorded returns a pair whose live database has a record that the backup lacks.
func recorded(t *testing.T) pair {
	t.Helper()
	p := newPair(t)
	db := testdb.Open(t, p.live)
	edit := change.Change{Table: "conversations", Key: []string{"conversation_id"}, Before: data.Row{"conversation_id": int64(1)}, After: data.Row{"conversation_id": int64(1), "title": "changed"}}
	_, err := change.Write(t.Context(), db, change.Batch{Op: "edit", Title: "a change", Changes: []change.Change{edit}})
	must(t, errors.Join(err, db.Close()))
	p.dumpLive = testdb.Dump(t, p.live)
	return p
}

// steps returns those of a restore through SQLite, each as often as it is reached.
func steps(t *testing.T) (all []string) {
	t.Helper()
	p := recorded(t)
	_, err := stopping(t.Context(), t, p, func(step string) { all = append(all, step) })
	must(t, err)
	return all
}

// stopping restores with the checkpoints of the backup, and calls reached at each step.
func stopping(ctx context.Context, t *testing.T, p pair, reached func(step string)) (restore.Result, error) {
	t.Helper()
	b, err := restore.OpenBackup(t.Context(), p.backup, p.live, false, noReport)
	must(t, err)
	defer b.Close()
	return restore.Stopping(ctx, restore.Request{Backup: b, Live: p.live, Now: noon, AtBackup: true}, reached)
}

// TestCancelledAtEveryStep: the database is as it was and the error says so, or all of it is done and
// there is no error.
func TestCancelledAtEveryStep(t *testing.T) {
	t.Parallel()
	for i, step := range steps(t) {
		t.Run(fmt.Sprint(i, " ", step), func(t *testing.T) {
			t.Parallel()
			p := recorded(t)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			n := 0
			r, err := stopping(ctx, t, p, func(string) {
				if n == i {
					cancel()
				}
				n++
			})
			if err == nil {
				checkRestored(t, p, r)
				return
			}
			var reached *outcome.Error
			if !errors.Is(err, context.Canceled) || !errors.As(err, &reached) || r.Restored {
				t.Fatalf("%+v, %v", r, err)
			}
			if !strings.Contains(err.Error(), "the database is as it was") || !strings.Contains(err.Error(), r.Saved) {
				t.Errorf("it says: %v", err)
			}
			checkWhole(t, p.live, p.dumpLive)
			checkWhole(t, r.Saved, p.dumpLive)
		})
	}
}

// checkRestored fails unless a restore with checkpoints is done to its end.
func checkRestored(t *testing.T, p pair, r restore.Result) {
	t.Helper()
	if !r.Restored || r.EqualPages == 0 || r.Records != 1 || !r.CheckpointsSet {
		t.Errorf("%+v", r)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM messages WHERE content LIKE '%changed since'":                                                                         0,
		"SELECT count(*) FROM lcm_tui_undo WHERE detail LIKE '%restored_over%'":                                                                     1,
		"SELECT count(*) FROM conversation_bootstrap_state JOIN conversations USING (conversation_id) WHERE active = 1 AND session_file_path <> ''": 0,
	} {
		if n, err := testdb.Count(p.live, query); err != nil || n != want {
			t.Errorf("%s: %d, %v", query, n, err)
		}
	}
}

// TestWhatFailsAfterThePages: the error says that the database is the backup, what of the rest isn't
// done, and the way back.
func TestWhatFailsAfterThePages(t *testing.T) {
	t.Parallel()
	p := recorded(t)
	h := host(t, p.live)
	must(t, h.Read([]any{new(int)}, "SELECT count(*) FROM messages"))
	b, err := restore.OpenBackup(t.Context(), p.backup, p.live, false, noReport)
	must(t, err)
	defer b.Close()
	r, err := restore.Stopping(t.Context(), restore.Request{Backup: b, Live: p.live, Now: noon, AtBackup: true, Force: true}, func(step string) {
		if step == "compared" {
			must(t, h.Exec("DROP TABLE conversation_bootstrap_state"))
		}
	})
	var reached *outcome.Error
	if !errors.As(err, &reached) || !r.Restored || r.Records != 0 || r.CheckpointsSet {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, want := range []string{"the database is the backup", "checkpoints"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("it doesn't say %q: %v", want, err)
		}
	}
	if !strings.Contains(reached.Hint(), "lcm-tui restore "+r.Saved+" --apply") {
		t.Errorf("the hint is %q", reached.Hint())
	}
}

// TestRenamingGoesBack: where the copy can't take the place of a damaged file, each file that was moved
// has its name again.
func TestRenamingGoesBack(t *testing.T) {
	t.Parallel()
	for name, links := range map[string]bool{"with hard links": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			backup := filepath.Join(t.TempDir(), "backup.db")
			backUp(t, testdb.Sample(t, fakehost.Head), backup)
			live := damaged(t)
			before := contents(t, filepath.Dir(live))
			b, err := restore.OpenBackup(t.Context(), backup, live, false, noReport)
			must(t, err)
			defer b.Close()
			r := restore.Request{Backup: b, Live: live, Now: noon}
			_, err = restore.StoppingFiles(t.Context(), r, links, func(step string) {
				if step == "aside" {
					removeParts(t, live)
				}
			})
			var reached *outcome.Error
			if err == nil || errors.As(err, &reached) {
				t.Errorf("it says: %v", err)
			}
			if now := contents(t, filepath.Dir(live)); now != before {
				t.Errorf("the folder has\n%s\nit had\n%s", now, before)
			}
		})
	}
}

// damaged returns a file that SQLite doesn't open, with a -wal beside it.
func damaged(t *testing.T) string {
	t.Helper()
	live := filepath.Join(t.TempDir(), "lcm.db")
	must(t, os.WriteFile(live, []byte(strings.Repeat("x", 8192)), 0o600))
	must(t, os.WriteFile(live+"-wal", []byte("of the damaged file"), 0o600))
	return live
}

// removeParts removes the copy that is to take the place of a file.
func removeParts(t *testing.T, live string) {
	t.Helper()
	parts, err := filepath.Glob(live + "*.part")
	if err != nil || len(parts) == 0 {
		t.Fatalf("no part beside %s, %v", live, err)
	}
	for _, part := range parts {
		must(t, os.Remove(part))
	}
}

// contents returns the files of a folder with what is in them.
func contents(t *testing.T, folder string) (s string) {
	t.Helper()
	names, err := filepath.Glob(folder + "/*")
	must(t, err)
	for _, name := range names {
		bytes, err := os.ReadFile(name)
		must(t, err)
		s += fmt.Sprintf("%s %x\n", filepath.Base(name), sha256.Sum256(bytes))
	}
	return s
}
