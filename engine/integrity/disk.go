package integrity

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
)

// stored looks at the conversation's large files where they lie.
func (t *talk) stored(ctx context.Context) error {
	files, err := t.db.LargeFiles(ctx, t.row.ID)
	if err != nil {
		return err
	}
	here := slices.ContainsFunc(files, func(f data.LargeFile) bool {
		_, err := data.PathInside(t.FilesDir, f.URI)
		return t.FilesDir != "" && err == nil
	})
	for _, f := range files {
		if t.FilesDir != "" {
			t.lying(f, here)
		}
		if t.unmentioned[f.ID] {
			t.add(FileUnreferenced, row("large_files", f.ID), "no message, part or summary of the conversation names it")
		}
	}
	if len(t.elsewhere) > 0 {
		t.add(FileWrong, row("large_files", t.elsewhere[0]), count(len(t.elsewhere), "file", "files")+": the folder that the rows name isn't on this machine, so nothing is known", t.elsewhere...).mild()
	}
	return nil
}

// lying: a file at its place. Where the whole folder that a row speaks of isn't on
// this machine, and no file of the conversation is here, the database came from
// elsewhere, and nothing is known.
func (t *talk) lying(f data.LargeFile, here bool) {
	where := row("large_files", f.ID)
	path := strings.TrimPrefix(f.URI, "file://")
	name, err := data.PathInside(t.FilesDir, path)
	usual := t.usual(f, path)
	switch {
	case err == nil:
		t.sizedAs(f, filepath.Join(t.FilesDir, name), where)
	case usual && !t.sameFolder(path) && t.moved(f):
		f := t.add(FileWrong, where, "the row says "+clipped(path)+", and the file lies in "+clipped(t.FilesDir))
		if !here && !isFolder(root(path)) {
			f.mild() // The database was carried here, with its folder.
		}
	case !here && beyondKnowledge(path, usual):
		t.elsewhere = append(t.elsewhere, f.ID)
	case isFile(path):
		f := t.add(FileWrong, where, "it lies outside of the files folder "+clipped(t.FilesDir)+": "+clipped(path))
		if !isFolder(t.FilesDir) {
			f.mild() // The folder is only a guess.
		}
	case errors.Is(err, data.ErrOutsideFolder) && !usual:
		t.add(FileWrong, where, "its path leads out of the files folder, and there is no file: "+clipped(path))
	default:
		t.add(FileWrong, where, "there is no file "+clipped(path))
	}
}

// usual reports whether a path is as hosts make them: <folder>/<conversation>/<id>.<extension>.
func (t *talk) usual(f data.LargeFile, path string) bool {
	base := filepath.Base(path)
	return filepath.IsAbs(path) && filepath.Base(filepath.Dir(path)) == number(t.row.ID) &&
		strings.TrimSuffix(base, filepath.Ext(base)) == f.ID
}

// beyondKnowledge reports whether the folder of a path isn't on this machine, so that nothing
// is known of the file.
func beyondKnowledge(path string, usual bool) bool {
	if usual {
		return !isFolder(root(path))
	}
	return filepath.IsAbs(path) && filepath.Clean(path) == path && !isFolder(filepath.Dir(path)) && !isFolder(root(path))
}

// root is the folder that a usual path lies in.
func root(path string) string { return filepath.Dir(filepath.Dir(path)) }

func (t *talk) sameFolder(path string) bool { return root(path) == filepath.Clean(t.FilesDir) }

// moved reports whether a file lies in the files folder though its row says another.
func (t *talk) moved(f data.LargeFile) bool {
	at, err := data.FindLargeFile(f, t.FilesDir)
	return err == nil && at.Moved
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

func (t *talk) sizedAs(f data.LargeFile, path string, where at) {
	info, err := os.Stat(path)
	switch {
	case err != nil || !info.Mode().IsRegular():
		t.add(FileWrong, where, "not a file that can be read: "+clipped(path))
	case f.Bytes != 0 && info.Size() != f.Bytes:
		t.add(FileWrong, where, fmt.Sprintf("the file has %d bytes, the row says %d", info.Size(), f.Bytes))
	}
}

// left: files in the folder that no row knows.
func (c *checker) left(ctx context.Context) error {
	if c.FilesDir == "" || !isFolder(c.FilesDir) {
		return nil
	}
	return filepath.WalkDir(c.FilesDir, func(path string, d fs.DirEntry, err error) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil || !d.Type().IsRegular() {
			return nil // What can't be looked at isn't known.
		}
		id := strings.TrimSuffix(d.Name(), filepath.Ext(d.Name()))
		if strings.HasPrefix(id, fileMark) && (len(id) == fileSize || len(id) == longFileSize) && !c.knows(id) {
			c.add(FileUnreferenced, row("files", id), "no row knows the file "+clipped(path))
		}
		return nil
	})
}
