package metrics

import (
	"context"
	"sync"
	"time"

	"lcm-tui/work"
)

// The latencies that are measured.
const (
	SearchLatency = "search" // Of lcm_search and lcm_grep.
	ExpandLatency = "expand" // Of lcm_expand.
)

// latencies are those names, with the metric of each.
var latencies = []struct{ name, metric string }{{SearchLatency, "lcm_search_latency_ms"}, {ExpandLatency, "lcm_expand_latency_ms"}}

// bounds are those of the buckets of a latency, in milliseconds; overBounds is the bucket of what took longer.
var bounds = []int64{1, 4, 16, 64, 256, 1024, 4096, 16384}

const overBounds = int64(1) << 62

// noteEvery is how long a latency is kept in memory before it is noted beside the database.
const noteEvery = time.Second

// Recorder notes how long calls took, beside the database, so that each process shows those of all. A call only counts
// in memory; what is counted is noted a second later, before a scrape, and when the recorder is closed.
type Recorder struct {
	notes Notes

	noting sync.Mutex

	mu      sync.Mutex
	pending map[work.Latency]work.Latency // By name and bound.
	timer   *time.Timer
	closed  bool
}

// Notes gives the sidecar of a database, which it opens where it isn't open. Its caller closes it in the end.
type Notes func(ctx context.Context) (*work.Sidecar, error)

// NewRecorder returns a recorder that notes beside a database.
func NewRecorder(notes Notes) *Recorder {
	return &Recorder{notes: notes, pending: map[work.Latency]work.Latency{}}
}

// Observe counts a call. It never waits for a file.
func (r *Recorder) Observe(name string, took time.Duration) {
	if r == nil {
		return
	}
	ms := float64(took) / float64(time.Millisecond)
	upTo := overBounds
	for _, b := range bounds {
		if ms <= float64(b) {
			upTo = b
			break
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.add(work.Latency{Name: name, UpTo: upTo, Times: 1, Milliseconds: ms})
	if r.timer == nil && !r.closed {
		r.timer = time.AfterFunc(noteEvery, func() { _ = r.Note(context.Background()) })
	}
}

// Note notes what was counted since it was called last. What can't be noted is noted the next time.
func (r *Recorder) Note(ctx context.Context) error {
	if r == nil {
		return nil
	}
	r.noting.Lock() // Who calls it while another is at it finds all of it noted.
	defer r.noting.Unlock()
	r.mu.Lock()
	if r.timer != nil {
		r.timer.Stop()
		r.timer = nil
	}
	var all []work.Latency
	for _, l := range r.pending {
		all = append(all, l)
	}
	clear(r.pending)
	r.mu.Unlock()
	if len(all) == 0 {
		return nil
	}
	notes, err := r.notes(ctx)
	if err == nil {
		err = notes.Counts().AddLatencies(ctx, all)
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, l := range all {
			r.add(l)
		}
	}
	return err
}

// add counts calls; the caller has the lock.
func (r *Recorder) add(l work.Latency) {
	key := work.Latency{Name: l.Name, UpTo: l.UpTo}
	sum, ok := r.pending[key]
	if !ok {
		sum = key
	}
	sum.Times += l.Times
	sum.Milliseconds += l.Milliseconds
	r.pending[key] = sum
}

// Close notes what is left.
func (r *Recorder) Close() error {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	return r.Note(context.Background())
}
