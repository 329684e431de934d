package sessiondb

import (
	"context"
	"errors"
	"path/filepath"
	"sync"

	"lcm-tui/internal/leftover"
	"lcm-tui/internal/regularfile"
)

// paths counts the open handles of this program by path.
type paths struct {
	mu   sync.Mutex
	open map[string]int
}

// inUse are the files that this program has open as transcript databases.
var inUse = &paths{open: map[string]int{}}

func (p *paths) add(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.open[path]++
}

func (p *paths) remove(path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.open[path]--; p.open[path] <= 0 {
		delete(p.open, path)
	}
}

func (p *paths) has(path string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.open[path] > 0
}

// copyWithWAL gives the path of a copy of a file with its -wal, alone in a folder that is
// private to the user. It is for folders in which SQLite can't make the -shm that
// reading a -wal needs.
func copyWithWAL(ctx context.Context, path string) (string, error) {
	folder, err := leftover.CreateFolder("agent")
	if err != nil {
		return "", err
	}
	copied := filepath.Join(folder, FileName)
	for _, suffix := range []string{walSuffix, ""} {
		if err := regularfile.Copy(ctx, path+suffix, copied+suffix); err != nil {
			return "", errors.Join(err, leftover.RemoveFolder(folder))
		}
	}
	return copied, nil
}
