package search

import (
	"context"
	"sync"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// Kept is what one search of a file leaves to the next, as long as nobody writes to the file: in
// which order of time its messages lie, which on a large file takes as long to read as the first
// hits. Searches of any number of goroutines may use one. Its zero value holds nothing, and nil
// keeps nothing.
type Kept struct {
	mu      sync.Mutex
	db      *data.DB
	version int64
	runs    []textsearch.TimeRun
}

// Read reads what the first search of a file needs.
func (k *Kept) Read(ctx context.Context, db *data.DB) error {
	_, err := k.timeRuns(ctx, db)
	return err
}

// timeRuns returns the ranges of messages in which times rise with ids.
func (k *Kept) timeRuns(ctx context.Context, db *data.DB) ([]textsearch.TimeRun, error) {
	if k == nil {
		return textsearch.TimeRuns(ctx, db)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	version, err := db.Version(ctx)
	if err != nil { // Nobody knows whether it was written to.
		return textsearch.TimeRuns(ctx, db)
	}
	if k.db == db && k.version == version {
		return k.runs, nil
	}
	runs, err := textsearch.TimeRuns(ctx, db)
	if err == nil {
		k.db, k.version, k.runs = db, version, runs
	}
	return runs, err
}
