package secrets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"lcm-tui/data"
	"lcm-tui/engine/redact"
	"lcm-tui/internal/filesystem"
	"lcm-tui/internal/regularfile"
)

// replaceFiles replaces the values in the files of this program, and in the large files on disk if
// those were scanned, and deletes cached answers that have one. It comes after the rows, so that a
// database that can't be written leaves all files as they are. A file that can't be rewritten is a warning.
func (o *Op) replaceFiles(ctx context.Context, db *data.DB, known *redact.Known) error {
	paths := slices.Clone(o.StateFiles)
	if o.FilesDir != "" {
		files, err := filesBelow(o.FilesDir)
		if err != nil {
			return err
		}
		paths = append(paths, files...)
	}
	for _, path := range paths {
		changed, err := o.replaceFile(ctx, path, known)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			db.Warn(fmt.Errorf("replace secrets in %s: %w", path, err))
			o.Result.unchanged = append(o.Result.unchanged, path)
		case changed:
			o.Result.Files = append(o.Result.Files, path)
		}
	}
	return o.deleteAnswers(ctx)
}

// replaceFile replaces the values in one file, which keeps its owner, its permissions and the time of
// its last change.
func (o *Op) replaceFile(ctx context.Context, path string, known *redact.Known) (changed bool, err error) {
	old, err := os.Lstat(path)
	if err != nil || !old.Mode().IsRegular() {
		return false, err
	}
	if found, err := hasKnown(ctx, path, known); err != nil || !found {
		return false, err
	}
	r, err := regularfile.Rewrite(path, old)
	if err != nil {
		return false, err
	}
	defer r.Discard()
	err = eachFound(ctx, path, known.Find, func(text string, _ int64, found []redact.Finding) error {
		_, err := r.WriteString(redact.Replace(text, found, o.placeholder))
		return err
	})
	if err != nil {
		return false, err
	}
	return true, r.Replace()
}

// hasKnown reports whether a file has a secret.
func hasKnown(ctx context.Context, path string, known *redact.Known) (has bool, err error) {
	err = eachFound(ctx, path, known.Find, func(_ string, _ int64, found []redact.Finding) error {
		if has = len(found) > 0; has {
			return io.EOF
		}
		return nil
	})
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return has, err
}

// deleteAnswers deletes the cached answers of models that have a value.
func (o *Op) deleteAnswers(ctx context.Context) error {
	r := redact.NewRemains(o.values())
	for _, folder := range o.CacheFolders {
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return ctx.Err()
			}
			if text, err := os.ReadFile(path); err == nil && len(r.In(string(text))) > 0 && os.Remove(path) == nil {
				o.Result.Answers++
			}
			return ctx.Err()
		})
	}
	return ctx.Err()
}

// values returns the secrets that are replaced.
func (o *Op) values() []redact.Secret {
	out := make([]redact.Secret, 0, len(o.chosen))
	for _, f := range o.chosen {
		out = append(out, f.Secret)
	}
	return out
}

// Copies returns the backups and the trash of a database that lie beside it: they have what was there
// before, and are never changed by an operation on the database.
func Copies(path string) (out []string) {
	folder, name := filepath.Split(path)
	out = append(filesystem.Glob(folder, filesystem.Pattern(name)+"*.bak*"), filesystem.Glob(data.TrashFolder(path), "*.db")...)
	for _, left := range append(data.Leftovers(path), filesystem.Glob(data.TrashFolder(path), "*.part")...) { // Of commands that were killed.
		if data.CheckFile(left) == nil {
			out = append(out, left)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
