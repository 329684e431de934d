package pass

import (
	"sync"
	"time"

	"lcm-tui/data"
	"lcm-tui/work"
)

// Waits knows since when a process waits for jobs. A job is due when its time comes by the clock, and also when this
// process has waited as long as there was left when it saw the job first: a clock that is set back puts nothing off.
type Waits struct {
	now   func() time.Time     // The clock.
	since func() time.Duration // How long the process runs, whatever the clock says.

	mu   sync.Mutex
	seen map[int64]waiting
}

// waiting is a job that waits.
type waiting struct {
	notBefore string
	until     time.Duration // Since the process began.
}

// NewWaits returns that of a process. now is the clock, and since is how long the process runs; nil are those of the
// system.
func NewWaits(now func() time.Time, since func() time.Duration) *Waits {
	if now == nil {
		now = time.Now
	}
	if since == nil {
		began := time.Now() // It has a monotonic reading.
		since = func() time.Duration { return time.Since(began) }
	}
	return &Waits{now: now, since: since, seen: map[int64]waiting{}}
}

// IsOver reports whether a job is due.
func (w *Waits) IsOver(j work.Job) bool {
	if w == nil {
		return j.IsDue(time.Now())
	}
	now := w.now()
	if j.NotBefore <= data.FormatTimeMillis(now) {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	s, ok := w.seen[j.ID]
	if !ok || s.notBefore != j.NotBefore {
		at, err := time.Parse(time.RFC3339, j.NotBefore)
		if err != nil {
			return true // Nothing that this program wrote.
		}
		longest := mostWait
		if j.State == work.Blocked {
			longest = work.MostAhead
		}
		s = waiting{j.NotBefore, w.since() + min(at.Sub(now), longest)}
		w.seen[j.ID] = s
	}
	return w.since() >= s.until
}

// forget drops the jobs that don't wait any more.
func (w *Waits) forget(still []work.Job) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	kept := map[int64]waiting{}
	for _, j := range still {
		if s, ok := w.seen[j.ID]; ok {
			kept[j.ID] = s
		}
	}
	w.seen = kept
}
