package agentdb

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

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
	folder, err := os.MkdirTemp("", "lcm-tui-agent-")
	if err != nil {
		return "", err
	}
	copied := filepath.Join(folder, FileName)
	for _, suffix := range []string{walSuffix, ""} {
		if err := copyFile(ctx, path+suffix, copied+suffix); err != nil {
			return "", errors.Join(err, os.RemoveAll(folder))
		}
	}
	return copied, nil
}

// copyFile copies a file's bytes to a new one, private to the user.
func copyFile(ctx context.Context, from, to string) error {
	in, err := regularfile.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(0o600))
	if err != nil {
		return err
	}
	const piece = 64 << 20 // Between two looks at whether it's still wanted.
	for err == nil && ctx.Err() == nil {
		_, err = io.CopyN(out, in, piece)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return errors.Join(err, ctx.Err(), out.Close())
}
