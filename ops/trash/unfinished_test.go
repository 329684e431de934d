package trash_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/change"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/internal/testlength"
	"lcm-tui/ops/trash"
)

// TestTheNextPruneRemovesWhatAKilledOneLeft: an unfinished file of the trash doesn't stay for ever; one that may still be
// written stays.
func TestTheNextPruneRemovesWhatAKilledOneLeft(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	if err := trash.CheckFolder(db); err != nil {
		t.Fatal(err)
	}
	old := filepath.Join(data.TrashFolder(db.Path()), "20260101T000000Z-text.db.1.part")
	young := filepath.Join(data.TrashFolder(db.Path()), "20260103T000000Z-text.db.2.part")
	for path, age := range map[string]time.Duration{old: 48 * time.Hour, young: time.Hour} {
		at := db.Now().Add(-age)
		if err := errors.Join(os.WriteFile(path, []byte("unfinished"), 0o600), os.Chtimes(path, at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := trash.Create(t.Context(), db, trash.Contents{Verb: "conversations", Conversations: []int64{2}}, func(int, int, string) {}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(old); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("what was left two days ago is there: %v", err)
	}
	if _, err := os.Stat(young); err != nil {
		t.Errorf("what may still be written is gone: %v", err)
	}
}

// TestTheNextPruneRemovesTheFileOfOneThatRemovedNothing: a prune that was killed before its first write leaves a file in the
// trash. It stays while another prune may be at work, where a record has it, and where the database lacks something of it.
func TestTheNextPruneRemovesTheFileOfOneThatRemovedNothing(t *testing.T) {
	t.Parallel()
	testlength.Long(t)
	for name, c := range map[string]struct {
		contents trash.Contents
		since    string // What another program did since.
		busy     bool
		recorded bool
		stays    bool
	}{
		"conversations that are there":          {contents: trash.Contents{Verb: "conversations", Conversations: []int64{1}}},
		"texts that are there":                  {contents: trash.Contents{Verb: "text", Messages: []int64{1, 2}}},
		"another prune may be at work":          {contents: trash.Contents{Verb: "text", Messages: []int64{1}}, busy: true, stays: true},
		"a record has it":                       {contents: trash.Contents{Verb: "text", Messages: []int64{1}}, recorded: true, stays: true},
		"a message isn't there":                 {contents: trash.Contents{Verb: "conversations", Conversations: []int64{1}}, since: "DELETE FROM messages WHERE message_id = 1", stays: true},
		"a summary isn't there":                 {contents: trash.Contents{Verb: "conversations", Conversations: []int64{1}}, since: "DELETE FROM summaries WHERE conversation_id = 1", stays: true},
		"a text has changed":                    {contents: trash.Contents{Verb: "text", Messages: []int64{1}}, since: "UPDATE messages SET content = 'another' WHERE message_id = 1", stays: true},
		"the message of a text isn't there now": {contents: trash.Contents{Verb: "text", Messages: []int64{1}}, since: "DELETE FROM messages WHERE message_id = 1", stays: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
			nothing := func(_ change.Receipt, text json.RawMessage) (change.Outcome, error) {
				return change.WriteSet(t.Context(), db, change.SetWrite{Op: "prune", Title: "a prune", Detail: text, Write: func(context.Context, *change.Turn) (bool, error) { return true, nil }})
			}
			var left change.Receipt
			if c.recorded {
				_, err := trash.Keep(t.Context(), db, c.contents, map[string]any{}, quiet, func(r change.Receipt, text json.RawMessage) (change.Outcome, error) {
					left = r
					return nothing(r, text)
				})
				testdb.Must(t, err)
			} else {
				left = create(t, db, c.contents)
			}
			if c.busy {
				testdb.Must(t, os.WriteFile(filepath.Join(data.TrashFolder(db.Path()), "prune.1.part"), nil, 0o600))
			}
			if c.since != "" {
				h, err := fakehost.Open(db.Path())
				testdb.Must(t, err)
				testdb.Must(t, errors.Join(h.Exec("PRAGMA foreign_keys = OFF"), h.Exec(c.since), h.Close()))
			}
			_, err := trash.Keep(t.Context(), db, trash.Contents{Verb: "payloads", Messages: []int64{3}}, map[string]any{}, quiet, nothing)
			testdb.Must(t, err)
			if _, err := os.Stat(left.Path); (err == nil) != c.stays {
				t.Errorf("the file of the prune before: %v", err)
			}
			files, err := trash.List(t.Context(), db)
			if err != nil || len(files) == 0 || files[len(files)-1].Record == 0 {
				t.Errorf("the trash has %v, %v", files, err)
			}
			if found, _ := filepath.Glob(filepath.Join(data.TrashFolder(db.Path()), "*.part")); (len(found) > 0) != c.busy {
				t.Errorf("left: %q", found)
			}
		})
	}
}

// TestAPruneThatFailsBeforeItsFirstWriteLeavesNothingInTheTrash: its error is that of the write.
func TestAPruneThatFailsBeforeItsFirstWriteLeavesNothingInTheTrash(t *testing.T) {
	t.Parallel()
	db, failure := testdb.Open(t, testdb.Sample(t, fakehost.Head)), errors.New("no lock")
	_, err := trash.Keep(t.Context(), db, trash.Contents{Verb: "text", Messages: []int64{1}}, map[string]any{}, quiet, func(change.Receipt, json.RawMessage) (change.Outcome, error) {
		return change.Outcome{}, failure
	})
	if left, _ := os.ReadDir(data.TrashFolder(db.Path())); !errors.Is(err, failure) || len(left) > 0 {
		t.Errorf("%v, and in the trash %v", err, left)
	}
}

// TestWhatAKilledEmptyingLeftIsDeletedByTheNextRun: the file has left the trash, so that no undo takes it for whole while its large
// files are gone.
func TestWhatAKilledEmptyingLeftIsDeletedByTheNextRun(t *testing.T) {
	t.Parallel()
	for name, next := range map[string]func(*data.DB) error{
		"emptying": func(db *data.DB) error { return trash.Empty(t.Context(), db, nil) },
		"a prune": func(db *data.DB) error {
			_, err := trash.Keep(t.Context(), db, trash.Contents{Verb: "text", Messages: []int64{1}}, map[string]any{}, quiet, func(change.Receipt, json.RawMessage) (change.Outcome, error) {
				return change.Outcome{}, nil
			})
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
			left := create(t, db, trash.Contents{Verb: "conversations", Conversations: []int64{1}})
			folder := trash.File{Path: left.Path}.FilesFolder()
			testdb.Must(t, errors.Join(os.MkdirAll(filepath.Join(folder, "1"), 0o700), os.WriteFile(filepath.Join(folder, "1", "file_a.txt"), nil, 0o600), os.Rename(left.Path, left.Path+".emptied.part")))
			if f, err := trash.Find(t.Context(), db, filepath.Base(left.Path)); err != nil || !f.HalfDeleted || f.FilesFolder() != folder {
				t.Errorf("the trash has %v, %v", f, err)
			} else if _, err := (trash.Restore{File: f}).Preview(t.Context(), db); err == nil {
				t.Error("it can be restored")
			}
			testdb.Must(t, next(db))
			for _, path := range []string{folder, left.Path + ".emptied.part"} {
				if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("%s: %v", path, err)
				}
			}
		})
	}
}

