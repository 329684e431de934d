package search

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data/textsearch"
)

// firstRuns is in how many ranges of messages the first hits are looked for.
const firstRuns = 20

// firstMessages shows the first of many messages that a search finds.
type firstMessages struct {
	run   *run
	found []textsearch.MessageTime // In the ranges that were read.
	// unread is the first time that what isn't read of these ranges may have; hasUnread is false where all of them is read.
	unread    time.Time
	hasUnread bool
}

// show shows the first of many messages that the search table finds, in their order, before all of them are counted and
// their times are read. It needs ranges in which times rise with ids: what isn't read of a range then stands behind what is.
func (f *firstMessages) show(ctx context.Context, limits textsearch.IDRange) (goOn bool, err error) {
	r := f.run
	if r.Runs == nil || f.hasPrefix() {
		return true, nil
	}
	ids, err := textsearch.MatchingMessages(ctx, r.db, r.expression, limits, r.oldest(), lastPage)
	if err != nil || len(ids) < lastPage {
		return true, err
	}
	first, err := f.first(ctx, limits)
	if err != nil || len(first) == 0 {
		return err == nil, err
	}
	sortTimes(first, r.oldest())
	first = first[:min(len(first), firstPage)]
	r.shown = make(map[int64]bool, len(first))
	for _, m := range first {
		r.shown[m.ID] = true
	}
	goOn, err = r.showMessages(ctx, first)
	r.out.await(ctx, MessageKind)
	return goOn, err
}

// first returns messages that stand before all others: enough for a page, or what some ranges have of them.
func (f *firstMessages) first(ctx context.Context, limits textsearch.IDRange) (first []textsearch.MessageTime, err error) {
	runs := slices.Clone(f.run.Runs)
	slices.SortStableFunc(runs, func(a, b textsearch.TimeRun) int {
		return boolOrder(f.isAhead(f.start(b), f.start(a)), f.isAhead(f.start(a), f.start(b)))
	})
	for i, in := range runs[:min(len(runs), firstRuns)] {
		if err := f.read(ctx, in, limits); err != nil {
			return nil, err
		}
		next := f.unread // The first time that another message may have.
		if i+1 < len(runs) && (!f.hasUnread || f.isAhead(f.start(runs[i+1]), f.unread)) {
			next = f.start(runs[i+1])
		}
		first = slices.DeleteFunc(slices.Clone(f.found), func(m textsearch.MessageTime) bool { return !m.At.Valid() || !f.isAhead(m.At.Time, next) })
		if len(first) >= firstPage {
			break
		}
	}
	return first, nil
}

// read reads the first messages of a range.
func (f *firstMessages) read(ctx context.Context, in textsearch.TimeRun, limits textsearch.IDRange) error {
	ids, times, err := matchingTimes(ctx, f.run, intersect(in.IDRange, limits), firstPage)
	if err != nil {
		return err
	}
	f.found = append(f.found, times...)
	if len(ids) < firstPage {
		return nil
	}
	at := f.start(in)
	for _, m := range times { // Those without a valid time stand last.
		if m.At.Valid() {
			at = m.At.Time
		}
	}
	if !f.hasUnread || f.isAhead(at, f.unread) {
		f.unread, f.hasUnread = at, true
	}
	return nil
}

// hasPrefix reports whether the query has the beginning of words: the search table collects all of their messages before it finds the
// first, so that each question takes long.
func (f *firstMessages) hasPrefix() bool {
	return slices.ContainsFunc(f.run.words.Groups, func(terms []textsearch.IndexTerm) bool {
		return slices.ContainsFunc(terms, func(t textsearch.IndexTerm) bool { return t.Prefix })
	})
}

// start returns the time at which the reading of a range begins.
func (f *firstMessages) start(in textsearch.TimeRun) time.Time {
	if f.run.oldest() {
		return in.First
	}
	return in.Last
}

// isAhead reports whether a time stands before another one in the order of hits.
func (f *firstMessages) isAhead(a, b time.Time) bool {
	if f.run.oldest() {
		return a.Before(b)
	}
	return a.After(b)
}

// unshown leaves messages out that were looked at first.
func unshown(times []textsearch.MessageTime, shown map[int64]bool) []textsearch.MessageTime {
	return slices.DeleteFunc(times, func(m textsearch.MessageTime) bool { return shown[m.ID] })
}
