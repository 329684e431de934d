package prompts

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"lcm-tui/internal/atomicfile"
	"lcm-tui/internal/hint"
)

// Export writes the built-in templates into a folder, which it makes, and returns the paths
// of the files. Without force it writes nothing when a file there holds another text, and
// fails.
func Export(folder string, force bool) ([]string, error) {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(names))
	for i, n := range names {
		paths[i] = filepath.Join(folder, n+suffix)
		if err := checkVacant(paths[i], n); err != nil && !force {
			return nil, err
		}
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder: %w", err)
	}
	for i, n := range names {
		if err := write(paths[i], n); err != nil {
			return paths[:i], fmt.Errorf("write template: %w", err)
		}
	}
	return paths, nil
}

// checkVacant returns an error if the file exists and holds another text than the template.
func checkVacant(path, name string) error {
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for template: %w", err)
	}
	if same, err := isBuiltin(path, name); err == nil && same {
		return nil
	}
	return hint.New("the file exists and is different: "+path, "--force overwrites the file")
}

// isBuiltin reports whether a file holds the built-in template.
func isBuiltin(path, name string) (bool, error) {
	existing, err := read(path)
	if err != nil {
		return false, err
	}
	text, err := builtin.ReadFile(name + suffix)
	return existing == string(text), err
}

// write replaces a file by a template, whole or not at all, and never follows a link. Only
// the user may read a new one: instructions can be private.
func write(path, name string) error {
	text, err := builtin.ReadFile(name + suffix)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, text, atomicfile.Options{Replace: true, KeepOwner: true})
}
