package search

import (
	"context"
	"math"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// walk goes through ranges of messages in the order of their times, a step at a time.
type walk struct {
	oldest bool
	runs   []*position
	spans  []TimeSpan // What the query's filters let pass; ranges outside come last.
	total  float64    // How many ids there are.
	done   float64
}

// position is what is left of a range of messages.
type position struct {
	textsearch.TimeRun
	at   time.Time // The time from which on it goes on, as far as that is known.
	done bool
}

// newWalk is the walk through the messages that the filters may let pass.
func (r *run) newWalk(ctx context.Context) (*walk, error) {
	runs, err := textsearch.TimeRuns(ctx, r.db)
	if err != nil {
		return nil, err
	}
	limits, err := r.messageRange(ctx)
	if err != nil {
		return nil, err
	}
	w := &walk{oldest: r.oldest()}
	for _, f := range slices.Concat(r.query.filters("after"), r.query.filters("on"), r.query.filters("before")) {
		if !f.Not {
			w.spans = append(w.spans, f.Spans...)
		}
	}
	for _, t := range runs {
		t.IDRange = intersect(t.IDRange, limits)
		if t.From > t.To {
			continue
		}
		p := &position{TimeRun: t, at: t.Last}
		if w.oldest {
			p.at = t.First
		}
		w.runs = append(w.runs, p)
		w.total += float64(t.To) - float64(t.From) + 1
	}
	return w, nil
}

func intersect(a, b textsearch.IDRange) textsearch.IDRange {
	return textsearch.IDRange{From: max(a.From, b.From), To: min(a.To, b.To)}
}

// messageRange is the range of ids that the filters leave.
func (r *run) messageRange(ctx context.Context) (textsearch.IDRange, error) {
	limits, ok, err := textsearch.MessageRange(ctx, r.db, nil)
	if err != nil || !ok {
		return textsearch.IDRange{From: 1, To: 0}, err
	}
	for _, c := range r.conditions {
		if c.Conversations == nil || c.Not {
			continue
		}
		in, ok, err := textsearch.MessageRange(ctx, r.db, c.Conversations)
		if err != nil || !ok {
			return textsearch.IDRange{From: 1, To: 0}, err
		}
		limits = intersect(limits, in)
	}
	for _, c := range r.ids {
		if c.Messages != nil && !c.Not {
			limits = intersect(limits, textsearch.IDRange{From: slices.Min(c.Messages), To: slices.Max(c.Messages)})
		}
	}
	for _, c := range r.checks {
		if c.messages != nil && !c.not {
			limits = intersect(limits, extent(c.messages))
		}
	}
	return limits, nil
}

// extent is the range of some ids.
func extent(ids map[int64]bool) textsearch.IDRange {
	r := textsearch.IDRange{From: math.MaxInt64, To: math.MinInt64}
	for id := range ids {
		r.From, r.To = min(r.From, id), max(r.To, id)
	}
	return r
}

// next is the range in which the newest messages that are left lie, or the oldest; nil at the
// end.
func (w *walk) next() *position {
	var best *position
	for _, p := range w.runs {
		if !p.done && (best == nil || w.before(p, best)) {
			best = p
		}
	}
	return best
}

func (w *walk) before(a, b *position) bool {
	if x, y := w.outside(a), w.outside(b); x != y {
		return y
	}
	if w.oldest {
		return a.at.Before(b.at)
	}
	return a.at.After(b.at)
}

// outside reports whether the times of a range lie outside what the filters let pass.
func (w *walk) outside(p *position) bool {
	return slices.ContainsFunc(w.spans, func(s TimeSpan) bool {
		return !s.From.IsZero() && p.Last.Before(s.From) || !s.Until.IsZero() && !p.First.Before(s.Until)
	})
}

// slice takes at most n ids off a range, from the end where the walk goes on.
func (w *walk) slice(p *position, n uint64) textsearch.IDRange {
	if uint64(p.To)-uint64(p.From) < n {
		return w.take(p, p.From, p.To)
	}
	if w.oldest {
		return w.take(p, p.From, p.From+int64(n)-1)
	}
	return w.take(p, p.To-int64(n)+1, p.To)
}

// take takes the ids from one to another off a range.
func (w *walk) take(p *position, from, to int64) textsearch.IDRange {
	w.done += float64(to) - float64(from) + 1
	switch {
	case from <= p.From && to >= p.To:
		p.done = true
	case w.oldest:
		p.From = to + 1
	default:
		p.To = from - 1
	}
	return textsearch.IDRange{From: from, To: to}
}

// skip moves the end of a range where the walk goes on to the next message that there is, so
// that gaps between ids cost nothing.
func (w *walk) skip(ctx context.Context, db *data.DB, p *position) error {
	id, ok, err := textsearch.NextMessage(ctx, db, p.IDRange, w.oldest)
	switch {
	case err != nil:
		return err
	case !ok:
		w.take(p, p.From, p.To)
	case w.oldest && id > p.From:
		w.take(p, p.From, id-1)
	case !w.oldest && id < p.To:
		w.take(p, id+1, p.To)
	}
	return nil
}

// passed notes the time of the last message that was read of a range.
func (p *position) passed(at time.Time) {
	if !at.IsZero() {
		p.at = at
	}
}
