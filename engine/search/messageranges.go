package search

import (
	"context"
	"math"
	"slices"
	"time"

	"lcm-tui/data"
	"lcm-tui/data/textsearch"
)

// messageRanges are ranges of messages that are read page by page, in the order of their times.
type messageRanges struct {
	oldest bool
	runs   []*messageRange
	spans  []TimeSpan // What the query's filters let pass; ranges outside come last.
	total  float64    // How many ids there are.
	done   float64
}

// messageRange is what is left of a range of messages.
type messageRange struct {
	textsearch.TimeRun
	at   time.Time // The time from which on it goes on, as far as that is known.
	done bool
}

// readMessageRanges reads where the messages lie that the filters may let pass.
func (r *run) readMessageRanges(ctx context.Context) (*messageRanges, error) {
	runs, err := r.Runs, error(nil)
	if runs == nil {
		runs, err = r.Kept.timeRuns(ctx, r.db)
	}
	if err != nil {
		return nil, err
	}
	limits, err := r.conditions.readMessageRange(ctx)
	if err != nil {
		return nil, err
	}
	w := &messageRanges{oldest: r.oldest()}
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
		p := &messageRange{TimeRun: t, at: t.Last}
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

// extent returns the range of some ids.
func extent(ids map[int64]bool) textsearch.IDRange {
	r := textsearch.IDRange{From: math.MaxInt64, To: math.MinInt64}
	for id := range ids {
		r.From, r.To = min(r.From, id), max(r.To, id)
	}
	return r
}

// next returns the range in which the newest messages that are left lie, or the oldest; nil at the
// end.
func (w *messageRanges) next() *messageRange {
	var best *messageRange
	for _, p := range w.runs {
		if !p.done && (best == nil || w.before(p, best)) {
			best = p
		}
	}
	return best
}

func (w *messageRanges) before(a, b *messageRange) bool {
	if x, y := w.outside(a), w.outside(b); x != y {
		return y
	}
	if w.oldest {
		return a.at.Before(b.at)
	}
	return a.at.After(b.at)
}

// outside reports whether the times of a range lie outside what the filters let pass.
func (w *messageRanges) outside(p *messageRange) bool {
	return slices.ContainsFunc(w.spans, func(s TimeSpan) bool {
		return !s.From.IsZero() && p.Last.Before(s.From) || !s.Until.IsZero() && !p.First.Before(s.Until)
	})
}

// slice takes at most n ids off a range, from the end where the reading goes on.
func (w *messageRanges) slice(p *messageRange, n uint64) textsearch.IDRange {
	if uint64(p.To)-uint64(p.From) < n {
		return w.take(p, p.From, p.To)
	}
	if w.oldest {
		return w.take(p, p.From, p.From+int64(n)-1)
	}
	return w.take(p, p.To-int64(n)+1, p.To)
}

// take takes the ids from one to another off a range.
func (w *messageRanges) take(p *messageRange, from, to int64) textsearch.IDRange {
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

// skip moves the end of a range where the reading goes on to the next message that there is, so
// that gaps between ids cost nothing.
func (w *messageRanges) skip(ctx context.Context, db *data.DB, p *messageRange) error {
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
func (p *messageRange) passed(at time.Time) {
	if !at.IsZero() {
		p.at = at
	}
}

// at returns the time up to which everything was read; zero at the end.
func (w *messageRanges) at() time.Time {
	if p := w.next(); p != nil {
		return p.at
	}
	return time.Time{}
}

// nextHit returns the time behind which all hits stand that come; zero where none come.
func (w *messageRanges) nextHit() time.Time {
	if p := w.next(); p != nil && !w.outside(p) {
		return p.at
	}
	return time.Time{}
}