// TestTheSameCommandFinishesAKilledEmptying: the file keeps its number until nothing is left of it, so that no other one is deleted
// in its place; and it is as old as it has to be.
func TestTheSameCommandFinishesAKilledEmptying(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	left, stays := create(t, db, trash.Contents{Verb: "conversations", Conversations: []int64{1}}), create(t, db, trash.Contents{Verb: "text", Messages: []int64{1}})
	testdb.Must(t, os.Rename(left.Path, left.Path+".emptied.part"))
	first, err := trash.Find(t.Context(), db, "1")
	if err != nil || first.Name != filepath.Base(left.Path) {
		t.Fatalf("the first is %v, %v", first, err)
	}
	old, err := trash.Expired(t.Context(), db, db.Now().Add(-time.Hour))
	if err != nil || len(old) != 1 || old[0].Name != first.Name {
		t.Errorf("old are %v, %v", old, err)
	}
	testdb.Must(t, trash.Empty(t.Context(), db, []trash.File{first}))
	if files, err := trash.List(t.Context(), db); err != nil || len(files) != 1 || files[0].Path != stays.Path {
		t.Errorf("the trash has %v, %v", files, err)
	}
}

// TestAnEmptyingThatFailsSaysHowFarItCame: a file that stays keeps its large files.
func TestAnEmptyingThatFailsSaysHowFarItCame(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	stays, gone := create(t, db, trash.Contents{Verb: "conversations", Conversations: []int64{1}}), create(t, db, trash.Contents{Verb: "text", Messages: []int64{1}})
	folder := trash.File{Path: stays.Path}.FilesFolder()
	testdb.Must(t, errors.Join(os.MkdirAll(filepath.Join(folder, "1"), 0o700), os.MkdirAll(stays.Path+".emptied.part", 0o700)))
	err := trash.Empty(t.Context(), db, []trash.File{{Path: stays.Path}, {Path: gone.Path}})
	if err == nil || !strings.HasSuffix(err.Error(), "; 1 of 2 files of the trash are deleted for good") {
		t.Errorf("it says: %v", err)
	}
	for path, there := range map[string]bool{stays.Path: true, filepath.Join(folder, "1"): true, gone.Path: false} {
		if _, err := os.Lstat(path); (err == nil) != there {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestEmptyingDeletesAFileWithItsLargeFiles: and nothing else; what can't be deleted is said.
func TestEmptyingDeletesAFileWithItsLargeFiles(t *testing.T) {
	t.Parallel()
	db := testdb.Open(t, testdb.Sample(t, fakehost.Head))
	gone, stays := create(t, db, trash.Contents{Verb: "conversations", Conversations: []int64{1}}), create(t, db, trash.Contents{Verb: "text", Messages: []int64{1}})
	testdb.Must(t, errors.Join(os.Mkdir(trash.File{Path: gone.Path}.FilesFolder(), 0o700), os.Mkdir(trash.File{Path: stays.Path}.FilesFolder(), 0o700)))
	testdb.Must(t, trash.Empty(t.Context(), db, []trash.File{{Path: gone.Path}}))
	entries, err := os.ReadDir(filepath.Dir(gone.Path))
	if err != nil || len(entries) != 2 || entries[0].Name() != filepath.Base(stays.Path) {
		t.Errorf("the trash has %v, %v", entries, err)
	}
	if err := trash.Empty(t.Context(), db, []trash.File{{Path: gone.Path}}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that isn't there: %v", err)
	}
}
