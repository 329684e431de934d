package secrets

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"lcm-tui/data"
	"lcm-tui/data/trash"
	"lcm-tui/engine/secrets"
)

// replaceFiles replaces the values in the files of this program, and in the large files on disk if
// those were scanned. Each file is
// written beside the old one and takes its name.
func (o *Op) replaceFiles(known *secrets.Known) error {
	paths := slices.Clone(o.StateFiles)
	if o.FilesDir != "" {
		files, err := filesBelow(o.FilesDir)
		if err != nil {
			return err
		}
		paths = append(paths, files...)
	}
	for _, path := range paths {
		changed, err := o.replaceFile(path, known)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("replace secrets in %s: %w", path, err)
		}
		if changed {
			o.Result.Files = append(o.Result.Files, path)
		}
	}
	return nil
}

// replaceFile replaces the values in one file, which keeps the time of its last change.
func (o *Op) replaceFile(path string, known *secrets.Known) (changed bool, err error) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return false, err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return false, err
	}
	after := o.redact(known, string(text))
	if after == string(text) {
		return false, nil
	}
	part, err := os.CreateTemp(filepath.Dir(path), ".lcm-tui-*.part") // Private to the user.
	if err != nil {
		return false, err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(after)
	err = errors.Join(err, part.Sync(), part.Close())
	if err == nil {
		err = os.Chtimes(part.Name(), info.ModTime(), info.ModTime())
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	return err == nil, err
}

// deleteAnswers deletes the cached answers of models that have a value.
func (o *Op) deleteAnswers() {
	values := make([]secrets.Secret, 0, len(o.chosen))
	for _, f := range o.chosen {
		values = append(values, f.Secret)
	}
	r := secrets.NewRemains(values)
	for _, folder := range o.CacheFolders {
		_ = filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil
			}
			if text, err := os.ReadFile(path); err == nil && len(r.In(string(text))) > 0 && os.Remove(path) == nil {
				o.Result.Answers++
			}
			return nil
		})
	}
}

// Copies are the backups and the trash of a database that lie beside it: they have what was there
// before, and are never changed by an operation on the database.
func Copies(path string) (out []string) {
	for _, pattern := range []string{path + ".lcm-tui-*.bak*", path + "*.bak*", filepath.Join(trash.Folder(path), "*.db")} {
		found, _ := filepath.Glob(escapeGlob(pattern)) // The pattern is good.
		out = append(out, found...)
	}
	for _, left := range data.Leftovers(path) { // Of commands that were killed.
		if data.CheckFile(left) == nil {
			out = append(out, left)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// escapeGlob escapes what stands for several characters in the path, but not the stars of Copies.
func escapeGlob(pattern string) string {
	return strings.NewReplacer("[", `\[`, "?", `\?`).Replace(pattern)
}
