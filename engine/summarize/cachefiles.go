package summarize

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"lcm-tui/internal/atomicfile"
)

// CacheFiles are answers in files that only the user can read, one for each key.
type CacheFiles struct {
	folder string
	maxAge time.Duration
}

// NewCacheFiles makes the folder where there is none, and removes files older than maxAge.
func NewCacheFiles(folder string, maxAge time.Duration) (*CacheFiles, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("cache answers: %w", err)
	}
	removeOld(folder, time.Now().Add(-maxAge))
	return &CacheFiles{folder, maxAge}, nil
}

// path returns the file of a key. Its name is a hash, so that nothing of the key can be read from it.
func (c *CacheFiles) path(key []byte) string {
	sum := sha256.Sum256(key)
	return filepath.Join(c.folder, hex.EncodeToString(sum[:])+".json")
}

// Read reads the value of a key; false is none, one that is too old, or one that can't be read.
func (c *CacheFiles) Read(key []byte, into any) bool {
	path := c.path(key)
	info, err := os.Stat(path)
	if err != nil || time.Since(info.ModTime()) > c.maxAge {
		return false
	}
	b, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(b, into) == nil
}

// Remove removes the value of a key; there may be none.
func (c *CacheFiles) Remove(key []byte) { _ = os.Remove(c.path(key)) }

// Write writes a value; no partial file is ever read. Where that fails the value isn't cached.
func (c *CacheFiles) Write(key []byte, value any) {
	b, err := json.Marshal(value)
	if err != nil {
		return
	}
	_ = atomicfile.Write(c.path(key), b, atomicfile.Options{Replace: true})
}

// removeOld removes files that were written before a time.
func removeOld(folder string, before time.Time) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && !e.IsDir() && info.ModTime().Before(before) {
			_ = os.Remove(filepath.Join(folder, e.Name()))
		}
	}
}
