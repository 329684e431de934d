package proof

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
	"lcm-tui/engine/pieces"
	"lcm-tui/internal/regularfile"
)

// Beside says which files beside the database may have its texts.
type Beside struct {
	FilesFolder string   // Of large files; empty is none.
	Caches      []string // Folders of answers of models.
	Searched    []string // Files with the words that the user searched.
}

// besideFile is a file that is looked through.
type besideFile struct {
	path string
	kind Kind
}

// list returns the files: copies, trash and plans beside the database, large files, session files that
// conversations follow, answers of models, and searched words.
func (b Beside) list(ctx context.Context, db *data.DB) (out []besideFile, err error) {
	known := map[string]bool{}
	add := func(kind Kind, paths ...string) {
		for _, p := range paths {
			info, err := os.Lstat(p)
			if err == nil && info.Mode().IsRegular() && !known[p] {
				known[p] = true
				out = append(out, besideFile{p, kind})
			}
		}
	}
	below := func(kind Kind, folder string) {
		if folder == "" {
			return
		}
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error { // What can't be listed isn't there.
			if err == nil && e.Type().IsRegular() {
				add(kind, path)
			}
			return nil
		})
	}
	below(TrashPlace, data.TrashFolder(db.Path()))
	below(LargeFile, b.FilesFolder)
	followed, err := lcm.Bootstraps(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, f := range followed {
		add(SessionPlace, f.Path)
	}
	for _, folder := range b.Caches {
		below(CachePlace, folder)
	}
	add(SearchPlace, b.Searched...)
	entries, _ := os.ReadDir(filepath.Dir(db.Path()))
	for _, e := range entries {
		if own, kind := besideKind(filepath.Base(db.Path()), e.Name()); !own {
			add(kind, filepath.Join(filepath.Dir(db.Path()), e.Name()))
		}
	}
	slices.SortStableFunc(out, func(a, b besideFile) int { return strings.Compare(a.path, b.path) })
	return out, nil
}

// besideKind says what a file in the folder of a database is by its name; own is one of SQLite's, or of another
// database.
func besideKind(database, name string) (own bool, kind Kind) {
	rest, beside := strings.CutPrefix(name, database)
	switch {
	case !beside || rest == "" || rest == "-wal" || rest == "-shm" || rest == "-journal" || rest[0] != '.' && rest[0] != '-' && rest[0] != '~':
		return true, ""
	case strings.Contains(rest, ".bak"):
		return false, BackupPlace
	}
	return false, FilePlace
}

// lookAtFiles looks through the files beside the database.
func (l *Look) lookAtFiles(ctx context.Context, db *data.DB, c *Check, report data.Report) error {
	files, err := l.Beside.list(ctx, db)
	if err != nil {
		return err
	}
	for i, f := range files {
		report(i, len(files), "looking for the texts in files beside the database")
		if ctx.Err() != nil {
			return ctx.Err()
		}
		found, bytes, err := look(ctx, f.path, l.Pieces)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		looked := File{Path: f.path, Bytes: bytes}
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			looked.Problem = err.Error()
			c.Unchecked = append(c.Unchecked, fmt.Sprintf("%s, which can't be read", f.path))
		}
		c.Files = append(c.Files, looked)
		words := f.kind == SearchPlace && l.Query != nil && hasLine(f.path, l.Query.Text)
		if found > 0 || words {
			p := l.places.find(Place{Kind: f.kind, Where: f.path})
			p.Pieces, p.Words = found, words
		}
	}
	return nil
}

// hasLine reports whether a small file has a line with a text.
func hasLine(path, text string) bool {
	f, err := regularfile.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	all, err := io.ReadAll(io.LimitReader(f, 16<<20))
	return err == nil && text != "" && strings.Contains(string(all), text)
}

// look returns how many pieces a file has.
func look(ctx context.Context, path string, set *pieces.Set) (found int, bytes int64, err error) {
	f, err := regularfile.Open(path)
	if err != nil {
		return 0, 0, err
	}
	defer f.Close()
	has := map[int]bool{}
	buffer, kept := make([]byte, 1<<20), 0
	for {
		if err := ctx.Err(); err != nil {
			return 0, bytes, err
		}
		n, err := f.Read(buffer[kept:])
		bytes += int64(n)
		set.Find(buffer[:kept+n], func(i int) { has[i] = true })
		if errors.Is(err, io.EOF) {
			return len(has), bytes, nil
		}
		if err != nil {
			return len(has), bytes, err
		}
		kept = copy(buffer, buffer[max(0, kept+n-pieces.Size+1):kept+n]) // A piece may stand on both sides.
	}
}
