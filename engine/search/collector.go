package search

import (
	"context"
	"slices"
	"sync"
	"time"

	"lcm-tui/data"
)

// collector hands the events of all streams on, from one goroutine at a time.
type collector struct {
	mu      sync.Mutex
	emit    func(Event)
	sort    Sort
	ordered bool
	whole   bool // No number of hits is enough.
	states  []*streamState
	counted Counted
	kept    []Hit // What was found, if it will be ranked.
}

// streamState is how far the search of one kind of text came.
type streamState struct {
	kind  Kind
	found int
	known Counted // How many there are, if the stream knows before it finds them.
	full  bool    // It stopped because it had enough.
	done  bool
	queue []Hit // Those that wait for other streams, in order.
	bound *Hit  // What it will find stands behind this; nil if that isn't known.

	pending []Hit // Those that wait for others of its own kind, in order: it reads ranges whose times overlap.
	passed  int   // How many don't.

	handedOn chan struct{} // Closed when none waits any more; nil where nobody asked.
}

// newCollector hands events to emit until the context ends.
func newCollector(ctx context.Context, emit func(Event), o Options) *collector {
	whileWanted := func(e Event) {
		if ctx.Err() == nil {
			emit(e)
		}
	}
	return &collector{emit: whileWanted, sort: o.Sort, whole: o.Whole, ordered: o.Ordered && (o.Sort == Newest || o.Sort == Oldest), counted: Counted{Total: -1}}
}

// send hands on an event that belongs to no stream.
func (c *collector) send(e Event) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.emit(e)
}

func (c *collector) begin(k Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.states = append(c.states, &streamState{kind: k})
}

func (c *collector) end(k Kind) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.state(k)
	s.done = true
	c.pass(s, s.pending)
	c.flush()
}

// finish says how many hits there are in the end.
func (c *collector) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count()
}

func (c *collector) state(k Kind) *streamState {
	return c.states[slices.IndexFunc(c.states, func(s *streamState) bool { return s.kind == k })]
}

// has reports whether something of a kind was found.
func (c *collector) has(k Kind) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(c.states, func(s *streamState) bool { return s.kind == k && s.found > 0 })
}

// found hands on hits of a kind, which come in order. It reports whether the stream may go on.
func (c *collector) found(k Kind, hits []Hit) (goOn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.state(k)
	if room := MaxHits - s.found; !c.whole && len(hits) >= room {
		hits, s.full = hits[:room], true
	}
	c.note(s, hits)
	c.pass(s, hits)
	return !s.full
}

// merge works as found for hits that others of their kind may still stand before: all that the stream will find stand behind an
// instant. It is zero where nothing comes, or it isn't known.
func (c *collector) merge(k Kind, hits []Hit, at time.Time) (goOn bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.state(k)
	s.pending = mergeHits(c.sort, s.pending, hits)
	first := len(s.pending) // Up to here they stand before all that comes.
	bound := &Hit{Kind: k, At: data.Time{Time: at}}
	if !at.IsZero() {
		first, _ = slices.BinarySearchFunc(s.pending, bound, func(h Hit, bound *Hit) int {
			if h.At.Equal(bound.At.Time) {
				return 1
			}
			return compareHits(c.sort, &h, bound)
		})
	}
	if room := MaxHits - s.passed; !c.whole && len(s.pending) > room {
		s.pending = s.pending[:room]
		if first >= room {
			first, s.full = room, true
		}
	}
	c.note(s, hits)
	c.pass(s, s.pending[:first])
	if s.pending = s.pending[first:]; !at.IsZero() {
		s.bound = bound
		c.flush()
	}
	return !s.full
}

// note counts hits that a stream found, and hands them on where their order doesn't matter.
func (c *collector) note(s *streamState, hits []Hit) {
	s.found += len(hits)
	c.count() // Who has enough hits may stop, and then knows whether there are more.
	if c.sort == Best {
		c.kept = append(c.kept, hits[:min(len(hits), MaxHits-len(c.kept))]...)
	}
	if len(hits) > 0 && !c.ordered {
		c.emit(Found{hits})
	}
}

// pass hands on hits of a stream before which it finds no others.
func (c *collector) pass(s *streamState, hits []Hit) {
	s.passed += len(hits)
	if len(hits) > 0 && c.ordered {
		s.queue = append(s.queue, hits...)
		s.bound = nil
		c.flush()
	}
}

// knows notes how many hits of a kind there are.
func (c *collector) knows(k Kind, n Counted) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state(k).known = n
	c.count()
}

// progress notes how far a stream came: to an instant, and how much of everything that is.
func (c *collector) progress(k Kind, at time.Time, done float64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !at.IsZero() {
		c.state(k).bound = &Hit{Kind: k, At: data.Time{Time: at}}
		c.flush()
	}
	c.emit(Progress{k, at, done, c.reached()})
}

// next notes the time that the next hit of a stream has, or behind which it stands.
func (c *collector) next(k Kind, at data.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.state(k).bound = &Hit{Kind: k, At: at}
	c.flush()
}

// await waits until the hits of a stream are handed on.
func (c *collector) await(ctx context.Context, k Kind) {
	c.mu.Lock()
	s, handedOn := c.state(k), make(chan struct{})
	if len(s.queue) == 0 {
		close(handedOn)
	} else {
		s.handedOn = handedOn
	}
	c.mu.Unlock()
	select {
	case <-handedOn:
	case <-ctx.Done():
	}
}

// reached returns the time behind which all hits stand that aren't handed on yet; zero where that isn't known.
func (c *collector) reached() time.Time {
	var first *Hit
	for _, s := range c.states {
		next := s.bound
		if len(s.queue) > 0 {
			next = &s.queue[0]
		}
		switch {
		case s.done && len(s.queue) == 0:
		case next == nil:
			return time.Time{}
		case first == nil || compareHits(c.sort, next, first) < 0:
			first = next
		}
	}
	if first == nil {
		return time.Time{}
	}
	return first.At.Time
}

// count says how many hits there are, if that changed.
func (c *collector) count() {
	var n Counted
	for _, s := range c.states {
		n.Total += max(s.found, s.known.Total)
		n.More = n.More || s.full || s.known.More || !s.done && s.known == (Counted{})
	}
	if n.Total > MaxHits {
		n = Counted{MaxHits, true}
	}
	if n != c.counted {
		c.counted = n
		c.emit(n)
	}
}

// flush hands on the hits before which no stream can find another one.
func (c *collector) flush() {
	var out []Hit
	for {
		s := c.first()
		if s == nil {
			break
		}
		out = append(out, s.queue[0])
		s.queue = s.queue[1:]
	}
	if len(out) > 0 {
		c.emit(Found{out})
	}
	for _, s := range c.states {
		if s.handedOn != nil && len(s.queue) == 0 {
			close(s.handedOn)
			s.handedOn = nil
		}
	}
}

// first returns the stream with the first hit of all, or nil while that isn't known.
func (c *collector) first() (best *streamState) {
	for _, s := range c.states {
		if len(s.queue) > 0 && (best == nil || compareHits(c.sort, &s.queue[0], &best.queue[0]) < 0) {
			best = s
		}
	}
	if best == nil {
		return nil
	}
	for _, s := range c.states {
		if len(s.queue) == 0 && !s.done && (s.bound == nil || compareHits(c.sort, s.bound, &best.queue[0]) < 0) {
			return nil
		}
	}
	return best
}
