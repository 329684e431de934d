package samples

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
	"lcm-tui/internal/foldercache"
)

// Cache gives copies of samples, with or without faults, and of the demonstration. Each is made only once
// on a machine, as long as the code that makes them stays the same. The zero value is empty and ready; it may be used from many
// goroutines.
type Cache struct {
	mu   sync.Mutex
	made map[string]*files
}

// files is one database and the large files beside it.
type files struct {
	once   sync.Once
	folder string   // Where they are.
	home   string   // The folder in which they were made, which storage_uri names.
	names  []string // Below the folder.
	err    error
}

// Sample writes the sample of a level, with faults.
func (s *Cache) Sample(path string, level fakehost.Level, names ...string) error {
	return s.copyTo(string(level)+" "+strings.Join(names, " "), path, func(path string) error {
		if len(names) == 0 {
			return Write(path, level)
		}
		if err := s.Sample(path, level); err != nil { // A copy of the whole one is soon broken.
			return err
		}
		for _, f := range names {
			if err := faults.Break(path, f); err != nil {
				return err
			}
		}
		return nil
	})
}

// Demo writes the demonstration.
func (s *Cache) Demo(path string, now time.Time) error {
	return s.copyTo("demo "+now.String(), path, func(path string) error { return demo.Write(path, now) })
}

// Long writes a conversation of n messages, one an hour until now, of which every hundredth says so.
func (s *Cache) Long(path string, n int, now time.Time) error {
	return s.copyTo(fmt.Sprintf("long %d %s", n, now), path, func(path string) error { return writeLong(path, n, now) })
}

// copyTo puts a copy of what write makes, which name stands for, at path.
func (s *Cache) copyTo(name, path string, write func(path string) error) error {
	s.mu.Lock()
	if s.made == nil {
		s.made = map[string]*files{}
	}
	g := s.made[name]
	if g == nil {
		g = &files{}
		s.made[name] = g
	}
	s.mu.Unlock()
	g.once.Do(func() { g.err = g.find(name, write) })
	if g.err != nil {
		return g.err
	}
	return g.writeTo(path)
}

const (
	sampleName = "sample.db"
	homeName   = "home.txt" // Has the folder in which the files were made.
)

// find finds the files, and makes them if nobody has.
func (g *files) find(name string, write func(path string) error) (err error) {
	fill := func(folder string) error {
		return errors.Join(write(filepath.Join(folder, sampleName)), os.WriteFile(filepath.Join(folder, homeName), []byte(folder), 0o600))
	}
	if g.folder, err = foldercache.Folder(cacheName, filepath.Join(sourceDigest(), digestOf(name)), fill); err != nil {
		return err
	}
	home, err := os.ReadFile(filepath.Join(g.folder, homeName))
	if err != nil {
		return err
	}
	g.home = string(home)
	return filepath.WalkDir(g.folder, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() || e.Name() == homeName {
			return err
		}
		rel, err := filepath.Rel(g.folder, path)
		g.names = append(g.names, rel)
		return err
	})
}

// writeTo writes a copy out, and tells it where its large files are now.
func (g *files) writeTo(path string) error {
	folder := filepath.Dir(path)
	for _, rel := range g.names {
		to := filepath.Join(folder, rel)
		if strings.HasPrefix(rel, sampleName) {
			to = path + strings.TrimPrefix(rel, sampleName)
		}
		if err := copyFile(filepath.Join(g.folder, rel), to); err != nil {
			return err
		}
	}
	if len(g.names) == 1 { // Nothing but the database.
		return nil
	}
	return g.updatePaths(path, folder)
}

// copyFile copies a file. The system does it where it can, without this process's memory.
func copyFile(from, to string) (err error) {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return errors.Join(err, target.Close())
}

func (g *files) updatePaths(path, folder string) error {
	h, err := fakehost.Open(path)
	if err != nil {
		return nil // A fault that leaves nothing to open.
	}
	err = h.Exec("UPDATE large_files SET storage_uri = replace(storage_uri, ?, ?)", g.home, folder)
	if cerr := h.Close(); err == nil && cerr != nil {
		err = fmt.Errorf("close: %w", cerr)
	}
	return err
}
