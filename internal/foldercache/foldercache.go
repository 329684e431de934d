// Package foldercache keeps folders that tests need, each made once on a machine: in the user's cache, or among the temporary
// files where that can't be written. Only tests may import it.
package foldercache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"
)

// Folder returns the folder of a name in a cache of the user, and has it filled if nobody has. It gets its name when fill is
// done: a process that is killed leaves no half of one. fill is given the folder, which has another name then.
func Folder(cache, name string, fill func(folder string) error) (string, error) {
	if base, err := os.UserCacheDir(); err == nil {
		if folder, err := folderIn(filepath.Join(base, cache), name, fill); err == nil {
			return folder, nil
		}
	}
	return folderIn(filepath.Join(os.TempDir(), cache), name, fill) // There is no home, or it is full or read-only.
}

func folderIn(cache, name string, fill func(folder string) error) (string, error) {
	to := filepath.Join(cache, name)
	if _, err := os.Stat(to); err == nil {
		return to, nil
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return "", err
	}
	part, err := os.MkdirTemp(filepath.Dir(to), "part-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(part) // It has another name where all went well.
	if err := fill(part); err != nil {
		return "", fmt.Errorf("fill %s: %w", to, err)
	}
	if err := os.Rename(part, to); err != nil {
		if _, there := os.Stat(to); there != nil { // Else another test was faster.
			return "", errors.Join(err, there)
		}
	}
	return to, nil
}

// RemoveOld removes the folders of a cache that were filled so long ago, but for the one to keep. What can't be removed stays.
func RemoveOld(cache, keep string, age time.Duration) {
	base, err := os.UserCacheDir()
	if err != nil {
		return
	}
	entries, err := os.ReadDir(filepath.Join(base, cache))
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.Name() != keep && time.Since(info.ModTime()) > age {
			_ = os.RemoveAll(filepath.Join(base, cache, e.Name()))
		}
	}
}

// ModuleRoot returns the folder of go.mod: tests run in the folders of their packages.
func ModuleRoot() (string, error) {
	folder, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			return folder, nil
		}
		above := filepath.Dir(folder)
		if above == folder {
			return "", errors.New("there is no go.mod above the test")
		}
		folder = above
	}
	return "", err
}
