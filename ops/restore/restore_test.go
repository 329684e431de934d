package restore_test

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops/restore"
)

func noReport(int, int, string) {}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func noon() time.Time { return time.Date(2026, 8, 1, 12, 0, 0, 0, time.UTC) }

// host opens a connection as a host does.
func host(t *testing.T, path string) *fakehost.Writer {
	t.Helper()
	h, err := fakehost.Open(path)
	must(t, err)
	t.Cleanup(func() { _ = h.Close() })
	return h
}

// write has a host write and end.
func write(t *testing.T, path, statement string) {
	t.Helper()
	h, err := fakehost.Open(path)
	must(t, err)
	must(t, errors.Join(h.Exec(statement), h.Close()))
}

// pair is a database and a backup of it, after which the database was changed.
type pair struct{ live, backup, dumpLive, dumpBackup string }

func newPair(t *testing.T) pair {
	t.Helper()
	p := pair{live: testdb.Sample(t, fakehost.Head), backup: filepath.Join(t.TempDir(), "backup.db")}
	backUp(t, p.live, p.backup)
	p.dumpBackup = testdb.Dump(t, p.live)
	write(t, p.live, "UPDATE messages SET content = content || ' changed since'")
	write(t, p.live, "CREATE TABLE padding AS SELECT hex(zeroblob(3000)) AS text FROM messages")
	p.dumpLive = testdb.Dump(t, p.live)
	return p
}

func backUp(t *testing.T, path, to string) {
	t.Helper()
	db := testdb.Open(t, path)
	_, err := db.Backup(t.Context(), to, noReport)
	must(t, errors.Join(err, db.Close()))
}

