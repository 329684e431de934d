package samples

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"lcm-tui/internal/demo"
	"lcm-tui/internal/fakehost"
	"lcm-tui/internal/faults"
)

// Cache gives copies of samples, with or without faults, and of the demonstration. Each is
// made only once. The zero value is empty and ready;
// it may be used from many goroutines.
type Cache struct {
	mu   sync.Mutex
	made map[string]*files
}

// files is one database and the large files beside it.
type files struct {
	once    sync.Once
	home    string            // The folder it was made in, which storage_uri names.
	content map[string][]byte // By path below that folder.
	err     error
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
	g.once.Do(func() { g.err = g.build(write) })
	if g.err != nil {
		return g.err
	}
	return g.writeTo(path)
}

const sampleName = "sample.db"

// build makes the database in a folder of its own and keeps what stands there.
func (g *files) build(write func(path string) error) (err error) {
	if g.home, err = os.MkdirTemp("", "lcm-samples-"); err != nil {
		return err
	}
	defer os.RemoveAll(g.home)
	if err := write(filepath.Join(g.home, sampleName)); err != nil {
		return err
	}
	g.content = map[string][]byte{}
	return filepath.WalkDir(g.home, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(g.home, path)
		if err != nil {
			return err
		}
		g.content[rel], err = os.ReadFile(path)
		return err
	})
}

// writeTo writes a copy out, and tells it where its large files are now.
func (g *files) writeTo(path string) error {
	folder := filepath.Dir(path)
	for rel, content := range g.content {
		to := filepath.Join(folder, rel)
		if strings.HasPrefix(rel, sampleName) {
			to = path + strings.TrimPrefix(rel, sampleName)
		}
		if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(to, content, 0o600); err != nil {
			return err
		}
	}
	if len(g.content) == 1 { // Nothing but the database.
		return nil
	}
	return g.updatePaths(path, folder)
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
