package retrieve_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/retrieve"
)

// manyFiles returns a database with files of two conversations, most of them of the same second, whose
// ids stand in no order. ids are the files' as they were inserted, by conversation; 0 has all.
func manyFiles(t *testing.T, seed uint64, files int, content string) (db *data.DB, folder string, ids map[int64][]string) {
	t.Helper()
	random := rand.New(rand.NewPCG(seed, 1))
	folder = filepath.Join(t.TempDir(), "lcm-files")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	script := "DELETE FROM large_files; UPDATE messages SET large_content = NULL;"
	ids = map[int64][]string{}
	for range files {
		id, conv := fmt.Sprintf("file_%016x", random.Uint64()), int64(1+random.IntN(2))
		path := filepath.Join(folder, id+".txt")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		script += fmt.Sprintf("INSERT INTO large_files (file_id, conversation_id, mime_type, storage_uri, created_at) VALUES ('%s', %d, 'text/plain', '%s', '2026-03-02 09:00:00');", id, conv, path)
		ids[conv], ids[0] = append(ids[conv], id), append(ids[0], id)
	}
	return alteredSample(t, script), folder, ids
}

// TestFilesOfOneSecond: a search in all conversations finds them as they were inserted, one in a
// single conversation from the newest; a limit cuts the others off.
func TestFilesOfOneSecond(t *testing.T) {
	t.Parallel()
	for seed := range uint64(4) {
		db, folder, ids := manyFiles(t, seed, 12, "needle\n")
		for conv, want := range ids {
			scope := retrieve.AllConversations()
			if conv != 0 {
				scope = retrieve.Conversations(conv)
				slices.Reverse(want)
			}
			for limit := 1; limit <= len(want); limit++ {
				for _, mode := range []retrieve.GrepMode{retrieve.Regex, retrieve.FullText} {
					r := retrieve.GrepRequest{Pattern: "needle", Mode: mode, In: retrieve.InFiles, Folder: folder, Limit: int64(limit), MaxTime: time.Hour}
					found, err := r.Run(t.Context(), db, scope)
					if err != nil {
						t.Fatal(err)
					}
					var got []string
					for _, f := range found.Files {
						got = append(got, f.ID)
					}
					if !slices.Equal(got, want[:limit]) {
						t.Errorf("seed %d, conversation %d, limit %d, %s: %q, want %q", seed, conv, limit, mode, got, want[:limit])
					}
				}
			}
		}
	}
}

// TestMatchedTextStandsAsItIs: between the backquotes is what was found, with its white space and
// line ends and at its whole length; only the snippet is one line.
func TestMatchedTextStandsAsItIs(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 300)
	for pattern, match := range map[string]string{
		`\n`: "\n", `\s+b`: " \n\t b", `[ ]`: " ", `\r?\n\s`: "\n\t", `x+`: long, "`": "`",
	} {
		t.Run(fmt.Sprintf("%q", pattern), func(t *testing.T) {
			t.Parallel()
			db, folder, _ := manyFiles(t, 1, 1, "a \n\t b`"+long)
			found, err := retrieve.GrepRequest{Pattern: pattern, In: retrieve.InFiles, Folder: folder, MaxTime: time.Hour}.Run(t.Context(), db, retrieve.AllConversations())
			if err != nil {
				t.Fatal(err)
			}
			if text := found.Text(); len(found.Files) == 0 || !strings.Contains(text, ": `"+match+"` ") {
				t.Errorf("%q isn't in %q", match, text)
			}
		})
	}
}

// TestFilesThatAreElsewhere: where files can't be read, such as those that a replica or home has from other machines, the answer doesn't
// look as if nothing stood in them.
func TestFilesThatAreElsewhere(t *testing.T) {
	t.Parallel()
	db, _, _ := manyFiles(t, 1, 2, "needle")
	for name, folder := range map[string]string{"another folder": t.TempDir(), "no folder": ""} {
		found, err := retrieve.GrepRequest{Pattern: "needle", In: retrieve.InFiles, Folder: folder}.Run(t.Context(), db, retrieve.AllConversations())
		if err != nil || found.Total != 0 || !strings.Contains(found.Text(), "**Note:** 2 files can't be read on this machine") {
			t.Errorf("%s: %v: %s", name, err, found.Text())
		}
	}
}
