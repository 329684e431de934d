package search

import (
	"context"
	"maps"
	"math"
	"slices"

	"lcm-tui/data/textsearch"
)

// mostPages is how often the search table is asked for pages of many ranges, before the times of all messages are read.
const mostPages = 100

// manyMessages finds more messages than a search keeps, by the search table.
type manyMessages struct {
	run    *run
	limits textsearch.IDRange
	seen   map[int64]bool // Those that were looked at.
}

// newManyMessages returns what finds the messages of a range, but for those that a search has shown.
func newManyMessages(r *run, limits textsearch.IDRange) *manyMessages {
	m := &manyMessages{run: r, limits: limits, seen: map[int64]bool{}}
	maps.Copy(m.seen, r.shown)
	return m
}

// show reports the messages range by range in the order of time; after many pages of many ranges, the times of all are read.
func (m *manyMessages) show(ctx context.Context) error {
	w, err := m.run.readMessageRanges(ctx)
	if err != nil {
		return err
	}
	page, pages := firstPage, 0
	for p := w.next(); p != nil; p = w.next() {
		if pages++; pages > mostPages && len(w.runs) > firstRuns {
			return m.showOthers(ctx)
		}
		hits, err := m.readPage(ctx, w, p, page)
		if err != nil {
			return err
		}
		if !m.run.out.merge(MessageKind, hits, w.nextHit()) {
			return nil
		}
		page = min(page*2, lastPage)
	}
	return nil
}

// readPage takes a page off a range, and returns what the query finds of it.
func (m *manyMessages) readPage(ctx context.Context, w *messageRanges, p *messageRange, page int) ([]Hit, error) {
	ids, times, err := matchingTimes(ctx, m.run, p.IDRange, page)
	if err != nil {
		return nil, err
	}
	hits, err := m.run.messageHits(ctx, unshown(slices.Clone(times), m.seen))
	if err != nil {
		return nil, err
	}
	for _, t := range times {
		m.seen[t.ID] = true
	}
	switch {
	case len(ids) < page:
		w.take(p, p.From, p.To)
	case w.oldest:
		w.take(p, p.From, ids[page-1])
	default:
		w.take(p, ids[page-1], p.To)
	}
	if n := len(times); n > 0 {
		p.passed(times[n-1].At.Time)
	}
	return hits, nil
}

// showOthers reports the messages that weren't looked at, after the times of all were read.
func (m *manyMessages) showOthers(ctx context.Context) error {
	_, times, err := matchingTimes(ctx, m.run, m.limits, math.MaxInt)
	if err != nil {
		return err
	}
	for page, next := range pagesOf(unshown(times, m.seen)) {
		hits, err := m.run.messageHits(ctx, page)
		if err != nil {
			return err
		}
		if !m.run.out.merge(MessageKind, hits, next) {
			return nil
		}
	}
	return nil
}