// restored restores and returns what Apply does.
func restored(t *testing.T, live, backup string, change func(r *restore.Request)) (restore.Result, error) {
	t.Helper()
	b, err := restore.OpenBackup(t.Context(), backup, live, false, noReport)
	if err != nil {
		return restore.Result{}, err
	}
	defer b.Close()
	r := restore.Request{Backup: b, Live: live, Now: noon}
	if change != nil {
		change(&r)
	}
	return restore.Apply(t.Context(), r, noReport)
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

// TestTheLiveDatabaseIsWhatTheBackupIs: it is the same file as before, and the copy made before
// leads back.
func TestTheLiveDatabaseIsWhatTheBackupIs(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	must(t, os.Chmod(p.live, 0o640))
	was, err := os.Stat(p.live)
	must(t, err)
	bytes, err := os.ReadFile(p.backup)
	must(t, err)
	r, err := restored(t, p.live, p.backup, nil)
	must(t, err)
	now, err := os.Stat(p.live)
	if err != nil || !os.SameFile(was, now) || now.Mode() != was.Mode() || r.Method != restore.MethodPages || r.EqualPages == 0 || r.WALBytes != 0 {
		t.Errorf("%v, %+v", err, r)
	}
	checkWhole(t, p.live, p.dumpBackup)
	checkWhole(t, r.Saved, p.dumpLive)
	if after, err := os.ReadFile(p.backup); err != nil || string(after) != string(bytes) {
		t.Errorf("the backup changed: %v", err)
	}
	if left, _ := filepath.Glob(p.backup + "?*"); len(left) > 0 {
		t.Errorf("beside the backup: %v", left)
	}
	_, err = restored(t, p.live, r.Saved, func(r *restore.Request) { r.Now = func() time.Time { return noon().Add(time.Hour) } })
	must(t, err)
	checkWhole(t, p.live, p.dumpLive)
}

// TestOnePageThatDiffersIsFound, whether it is another one, missing, or too much.
func TestOnePageThatDiffersIsFound(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	whole, err := os.ReadFile(p.backup)
	must(t, err)
	other := filepath.Join(t.TempDir(), "other.db")
	flipped := slices.Clone(whole)
	flipped[len(flipped)-2000] ^= 1
	counted := slices.Clone(whole)
	counted[27]++ // How often it was written.
	for name, c := range map[string]struct {
		bytes []byte
		equal bool
	}{
		"the same": {whole, true}, "written more often": {counted, true}, "a bit": {flipped, false},
	} {
		must(t, os.WriteFile(other, c.bytes, 0o600))
		n, err := restore.ComparePages(t.Context(), p.backup, other)
		if c.equal != (err == nil) || !c.equal && !errors.Is(err, restore.ErrUnequal) || c.equal && n != int64(len(whole))/4096 {
			t.Errorf("%s: %d pages, %v", name, n, err)
		}
	}
	for _, pair := range [][2]string{{p.live, p.backup}, {p.backup, p.live}} {
		if _, err := restore.ComparePages(t.Context(), pair[0], pair[1]); !errors.Is(err, restore.ErrUnequal) {
			t.Errorf("%v: %v", pair, err)
		}
	}
}

// TestStaleFilesOfACrashedHost: the -wal that it left is of what is replaced.
func TestStaleFilesOfACrashedHost(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	h := host(t, p.live)
	must(t, h.Exec("UPDATE messages SET content = 'in the -wal only'"))
	crashed := filepath.Join(snapshot(t, p.live), filepath.Base(p.live))
	if _, wal := data.FileBytes(crashed); wal == 0 {
		t.Fatal("no -wal")
	}
	want := testdb.Dump(t, p.live)
	r, err := restored(t, crashed, p.backup, nil)
	must(t, err)
	checkWhole(t, crashed, p.dumpBackup)
	checkWhole(t, r.Saved, want)
}

// snapshot copies the folder of a file by another process, as a kill would leave it.
func snapshot(t *testing.T, path string) (folder string) {
	t.Helper()
	folder = t.TempDir()
	if out, err := exec.CommandContext(t.Context(), "cp", "-a", filepath.Dir(path)+"/.", folder).CombinedOutput(); err != nil {
		t.Skipf("no cp here: %s, %v", out, err)
	}
	return folder
}

// TestABackupWithAWALOfItsOwn is restored with what stands there, and isn't touched.
func TestABackupWithAWALOfItsOwn(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	h := host(t, p.live)
	must(t, h.Exec("UPDATE messages SET content = 'in the -wal only'"))
	folder := snapshot(t, p.live)
	backup := filepath.Join(folder, filepath.Base(p.live))
	want := testdb.Dump(t, p.live)
	must(t, h.Close())
	before := sizes(t, folder)
	_, err := restored(t, p.live, backup, nil)
	must(t, err)
	checkWhole(t, p.live, want)
	if now := sizes(t, folder); now != before {
		t.Errorf("the backup changed: %s, it was %s", now, before)
	}
}

// sizes returns the files of a folder with their sizes and times.
func sizes(t *testing.T, folder string) (s string) {
	t.Helper()
	names, err := filepath.Glob(folder + "/*")
	must(t, err)
	for _, name := range names {
		info, err := os.Stat(name)
		must(t, err)
		s += fmt.Sprintln(filepath.Base(name), info.Size(), info.ModTime())
	}
	return s
}

// TestPagesOfAnotherSize: the database keeps the size of its pages.
func TestPagesOfAnotherSize(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	other := filepath.Join(t.TempDir(), "other.db")
	write(t, p.backup, "PRAGMA journal_mode = DELETE")
	write(t, p.backup, "PRAGMA page_size = 8192; VACUUM INTO '"+other+"'")
	if n, err := testdb.Count(other, "PRAGMA page_size"); err != nil || n != 8192 {
		t.Fatalf("pages of %d bytes, %v", n, err)
	}
	_, err := restored(t, p.live, other, nil)
	must(t, err)
	checkWhole(t, p.live, p.dumpBackup)
	if n, err := testdb.Count(p.live, "PRAGMA page_size"); err != nil || n != 4096 {
		t.Errorf("pages of %d bytes, %v", n, err)
	}
}

// TestBesideAHost: it is refused, and with force the host goes on with what was restored.
func TestBesideAHost(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	h := host(t, p.live)
	if err := h.Read([]any{new(int)}, "SELECT count(*) FROM messages"); err != nil {
		t.Fatal(err)
	}
	r, err := restored(t, p.live, p.backup, nil)
	if !errors.Is(err, data.ErrInUse) || r.Saved != "" {
		t.Fatalf("beside a host: %+v, %v", r, err)
	}
	r, err = restored(t, p.live, p.backup, func(r *restore.Request) { r.Force = true })
	if err != nil || len(r.Notes) != 1 || r.EqualPages == 0 {
		t.Fatalf("with force: %+v, %v", r, err)
	}
	n := 0
	if err := h.Read([]any{&n}, "SELECT count(*) FROM messages WHERE content LIKE '%changed since'"); err != nil || n != 0 {
		t.Errorf("the host sees %d old messages, %v", n, err)
	}
	if _, err := h.Message(1, fakehost.Message{Role: "user", Content: "after it"}); err != nil {
		t.Error(err)
	}
	checkWhole(t, p.live, testdb.Dump(t, p.live))
}

// TestKilledAnywhere: the database is the old one or the new one, whole.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	left := map[string]string{}
	b, err := restore.OpenBackup(t.Context(), p.backup, p.live, false, noReport)
	must(t, err)
	defer b.Close()
	_, err = restore.Stopping(t.Context(), restore.Request{Backup: b, Live: p.live, Now: noon}, func(step string) {
		if left[step] == "" {
			left[step] = snapshot(t, p.live)
		}
	})
	must(t, err)
	for step, want := range map[string]string{"saved": p.dumpLive, "pages": p.dumpLive, "restored": p.dumpBackup, "emptied": p.dumpBackup, "adjusted": p.dumpBackup} {
		path := filepath.Join(left[step], filepath.Base(p.live))
		checkWhole(t, path, want)
	}
}

