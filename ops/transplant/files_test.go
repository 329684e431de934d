package transplant_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/testdb"
	"lcm-tui/ops"
	"lcm-tui/ops/transplant"
)

// withLargeFile returns a source, 2, whose leaf names a large file in its folder, and a
// target, 1.
func withLargeFile(t *testing.T) (path, id, stored string) {
	t.Helper()
	path = otherConversation(t, fakehost.Head)
	folder := filepath.Join(filepath.Dir(path), "lcm-files")
	host(t, path, func(h *fakehost.Writer) error {
		conv, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:source", Active: true})
		if err != nil {
			return err
		}
		f := fakehost.LargeFile{Conversation: conv, Folder: folder, Name: "log.txt", MIME: "text/plain", Exploration: "A log."}
		if id, err = h.File(f, []byte("line\n")); err != nil {
			return err
		}
		stored = filepath.Join(folder, "2", id+".txt")
		message, err := h.Message(conv, fakehost.Message{Role: "user", Content: f.Reference(id, 5), LargeContent: id})
		if err != nil {
			return err
		}
		_, err = h.Leaf(conv, []int64{message}, "The user sent a log, "+id+", in which there is one line.")
		return err
	})
	return path, id, stored
}

// copies returns the files of the target in its folder.
func copies(t *testing.T, path string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(filepath.Dir(path), "lcm-files", "1", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestFilesAreCopied: the target gets a row and a file of its own, of which the
// copied texts name; undo leaves the file, and the next transplant uses it.
func TestFilesAreCopied(t *testing.T) {
	t.Parallel()
	path, old, _ := withLargeFile(t)
	db := open(t, path)
	was := dump(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if len(copies(t, path)) > 0 {
		t.Fatal("a plan copied")
	}
	id := apply(t, db, p)
	found := copies(t, path)
	if len(found) != 1 {
		t.Fatalf("copies: %v", found)
	}
	b, err := os.ReadFile(found[0])
	info, serr := os.Stat(found[0])
	if err := errors.Join(err, serr); err != nil || string(b) != "line\n" || info.Mode().Perm() != 0o600 {
		t.Errorf("%q, %v, %v", b, info.Mode(), err)
	}
	files, err := lcm.LargeFiles(t.Context(), db, 1)
	if err != nil || len(files) != 1 || files[0].URI != found[0] || files[0].ID == old || files[0].Exploration != "A log." {
		t.Errorf("the rows are %+v, %v", files, err)
	}
	for query, want := range map[string]int{
		"SELECT count(*) FROM summaries WHERE conversation_id = 1 AND instr(content, ?) AND instr(file_ids, ?)":                                                    1,
		"SELECT count(*) FROM messages WHERE conversation_id = 1 AND instr(content, ?) AND large_content = ?":                                                      1,
		"SELECT count(*) FROM message_parts WHERE instr(text_content, ?) AND session_id IN (SELECT session_id FROM conversations WHERE conversation_id = 1) AND ?": 0,
	} {
		n, err := testdb.Count(path, query, files[0].ID, files[0].ID)
		if want == 0 {
			n, err = testdb.Count(path, "SELECT count(*) - 1 FROM message_parts WHERE instr(text_content, ?)", files[0].ID)
		}
		if err != nil || n != want {
			t.Errorf("%s: %d, wanted %d, %v", query, n, want, err)
		}
	}
	message, err := testdb.Count(path, "SELECT message_id FROM messages WHERE conversation_id = 1 AND large_content IS NOT NULL")
	if err != nil {
		t.Fatal(err)
	}
	m, err := lcm.ReadMessage(t.Context(), db, int64(message))
	if n, cerr := testdb.Count(path, "SELECT count(*) FROM messages WHERE message_id = ? AND identity_hash = ?", m.ID, fakehost.IdentityHash(m.Role, m.Content)); err != nil || cerr != nil || n != 1 {
		t.Errorf("the hash isn't that of the copied text: %v, %v", err, cerr)
	}
	if err := ops.Undo(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	if dump(t, path) != was {
		t.Error("undo leaves other rows")
	}
	apply(t, db, plan(t, db, &transplant.Op{Source: 2, Target: 1}))
	if again := copies(t, path); len(again) != 1 || again[0] != found[0] {
		t.Errorf("copies: %v", again)
	}
}

// TestFilesKeepTheirIDsInAnotherDatabase: where they are free.
func TestFilesKeepTheirIDsInAnotherDatabase(t *testing.T) {
	t.Parallel()
	from, id, _ := withLargeFile(t)
	to := otherConversation(t, fakehost.Head)
	db := open(t, to)
	op := &transplant.Op{Source: 2, Target: 1, From: from}
	roundTrip(t, to, db, op)
	apply(t, db, plan(t, db, op))
	files, err := lcm.LargeFiles(t.Context(), db, 1)
	if err != nil || len(files) != 1 || files[0].ID != id {
		t.Errorf("the rows are %+v, %v", files, err)
	}
	if _, err := os.Stat(files[0].URI); err != nil || filepath.Dir(filepath.Dir(filepath.Dir(files[0].URI))) != filepath.Dir(to) {
		t.Errorf("the copy is at %s, %v", files[0].URI, err)
	}
}

// TestFilesAreNeverOverwritten: and where one can't be copied, nothing is written.
func TestFilesAreNeverOverwritten(t *testing.T) {
	t.Parallel()
	path, _, _ := withLargeFile(t)
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	to := p.Files[0].To
	if err := errors.Join(os.MkdirAll(filepath.Dir(to), 0o700), os.WriteFile(to, []byte("mine"), 0o600)); err != nil {
		t.Fatal(err)
	}
	was := dump(t, path)
	if _, err := ops.Apply(t.Context(), db, p); !errors.Is(err, data.ErrOccupied) || !hasHint(err) {
		t.Errorf("got %v", err)
	}
	if b, err := os.ReadFile(to); err != nil || string(b) != "mine" {
		t.Errorf("it reads %q, %v", b, err)
	}
	if dump(t, path) != was || len(copies(t, path)) != 1 {
		t.Error("something was done")
	}
}

// TestCopiesOfAStalePlanAreRemoved: nothing is half done.
func TestCopiesOfAStalePlanAreRemoved(t *testing.T) {
	t.Parallel()
	path, _, _ := withLargeFile(t)
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	host(t, path, func(h *fakehost.Writer) error {
		return h.Exec("DELETE FROM context_items WHERE conversation_id = 1 AND ordinal = 0")
	})
	var stale *data.StaleError
	if _, err := ops.Apply(t.Context(), db, p); !errors.As(err, &stale) {
		t.Errorf("got %v", err)
	}
	if left := copies(t, path); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// TestFilesOutsideAreRefused: a link could lead to any file of the user's.
func TestFilesOutsideAreRefused(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(secret, []byte("secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, lead := range map[string]func(stored string) error{
		"a link": func(stored string) error { return errors.Join(os.Remove(stored), os.Symlink(secret, stored)) },
		"a linked folder": func(stored string) error {
			return errors.Join(os.RemoveAll(filepath.Dir(stored)), os.Symlink(filepath.Dir(secret), filepath.Dir(stored)),
				os.WriteFile(filepath.Join(filepath.Dir(secret), filepath.Base(stored)), []byte("secret"), 0o600))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path, _, stored := withLargeFile(t)
			if err := lead(stored); err != nil {
				t.Fatal(err)
			}
			refused(t, open(t, path), &transplant.Op{Source: 2, Target: 1}, "leads out of the files folder")
		})
	}
}

// TestFilesElsewhereAreNotCopied: a row could name any file of the user's.
func TestFilesElsewhereAreNotCopied(t *testing.T) {
	t.Parallel()
	path, id, stored := withLargeFile(t)
	secret := filepath.Join(t.TempDir(), "secret.txt")
	host(t, path, func(h *fakehost.Writer) error {
		return errors.Join(os.WriteFile(secret, []byte("secret"), 0o600), os.Remove(stored), h.Exec("UPDATE large_files SET storage_uri = ?", secret))
	})
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if !strings.Contains(strings.Join(p.Warnings, "\n"), "not in the source's files folder,") || len(p.Files) > 0 {
		t.Errorf("the warnings are %q, the files %+v", p.Warnings, p.Files)
	}
	apply(t, db, p)
	if files, err := lcm.LargeFiles(t.Context(), db, 1); err != nil || len(files) != 1 || files[0].ID == id || files[0].URI != secret {
		t.Errorf("the rows are %+v, %v", files, err)
	}
}

// TestALinkMadeAfterThePlanIsRefused: the check and the copy happen at different times.
func TestALinkMadeAfterThePlanIsRefused(t *testing.T) {
	t.Parallel()
	path, _, stored := withLargeFile(t)
	secret := filepath.Join(t.TempDir(), "secret.txt")
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if err := errors.Join(os.WriteFile(secret, []byte("secret"), 0o600), os.Remove(stored), os.Symlink(secret, stored)); err != nil {
		t.Fatal(err)
	}
	was := dump(t, path)
	if _, err := ops.Apply(t.Context(), db, p); !errors.Is(err, data.ErrOutsideFolder) {
		t.Errorf("got %v", err)
	}
	if dump(t, path) != was || len(copies(t, path)) > 0 {
		t.Error("something was done")
	}
}

// TestMissingFiles: their rows are copied.
func TestMissingFiles(t *testing.T) {
	t.Parallel()
	path, id, stored := withLargeFile(t)
	if err := os.Remove(stored); err != nil {
		t.Fatal(err)
	}
	db := open(t, path)
	p := plan(t, db, &transplant.Op{Source: 2, Target: 1})
	if !strings.Contains(strings.Join(p.Warnings, "\n"), "not on the disk any more, so only their rows are copied: "+id) {
		t.Errorf("the warnings are %q", p.Warnings)
	}
	apply(t, db, p)
	if files, err := lcm.LargeFiles(t.Context(), db, 1); err != nil || len(files) != 1 || files[0].Exploration != "A log." {
		t.Errorf("the rows are %+v, %v", files, err)
	}
	if _, err := os.Stat(stored); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is back: %v", err)
	}
}

// TestMovedDatabase: the stored paths lead nowhere, the files are
// beside it.
func TestMovedDatabase(t *testing.T) {
	t.Parallel()
	path, id, _ := withLargeFile(t)
	host(t, path, func(h *fakehost.Writer) error {
		return h.Exec("UPDATE large_files SET storage_uri = '/srv/elsewhere/lcm-files/2/' || file_id || '.txt' WHERE file_id = ?", id)
	})
	p := plan(t, open(t, path), &transplant.Op{Source: 2, Target: 1})
	if len(p.Files) != 1 || p.Files[0].Bytes != 5 {
		t.Errorf("the files to copy are %+v", p.Files)
	}
}
