package viewtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/views"
)

// demoChecks has what the checks of the demonstration's conversations found. Nearly every test
// opens a copy of it, and the list checks what it shows.
var demoChecks checkCache

// checkCache keeps the results of checks of copies of one file. The zero value is empty and ready.
type checkCache struct {
	mu   sync.Mutex
	made map[checkKey]integrity.Diagnosis
}

// checkKey is what the result of a check depends on, beside the file.
type checkKey struct {
	conversation int64
	limits       integrity.Limits
}

// unasked returns what checks the conversations of the copy at path. It reads a copy only the first
// time, and again as soon as anything in the folder of the copy isn't as it is now.
func (c *checkCache) unasked(t *testing.T, path string) views.CheckFunc {
	t.Helper()
	copied := folderState(t, path)
	return func(ctx context.Context, db *data.DB, r integrity.Request) (integrity.Diagnosis, error) {
		if db.Path() != path || folderState(t, path) != copied {
			return views.CheckConversation(ctx, db, r)
		}
		return c.check(ctx, db, r)
	}
}

// check returns the kept result of a check, or else the result of running it.
func (c *checkCache) check(ctx context.Context, db *data.DB, r integrity.Request) (integrity.Diagnosis, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	key := checkKey{r.Conversation, r.Limits}
	if d, ok := c.made[key]; ok {
		return d, ctx.Err()
	}
	d, err := views.CheckConversation(ctx, db, r)
	if err != nil {
		return d, err
	}
	if c.made == nil {
		c.made = map[checkKey]integrity.Diagnosis{}
	}
	c.made[key] = d
	return d, nil
}

// folderState tells whether anything was written into the folder of a database: it holds the
// names, sizes and times of the files. What opening leaves beside the database doesn't count.
func folderState(t *testing.T, path string) string {
	t.Helper()
	var state strings.Builder
	err := filepath.WalkDir(filepath.Dir(path), func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || name == path+"-shm" {
			return err
		}
		info, err := e.Info()
		if errors.Is(err, fs.ErrNotExist) || err == nil && name == path+"-wal" && info.Size() == 0 {
			return nil
		}
		if err == nil {
			fmt.Fprintln(&state, name, info.Size(), info.ModTime().UnixNano())
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return state.String()
}
