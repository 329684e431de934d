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

// Cache hands out databases as Sample, Break and Demo make them, but makes each only
// once and copies it then: for tests, which want many. The zero value is empty and ready;
// it may be used from many goroutines.
type Cache struct {
	mu    sync.Mutex
	goods map[string]*goods
}

// goods is one database and the large files beside it.
type goods struct {
	once  sync.Once
	home  string            // The folder it was made in, which storage_uri names.
	files map[string][]byte // By path below that folder.
	err   error
}

// Sample is the sample of a level, with faults.
func (s *Cache) Sample(path string, level fakehost.Level, names ...string) error {
	return s.hand(string(level)+" "+strings.Join(names, " "), path, func(path string) error {
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

// Demo is the demonstration.
func (s *Cache) Demo(path string, now time.Time) error {
	return s.hand("demo "+now.String(), path, func(path string) error { return demo.Write(path, now) })
}

// hand puts a copy of what build makes, which name stands for, at path.
func (s *Cache) hand(name, path string, build func(path string) error) error {
	s.mu.Lock()
	if s.goods == nil {
		s.goods = map[string]*goods{}
	}
	g := s.goods[name]
	if g == nil {
		g = &goods{}
		s.goods[name] = g
	}
	s.mu.Unlock()
	g.once.Do(func() { g.err = g.take(build) })
	if g.err != nil {
		return g.err
	}
	return g.give(path)
}

const sampleName = "sample.db"

// take makes the database in a folder of its own and keeps what stands there.
func (g *goods) take(build func(path string) error) (err error) {
	if g.home, err = os.MkdirTemp("", "lcm-samples-"); err != nil {
		return err
	}
	defer os.RemoveAll(g.home)
	if err := build(filepath.Join(g.home, sampleName)); err != nil {
		return err
	}
	g.files = map[string][]byte{}
	return filepath.WalkDir(g.home, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		rel, err := filepath.Rel(g.home, path)
		if err != nil {
			return err
		}
		g.files[rel], err = os.ReadFile(path)
		return err
	})
}

// give writes a copy out, and tells it where its large files are now.
func (g *goods) give(path string) error {
	folder := filepath.Dir(path)
	for rel, content := range g.files {
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
	if len(g.files) == 1 { // Nothing but the database.
		return nil
	}
	return g.readdress(path, folder)
}

func (g *goods) readdress(path, folder string) error {
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
