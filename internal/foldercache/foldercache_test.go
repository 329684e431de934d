package foldercache_test

import (
	"errors"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"lcm-tui/internal/foldercache"
)

// TestAFolderIsFilledOnce: and one whose filling failed isn't kept.
func TestAFolderIsFilledOnce(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", filepath.Join(home, "temporary"))
	filled := 0
	fill := func(folder string) error {
		filled++
		if filled < 3 {
			return errors.New("no")
		}
		return os.WriteFile(filepath.Join(folder, "file"), []byte("x"), 0o600)
	}
	if _, err := foldercache.Folder("cache", "a/b", fill); err == nil {
		t.Fatal("a folder whose filling failed is there")
	}
	for range 2 {
		folder, err := foldercache.Folder("cache", "a/b", fill)
		if err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(filepath.Join(folder, "file")); string(b) != "x" {
			t.Errorf("%q, %v", b, err)
		}
	}
	if filled != 3 { // Twice in vain: in the cache and among the temporary files.
		t.Errorf("it was filled %d times", filled)
	}
	foldercache.RemoveOld("cache", "b", 0)
	if left, err := filepath.Glob(filepath.Join(home, "cache", "*")); err != nil || len(left) > 0 {
		t.Errorf("old ones stay: %v, %v", left, err)
	}
	if left, err := filepath.Glob(filepath.Join(home, "*", "*", "part-*")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// TestManyFillAtOnce: the folder is whole for each of them, and nothing else stays.
func TestManyFillAtOnce(t *testing.T) {
	home := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("HOME", home)
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			folder, err := foldercache.Folder("cache", "a", func(folder string) error {
				return os.WriteFile(filepath.Join(folder, "file"), []byte("content"), 0o600)
			})
			if b, _ := os.ReadFile(filepath.Join(folder, "file")); err != nil || string(b) != "content" {
				t.Errorf("%q, %v", b, err)
			}
		})
	}
	all.Wait()
	if left, err := filepath.Glob(filepath.Join(home, "*", "*")); err != nil || len(left) != 1 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestTheModuleIsFound(t *testing.T) {
	t.Parallel()
	root, err := foldercache.ModuleRoot()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "internal", "foldercache")); err != nil {
		t.Error(err)
	}
}
