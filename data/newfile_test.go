package data_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"lcm-tui/data"
	"lcm-tui/internal/hint"
	"lcm-tui/internal/testdb"
)

// filesBelow returns the files below a folder with their contents.
func filesBelow(t *testing.T, folder string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		name, _ := filepath.Rel(folder, path)
		out[filepath.ToSlash(name)] = string(b)
		return err
	})
	must(t, err)
	return out
}

// TestNewFilesAreWrittenAllOrNone: texts and copies; where one can't be written, those before
// it are removed again, and what was there stays.
func TestNewFilesAreWrittenAllOrNone(t *testing.T) {
	t.Parallel()
	from := t.TempDir()
	writeText(t, filepath.Join(from, "1", "file_a.txt"), "the original")
	writeText(t, filepath.Join(filepath.Dir(from), "secret.txt"), "of nobody's folder")
	for name, c := range map[string]struct {
		last  func(into string) data.NewFile
		there map[string]string // What stands in the target before, and stays.
		cause error
	}{
		"both are new": {last: func(into string) data.NewFile {
			return data.NewFile{ID: "file_a", From: filepath.Join(from, "1", "file_a.txt"), Folder: from, To: filepath.Join(into, "2", "file_a.txt"), Into: into}
		}},
		"the same stands there": {last: func(into string) data.NewFile {
			return data.NewFile{ID: "file_a", Body: "the original", To: filepath.Join(into, "2", "file_a.txt"), Into: into}
		}, there: map[string]string{"2/file_a.txt": "the original"}},
		"another stands there": {last: func(into string) data.NewFile {
			return data.NewFile{ID: "file_a", Body: "the original", To: filepath.Join(into, "2", "file_a.txt"), Into: into}
		}, there: map[string]string{"2/file_a.txt": "another"}, cause: data.ErrOccupied},
		"a longer one stands there": {last: func(into string) data.NewFile {
			return data.NewFile{ID: "file_a", Body: "the original", To: filepath.Join(into, "2", "file_a.txt"), Into: into}
		}, there: map[string]string{"2/file_a.txt": "the original and more"}, cause: data.ErrOccupied},
		"the original is gone": {last: func(into string) data.NewFile {
			return data.NewFile{ID: "file_b", From: filepath.Join(from, "1", "file_b.txt"), Folder: from, To: filepath.Join(into, "2", "file_b.txt"), Into: into}
		}, cause: fs.ErrNotExist},
		"the original lies elsewhere": {last: func(into string) data.NewFile {
			return data.NewFile{ID: "file_c", From: filepath.Join(filepath.Dir(from), "secret.txt"), Folder: from, To: filepath.Join(into, "2", "file_c.txt"), Into: into}
		}, cause: data.ErrOutsideFolder},
	} {
		into := t.TempDir()
		for path, text := range c.there {
			writeText(t, filepath.Join(into, path), text)
		}
		first := data.NewFile{ID: "file_0", Body: "a text", To: filepath.Join(into, "2", "file_0.txt"), Into: into}
		made, err := data.WriteFiles(t.Context(), []data.NewFile{first, c.last(into)})
		got := filesBelow(t, into)
		if c.cause != nil {
			if !errors.Is(err, c.cause) || hint.Of(err) == "" || len(made) > 0 {
				t.Errorf("%s: %v, want %v", name, err, c.cause)
			}
			same(t, name, got, c.there)
			continue
		}
		if err != nil || got["2/file_0.txt"] != "a text" || got["2/file_a.txt"] != "the original" || len(got) != 2 {
			t.Errorf("%s: %v, %v", name, got, err)
		}
		data.RemoveFiles(made)
		same(t, name+", removed", filesBelow(t, into), c.there)
	}
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for path, text := range want {
		if got[path] != text {
			t.Errorf("%s: %s is %.40q, was %q", what, path, got[path], text)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// TestNewFilesOfACancelledPlan: none is left.
func TestNewFilesOfACancelledPlan(t *testing.T) {
	t.Parallel()
	into := t.TempDir()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	made, err := data.WriteFiles(ctx, []data.NewFile{{ID: "file_0", Body: "a text", To: filepath.Join(into, "1", "file_0.txt"), Into: into}})
	if !errors.Is(err, context.Canceled) || len(made) > 0 || len(filesBelow(t, into)) > 0 {
		t.Errorf("%v, %v", made, err)
	}
}

// TestALinkInTheFilesFolderLeadsNowhere: a folder of the target that is a link to another
// place isn't written through.
func TestALinkInTheFilesFolderLeadsNowhere(t *testing.T) {
	t.Parallel()
	into, elsewhere := t.TempDir(), t.TempDir()
	if err := os.Symlink(elsewhere, filepath.Join(into, "2")); err != nil {
		t.Skip(err)
	}
	_, err := data.WriteFiles(t.Context(), []data.NewFile{{ID: "file_0", Body: "a text", To: filepath.Join(into, "2", "file_0.txt"), Into: into}})
	if err == nil || len(filesBelow(t, elsewhere)) > 0 {
		t.Errorf("written to %v, %v", filesBelow(t, elsewhere), err)
	}
}

// TestTheNextFileRemovesWhatAKilledProcessLeftOfOne: a part of a file has no row, and nobody would look for it.
func TestTheNextFileRemovesWhatAKilledProcessLeftOfOne(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("no locks tell there whether a process is gone")
	}
	into := t.TempDir()
	writeText(t, filepath.Join(into, "file_0.txt.lcm-tui-1.part"), "a te")
	file := data.NewFile{ID: "file_0", Body: "a text", To: filepath.Join(into, "2", "file_0.txt"), Into: into}
	_, err := data.WriteFiles(t.Context(), []data.NewFile{file})
	must(t, err)
	same(t, "after the next file", filesBelow(t, into), map[string]string{"2/file_0.txt": "a text"})
}

// TestAFileThatIsNotWholeStandsInNoFolderOfAConversation: what is written goes elsewhere until it is whole.
func TestAFileThatIsNotWholeStandsInNoFolderOfAConversation(t *testing.T) {
	t.Parallel()
	disk := testdb.Disk(t, 1<<20)
	into := filepath.Join(disk, "lcm-files")
	file := data.NewFile{ID: "file_0", Body: strings.Repeat("a text ", 1<<18), To: filepath.Join(into, "2", "file_0.txt"), Into: into}
	if made, err := data.WriteFiles(t.Context(), []data.NewFile{file}); err == nil || len(made) > 0 || !strings.Contains(err.Error(), file.To) || strings.Contains(err.Error(), ".part") {
		t.Errorf("on a full disk: %v", err)
	}
	same(t, "on a full disk", filesBelow(t, into), nil)
}

// TestTheErrorOfATextNamesTheWholePathOnce: and no call of the system.
func TestTheErrorOfATextNamesTheWholePathOnce(t *testing.T) {
	t.Parallel()
	into := t.TempDir()
	writeText(t, filepath.Join(into, "2"), "no folder")
	file := data.NewFile{ID: "file_0", Body: "a text", To: filepath.Join(into, "2", "file_0.txt"), Into: into}
	_, err := data.WriteFiles(t.Context(), []data.NewFile{file})
	if err == nil || strings.Count(err.Error(), "2") != strings.Count(file.To, "2") || strings.Contains(err.Error(), "mkdir") {
		t.Errorf("%v", err)
	}
}
