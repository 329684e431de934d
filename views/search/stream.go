package search

import (
	"context"
	"sync"
	"time"

	"lcm-tui/engine/search"
	"lcm-tui/ui"
)

const (
	// streamPause is the shortest time between two batches of hits: a search that finds
	// thousands must not keep the loop from keys.
	streamPause = 50 * time.Millisecond
	// streamPatience is how long a search may find nothing before the hits of the query before
	// it go.
	streamPatience = 150 * time.Millisecond
)

// searchStream carries the events of one search from its job to the screen, in batches.
type searchStream struct {
	mu     sync.Mutex
	events []search.Event
	ended  bool
	ready  chan struct{} // Has an element when there is something to take.

	taken time.Time // When the last batch was; only the taker reads it.
}

// searchBatch is what a search reported since the last batch.
type searchBatch struct {
	stream *searchStream
	events []search.Event
	ended  bool
}

func newSearchStream() *searchStream { return &searchStream{ready: make(chan struct{}, 1)} }

// put adds an event. It may be called from any goroutine.
func (s *searchStream) put(e search.Event) {
	s.mu.Lock()
	s.events = append(s.events, e)
	s.mu.Unlock()
	s.wake()
}

// end says that no more events come.
func (s *searchStream) end() {
	s.mu.Lock()
	s.ended = true
	s.mu.Unlock()
	s.wake()
}

func (s *searchStream) wake() {
	select {
	case s.ready <- struct{}{}:
	default:
	}
}

// take waits for events, but not for ever: an empty batch says that there are none yet.
func (s *searchStream) take(ctx context.Context) (searchBatch, error) {
	if err := ui.Sleep(ctx, time.Until(s.taken.Add(streamPause))); err != nil {
		return searchBatch{}, err
	}
	patience := time.NewTimer(streamPatience)
	defer patience.Stop()
	select {
	case <-ctx.Done():
		return searchBatch{}, ctx.Err()
	case <-s.ready:
	case <-patience.C:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	b := searchBatch{stream: s, events: s.events, ended: s.ended}
	if len(s.events) > 0 { // Nothing is drawn of an empty batch, so the first hits needn't wait.
		s.events, s.taken = nil, time.Now()
	}
	return b, nil
}
