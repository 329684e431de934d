package mcp

import (
	"context"
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity"
	"lcm-tui/internal/parallel"
)

const (
	// healthWait is how long a call waits for a check that is running.
	healthWait = 2 * time.Second
	// healthAge is how old a result may be on a file that changes all the time, and healthShare how many times as long as its check
	// took: of a small file the next call after a repair shows what is left.
	healthAge   = 10 * time.Minute
	healthShare = 10
)

// health is the last check of the database. One check runs at a time.
type health struct {
	mu      sync.Mutex
	db      *data.DB // That was checked. Where the file was replaced, another one is open.
	version int64    // Of the file when the check began.
	at      time.Time
	took    time.Duration
	found   []integrity.Finding
	err     error
	running chan struct{} // Closed when the check that runs is done; nil if none does.
	cancel  context.CancelFunc
}

// findings returns what the newest check found. Done is false while the first one still runs.
func (h *health) findings(ctx context.Context, s *Server, db *data.DB) (found []integrity.Finding, done bool, err error) {
	version, err := db.Version(ctx)
	if err != nil {
		return nil, false, err
	}
	h.mu.Lock()
	if h.running == nil && (h.err != nil || h.db != db || h.version != version && time.Since(h.at) > min(healthAge, healthShare*h.took)) {
		h.start(s, version)
	}
	running := h.running
	h.mu.Unlock()
	if running != nil {
		select {
		case <-running:
		case <-time.After(healthWait):
		case <-ctx.Done():
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.found, h.db == db, h.err
}

// start checks the file in the background; the lock is held. The check takes a handle of its own
// turn, so that a file that is replaced meanwhile stays open until it ends.
func (h *health) start(s *Server, version int64) {
	ctx, cancel := context.WithCancel(context.Background())
	running := make(chan struct{})
	h.running, h.cancel = running, cancel
	go func() {
		defer cancel()
		began := time.Now()
		var checked *data.DB
		var d integrity.Diagnosis
		err := parallel.Call(func() error {
			return s.database.read(ctx, func(db *data.DB) (err error) {
				checked = db
				r := integrity.Request{FilesDir: s.FilesDir}
				if s.Limits != nil {
					r.Limits = s.Limits()
				}
				d, err = integrity.Check(ctx, db, r, nil)
				return err
			})
		})
		h.mu.Lock()
		defer h.mu.Unlock()
		h.db, h.version, h.at, h.took, h.found, h.err = checked, version, time.Now(), time.Since(began), d.Findings, err
		h.running = nil
		close(running)
	}()
}

// stop ends a check that runs, and waits for its end.
func (h *health) stop() {
	h.mu.Lock()
	running, cancel := h.running, h.cancel
	h.mu.Unlock()
	if running != nil {
		cancel()
		<-running
	}
}
