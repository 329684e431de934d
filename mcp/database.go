package mcp

import (
	"context"
	"errors"
	"sync"
	"time"

	"lcm-tui/data"
)

// LockWait is how long a read should wait for locks of other programs, so that the call can still
// say who holds one.
const LockWait = 1500 * time.Millisecond

// database is the file that the tools read. It is opened at the first call that needs it, and
// opened again when the file was replaced, cut off or given other tables: a server lives for
// days, and hosts make new files and migrate old ones meanwhile.
type database struct {
	open func(ctx context.Context) (*data.DB, error)

	mu      sync.Mutex
	current *handle
}

// handle is an open file and how many calls read it.
type handle struct {
	db     *data.DB
	tables int64 // The version of its schema.
	users  int
	stale  bool // It is closed when nobody reads it any more.
}

// read calls fn with the database. What fn returns is final, except where the file turned out to
// be another one while it read: then the file is opened again, once.
func (d *database) read(ctx context.Context, fn func(*data.DB) error) error {
	for attempt := 0; ; attempt++ {
		h, err := d.acquire(ctx)
		if err != nil {
			return err
		}
		err = fn(h.db)
		changed := err != nil && hasMoved(err)
		d.release(h, changed)
		if !changed || attempt > 0 {
			return err
		}
	}
}

// hasMoved reports whether an error says that the open file isn't the one at its path any more, or that a replica doesn't have it.
func hasMoved(err error) bool {
	for _, kind := range []error{data.ErrVanished, data.ErrReplaced, data.ErrEmptied, data.ErrCutOff, data.ErrDamaged, data.ErrForgotten} {
		if errors.Is(err, kind) {
			return true
		}
	}
	return false
}

// acquire gives the present handle, or a new one where the file has changed.
func (d *database) acquire(ctx context.Context) (*handle, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if h := d.current; h != nil && !h.isCurrent(ctx) {
		d.retire(h)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.current == nil {
		db, err := d.open(ctx)
		if err != nil {
			return nil, err
		}
		tables, err := db.SchemaVersion(ctx)
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
		d.current = &handle{db: db, tables: tables}
	}
	d.current.users++
	return d.current, nil
}

// isCurrent reports whether the handle still shows what stands at the path. A lock that another
// program holds says nothing about that.
func (h *handle) isCurrent(ctx context.Context) bool {
	if _, err := h.db.Changed(ctx); err != nil {
		return !hasMoved(err)
	}
	tables, err := h.db.SchemaVersion(ctx)
	return err != nil || tables == h.tables
}

func (d *database) release(h *handle, stale bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	h.users--
	if stale {
		d.retire(h)
	}
	h.closeUnused()
}

// retire takes the handle out of use; the lock is held.
func (d *database) retire(h *handle) {
	h.stale = true
	if d.current == h {
		d.current = nil
	}
	h.closeUnused()
}

func (h *handle) closeUnused() {
	if h.stale && h.users == 0 && h.db != nil {
		_ = h.db.Close() // It only read.
		h.db = nil
	}
}

// close closes the file as soon as nobody reads it.
func (d *database) close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.current != nil {
		d.retire(d.current)
	}
}
