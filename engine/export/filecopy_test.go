package export_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/export"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/testdb"
)

// writeFiles makes a conversation with a large file of each id, whose content is its id.
func writeFiles(t *testing.T, ids ...string) (db *data.DB, conv lcm.Conversation, folder string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "lcm.db")
	folder = filepath.Join(filepath.Dir(path), "lcm-files")
	h, err := fakehost.Create(path, fakehost.V0_15)
	if err != nil {
		t.Fatal(err)
	}
	id, err := h.Conversation(fakehost.Conversation{SessionKey: "agent:main:main", Active: true})
	if err == nil {
		_, err = h.Message(id, fakehost.Message{Role: "user", Content: "The logs are in the files."})
	}
	var rename strings.Builder
	for i, name := range ids {
		stored := fmt.Sprintf("file_%016d", i)
		_, e := h.File(fakehost.LargeFile{ID: stored, Conversation: id, Folder: folder, Name: "log.txt"}, []byte(name))
		err = errors.Join(err, e)
		fmt.Fprintf(&rename, "UPDATE large_files SET file_id = '%s' WHERE file_id = '%s';", name, stored)
	}
	if err = errors.Join(err, h.Close(), faults.Alter(path, rename.String())); err != nil {
		t.Fatal(err)
	}
	db = testdb.Open(t, path)
	if conv, err = lcm.ReadConversation(t.Context(), db, id); err != nil {
		t.Fatal(err)
	}
	return db, conv, folder
}

// TestCopiedFilesHaveDifferentNames: files whose ids differ only in characters that a file system
// doesn't take, or in upper and lower case, or behind what is a long beginning, are all copied.
func TestCopiedFilesHaveDifferentNames(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 200)
	ids := []string{"a/b", "a?b", "a-b", "A-B", ".a-b", "файл", "文件", "../a-b", long + "1", long + "2", "file_0123456789abcdef"}
	slices.Sort(ids)
	db, conv, folder := writeFiles(t, ids...)
	to := filepath.Join(t.TempDir(), "out.md")
	r, _, err := export.ToFile(t.Context(), db, []lcm.Conversation{conv}, export.Target{Path: to},
		export.Options{Format: export.Markdown, Files: export.FilesCopy, FilesFolder: folder}, noReport)
	if err != nil || r.Files != int64(len(ids)) {
		t.Fatalf("%d files were copied, want %d: %v", r.Files, len(ids), err)
	}
	names, err := os.ReadDir(to + ".files")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	folded := map[string]bool{}
	for _, n := range names {
		b, err := os.ReadFile(filepath.Join(to+".files", n.Name()))
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, string(b))
		folded[strings.ToLower(n.Name())] = true
	}
	if slices.Sort(got); !slices.Equal(got, ids) || len(folded) != len(ids) {
		t.Errorf("the copies are %q, the files %q", got, ids)
	}
}

// TestCopiedFilesFollowNoLink: where a copied file would replace a link, the file that it leads to stays
// as it is, also when what is there may be replaced; so does a folder that a link leads to.
func TestCopiedFilesFollowNoLink(t *testing.T) {
	t.Parallel()
	const id = "file_0123456789abcdef"
	for name, link := range map[string]func(elsewhere, files string) error{
		"a link to a file": func(elsewhere, files string) error {
			return errors.Join(os.Mkdir(files, 0o700), os.Symlink(filepath.Join(elsewhere, id+".txt"), filepath.Join(files, id+".txt")))
		},
		"a link to a folder": os.Symlink,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db, conv, folder := writeFiles(t, id)
			to, elsewhere := filepath.Join(t.TempDir(), "out.md"), t.TempDir()
			other := filepath.Join(elsewhere, id+".txt")
			if err := os.WriteFile(other, []byte("of another"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := link(elsewhere, to+".files"); err != nil {
				t.Skip(err)
			}
			_, _, err := export.ToFile(t.Context(), db, []lcm.Conversation{conv}, export.Target{Path: to, Force: true},
				export.Options{Format: export.Markdown, Files: export.FilesCopy, FilesFolder: folder}, noReport)
			if err == nil {
				t.Error("the export says nothing of the link")
			}
			if b, err := os.ReadFile(other); err != nil || string(b) != "of another" {
				t.Errorf("the file that the link leads to is now %q (%v)", b, err)
			}
		})
	}
}
