package trash

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"lcm-tui/data"
	"lcm-tui/internal/outcome"
	"lcm-tui/internal/plural"
)

// unfinishedAge is how old a file must be that a stopped prune left unfinished: until then it
// may still be written.
const unfinishedAge = 24 * time.Hour

// Expired returns the files of the trash that were made before a time, and those whose deletion was stopped. Of a file that
// can't be read the time of its last change counts.
func Expired(ctx context.Context, db *data.DB, before time.Time) (out []File, err error) {
	files, err := List(ctx, db)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if f.HalfDeleted {
			out = append(out, f)
			continue
		}
		at := f.MadeAt.Time
		if f.Problem != "" || !f.MadeAt.Valid() {
			info, err := os.Stat(f.Path)
			if err != nil {
				return nil, err
			}
			at = info.ModTime()
		}
		if at.Before(before) {
			out = append(out, f)
		}
	}
	return out, nil
}

// emptiedEnding ends the name that a file of the trash gets before it is deleted with its large files.
const emptiedEnding = ".emptied.part"

// Empty deletes files of the trash for good, with the large files in them, and what stopped runs left of that, or
// unfinished. A file leaves the trash before anything of it goes: so no undo takes for whole what is deleted in part.
func Empty(ctx context.Context, db *data.DB, files []File) (err error) {
	for _, f := range files {
		if f.HalfDeleted {
			continue // It left the trash already.
		}
		_ = Restore{File: f}.removeUnnamed(ctx, db) // Nothing else knows them afterwards but that they have no row.
		err = errors.Join(err, os.Rename(f.Path, f.Path+emptiedEnding))
	}
	err = errors.Join(err, removeEmptied(db))
	removeUnfinished(db)
	return explainEmptying(files, err)
}

// explainEmptying says of how many files nothing is left, where some couldn't be deleted whole.
func explainEmptying(files []File, err error) error {
	if err == nil {
		return nil
	}
	gone := 0
	for _, f := range files {
		left := false
		for _, path := range []string{f.Path, strings.TrimSuffix(f.Path, emptiedEnding) + emptiedEnding} {
			_, missing := os.Lstat(path)
			left = left || !errors.Is(missing, fs.ErrNotExist)
		}
		if !left {
			gone++
		}
	}
	reached := fmt.Sprintf("%d of %s deleted for good", gone, plural.Count(len(files), "file of the trash is", "files of the trash are"))
	return &outcome.Error{Reached: reached, Next: "what can't be deleted stays in the trash: make its folders writable, and delete it again", Err: err}
}

// removeEmptied deletes what left the trash.
func removeEmptied(db *data.DB) (err error) {
	parts, _ := filepath.Glob(filepath.Join(globbed(data.TrashFolder(db.Path())), "*"+emptiedEnding)) // The pattern is valid.
	for _, p := range parts {
		if info, statErr := os.Lstat(p); statErr != nil || !info.Mode().IsRegular() {
			continue // Another run deleted it, or it is none of ours.
		}
		if gone := os.RemoveAll(File{Path: p}.FilesFolder()); gone != nil {
			err = errors.Join(err, gone)
			continue
		}
		if gone := os.Remove(p); !errors.Is(gone, os.ErrNotExist) { // Another run may have deleted it.
			err = errors.Join(err, gone)
		}
	}
	return err
}

// removeUnfinished deletes what stopped prunes left unfinished in the trash a day ago or earlier.
func removeUnfinished(db *data.DB) {
	parts, _ := filepath.Glob(filepath.Join(globbed(data.TrashFolder(db.Path())), "*.part")) // The pattern is valid.
	for _, p := range parts {
		if strings.HasSuffix(p, emptiedEnding) {
			continue // Without it nobody would know that its large files are to be deleted.
		}
		if info, statErr := os.Lstat(p); statErr == nil && info.Mode().IsRegular() && db.Now().Sub(info.ModTime()) > unfinishedAge {
			data.RemoveDatabase(p)
		}
	}
}

// globbed returns a path in which nothing has a meaning for filepath.Glob.
func globbed(path string) string {
	var out []byte
	for _, b := range []byte(path) {
		if b == '*' || b == '?' || b == '[' || b == '\\' && os.PathSeparator != '\\' {
			out = append(out, '[', b, ']')
			continue
		}
		out = append(out, b)
	}
	return string(out)
}