// victimEnv names the live database and the backup to the process that TestKilledByASignal kills.
const victimEnv = "LCM_TEST_RESTORE"

// TestVictim is no test: it is that process. It waits before the commit.
func TestVictim(t *testing.T) {
	paths := strings.Split(os.Getenv(victimEnv), "|")
	if len(paths) != 2 {
		t.Skip("run by the test that kills it")
	}
	b, err := restore.OpenBackup(t.Context(), paths[1], paths[0], false, noReport)
	must(t, err)
	_, err = restore.Stopping(t.Context(), restore.Request{Backup: b, Live: paths[0], Now: noon}, func(step string) {
		if step == "pages" {
			fmt.Println("\nreached")
			select {}
		}
	})
	t.Fatalf("it was to be killed, and ended: %v", err)
}

// TestKilledByASignal: a process that ends in the middle of the restore leaves the old database, which
// the next one replaces.
func TestKilledByASignal(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestVictim$")
	cmd.Env = append(os.Environ(), victimEnv+"="+p.live+"|"+p.backup)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	for lines := bufio.NewScanner(out); lines.Scan() && lines.Text() != "reached"; {
		if strings.Contains(lines.Text(), "FAIL") {
			t.Error(lines.Text())
		}
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait()
	checkWhole(t, p.live, p.dumpLive)
	_, err = restored(t, p.live, p.backup, func(r *restore.Request) { r.Now = func() time.Time { return noon().Add(time.Hour) } })
	must(t, err)
	checkWhole(t, p.live, p.dumpBackup)
}

// TestAReaderKeepsItsSnapshot: who reads in a transaction while a backup is restored beside it, reads
// what was there before to its end.
func TestAReaderKeepsItsSnapshot(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	pool, err := sql.Open("sqlite", data.FileURI(p.live, "mode=ro"))
	must(t, err)
	defer pool.Close()
	const query = "SELECT count(*) FROM messages WHERE content LIKE '% changed since'"
	changed := func(q interface {
		QueryRowContext(ctx context.Context, query string, args ...any) *sql.Row
	},
	) (n int) {
		must(t, q.QueryRowContext(t.Context(), query).Scan(&n))
		return n
	}
	reader, err := pool.BeginTx(t.Context(), nil)
	must(t, err)
	was := changed(reader)
	b, err := restore.OpenBackup(t.Context(), p.backup, p.live, false, noReport)
	must(t, err)
	defer b.Close()
	during := map[string]int{}
	_, err = restore.Stopping(t.Context(), restore.Request{Backup: b, Live: p.live, Now: noon, Force: true}, func(step string) {
		if during[step] = changed(reader); step == "restored" {
			must(t, reader.Rollback()) // The -wal can be emptied now.
			reader, err = pool.BeginTx(t.Context(), nil)
			must(t, err)
			if n := changed(reader); n != 0 {
				t.Errorf("the next transaction reads %d old messages", n)
			}
			must(t, reader.Rollback())
			reader, err = pool.BeginTx(t.Context(), nil)
			must(t, err)
		}
	})
	must(t, err)
	must(t, reader.Rollback())
	if was == 0 || during["saved"] != was || during["pages"] != was || during["restored"] != was {
		t.Errorf("%d before, then %v", was, during)
	}
}

// TestCancelledItIsAsItWas, and nothing but the copy lies beside it.
func TestCancelledItIsAsItWas(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	b, err := restore.OpenBackup(t.Context(), p.backup, p.live, false, noReport)
	must(t, err)
	defer b.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r, err := restore.Stopping(ctx, restore.Request{Backup: b, Live: p.live, Now: noon}, func(step string) {
		if step == "saved" {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	checkWhole(t, p.live, p.dumpLive)
	checkWhole(t, r.Saved, p.dumpLive)
}

// TestAHostThatWritesMeanwhileIsNamed: what it wrote stays, and the error says that it wrote, not that the backup was replaced.
func TestAHostThatWritesMeanwhileIsNamed(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	b, err := restore.OpenBackup(t.Context(), p.backup, p.live, false, noReport)
	must(t, err)
	defer b.Close()
	const written = "UPDATE messages SET content = 'written meanwhile' WHERE message_id = 1"
	_, err = restore.Stopping(t.Context(), restore.Request{Backup: b, Live: p.live, Now: noon}, func(step string) {
		if step == "saved" {
			h, err := fakehost.Open(p.live)
			must(t, err)
			must(t, errors.Join(h.Exec(written), h.Close()))
		}
	})
	if !errors.Is(err, restore.ErrWritten) || errors.Is(err, data.ErrReplaced) {
		t.Errorf("got %v", err)
	}
	if n, err := testdb.Count(p.live, "SELECT count(*) FROM messages WHERE content = 'written meanwhile'"); err != nil || n != 1 {
		t.Errorf("%d rows have what it wrote, %v", n, err)
	}
}

// TestADamagedFileIsReplaced: one that SQLite doesn't open by renaming, with all that lay beside it.
func TestADamagedFileIsReplaced(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	for name, damage := range map[string]func(path string) error{
		"its header is overwritten": func(path string) error { return os.WriteFile(path, []byte(strings.Repeat("x", 8192)), 0o640) },
		"it is empty":               func(path string) error { return os.Truncate(path, 0) },
		"it isn't there":            os.Remove,
		"it is cut off":             func(path string) error { return os.Truncate(path, 20000) },
	} {
		live := filepath.Join(t.TempDir(), "lcm.db")
		bytes, err := os.ReadFile(p.live)
		must(t, err)
		must(t, os.WriteFile(live, bytes, 0o640))
		must(t, os.WriteFile(live+"-wal", []byte("of the damaged file"), 0o600))
		must(t, damage(live))
		r, err := restored(t, live, p.backup, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		checkWhole(t, live, p.dumpBackup)
		gone := name == "it isn't there"
		if _, err := os.Stat(r.Saved); gone != (r.Saved == "") || !gone && (err != nil || !r.SavedDamaged) {
			t.Errorf("%s: saved as %q, %v", name, r.Saved, err)
		}
		info, err := os.Stat(live)
		if err != nil || !gone && info.Mode().Perm() != 0o640 {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

// TestRecordsThatTheBackupLacks stay as records that can't be undone.
func TestRecordsThatTheBackupLacks(t *testing.T) {
	t.Parallel()
	live, backup := testdb.Sample(t, fakehost.Head), filepath.Join(t.TempDir(), "backup.db")
	db := testdb.Open(t, live)
	retitle := func(title string) int64 {
		rows, err := data.Images(t.Context(), db, "conversations", data.Row{"conversation_id": int64(1)})
		must(t, err)
		after := data.Row{}
		for k, v := range rows[0] {
			after[k] = v
		}
		after["title"] = title
		id, err := change.Write(t.Context(), db, change.Batch{Op: "test", Title: title, Changes: []change.Change{{Table: "conversations", Key: []string{"conversation_id"}, Before: rows[0], After: after}}})
		must(t, err)
		return id
	}
	kept := retitle("before the backup")
	_, err := db.Backup(t.Context(), backup, noReport)
	must(t, err)
	lost := retitle("after the backup")
	must(t, db.Close())
	r, err := restored(t, live, backup, nil)
	if err != nil || r.Records != 1 {
		t.Fatalf("%+v, %v", r, err)
	}
	db = testdb.Open(t, live)
	records, err := change.History(t.Context(), db)
	if err != nil || len(records) != 2 || records[0].ID != lost || records[0].RestoredOver != backup || records[0].State() != "restored over" || records[1].ID != kept {
		t.Fatalf("%+v, %v", records, err)
	}
	if err := change.Undo(t.Context(), db, lost); !errors.Is(err, change.ErrRestoredOver) {
		t.Errorf("undo of what isn't in the file: %v", err)
	}
	if _, err := change.ReadRedo(t.Context(), db, lost); !errors.Is(err, change.ErrRestoredOver) {
		t.Errorf("redo of it: %v", err)
	}
	must(t, change.Undo(t.Context(), db, kept))
}

// turns returns messages of a session with the ids of their entries.
func turns(from, n int, ids bool) (out []fakehost.Message) {
	for i := from; i < from+n; i++ {
		m := fakehost.Message{Role: []string{"user", "assistant"}[i%2], Content: fmt.Sprint("message ", i)}
		if ids {
			m.EntryID = fmt.Sprintf("entry-%04d", i)
		}
		out = append(out, m)
	}
	return out
}

// TestTheHostCatchesUp: what came since the backup is stored again from the transcript, each message
// once; with AtBackup it isn't, and the next turn is.
func TestTheHostCatchesUp(t *testing.T) {
	t.Parallel()
	const key = "agent:main:restore"
	for name, c := range map[string]struct {
		ids, atBackup bool
		want          int // Messages after the next start.
	}{
		"ids": {true, false, 50}, "no ids": {false, false, 50}, "ids, at the backup": {true, true, 40},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			live := filepath.Join(t.TempDir(), "lcm.db")
			w, err := fakehost.Create(live, fakehost.Head)
			must(t, err)
			must(t, w.Close())
			script := fakehost.Transcript{Path: filepath.Join(t.TempDir(), "session.jsonl"), Header: "s"}
			start := func(entries []fakehost.Message) (contents []string) {
				h, err := fakehost.Start(live, fakehost.Defaults())
				must(t, err)
				script.Entries = entries
				must(t, script.Save())
				conv, _, err := h.CatchUp(key, script)
				must(t, err)
				must(t, h.Each("SELECT content FROM messages WHERE conversation_id = ? ORDER BY seq", []any{conv}, func(scan func(...any) error) error {
					contents = append(contents, "")
					return scan(&contents[len(contents)-1])
				}))
				must(t, h.Close())
				return contents
			}
			all := turns(0, 50, c.ids)
			start(all[:40])
			backup := filepath.Join(t.TempDir(), "backup.db")
			backUp(t, live, backup)
			if got := start(all); len(got) != 50 {
				t.Fatalf("%d messages", len(got))
			}
			r, err := restored(t, live, backup, func(r *restore.Request) { r.AtBackup = c.atBackup })
			if err != nil || len(r.Checkpoints) > 0 != c.atBackup {
				t.Fatalf("%+v, %v", r, err)
			}
			got := start(all)
			if slices.Sort(got); len(got) != c.want || len(slices.Compact(got)) != c.want {
				t.Errorf("%d messages: %v", len(got), got)
			}
			if got := start(append(all, turns(50, 2, c.ids)...)); len(got) != c.want+2 {
				t.Errorf("%d messages after the next turn", len(got))
			}
		})
	}
}

// TestConversationsWithoutATranscriptAreDetached: the host looks for it again.
func TestConversationsWithoutATranscriptAreDetached(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	r, err := restored(t, p.live, p.backup, func(r *restore.Request) { r.AtBackup = true })
	if err != nil || len(r.Checkpoints) == 0 {
		t.Fatalf("%+v, %v", r, err)
	}
	for _, c := range r.Checkpoints {
		if !c.Detached || c.Why == "" {
			t.Errorf("%+v", c)
		}
	}
	if n, err := testdb.Count(p.live, "SELECT count(*) FROM conversation_bootstrap_state b JOIN conversations USING (conversation_id) WHERE active = 1 AND session_file_path <> ''"); err != nil || n != 0 {
		t.Errorf("%d still have a path, %v", n, err)
	}
}

// TestWithoutRoomNothingStarts: the error says how much is needed where.
func TestWithoutRoomNothingStarts(t *testing.T) {
	t.Parallel()
	p := newPair(t)
	disk := testdb.Disk(t, 3<<20)
	bytes, err := os.ReadFile(p.live)
	must(t, err)
	live := filepath.Join(disk, "lcm.db")
	must(t, os.WriteFile(live, bytes, 0o600))
	free, _ := filesystem.FreeSpace(disk)
	must(t, os.WriteFile(filepath.Join(disk, "ballast"), make([]byte, free-300<<10), 0o600))
	if _, err := restored(t, live, p.backup, nil); !errors.Is(err, data.ErrFull) || !strings.Contains(err.Error(), "B of free disk are needed in "+disk+",") {
		t.Fatalf("%v", err)
	}
	checkWhole(t, live, p.dumpLive)
}
