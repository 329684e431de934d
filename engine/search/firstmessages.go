package search

import (
	"context"
	"slices"
	"time"

	"lcm-tui/data/textsearch"
)

// firstRuns is in how many ranges of messages the first hits are looked for.
const firstRuns = 20

// showFirstMessages shows the first of many messages that the search table finds, in their order, before all of them are counted and
// their times are read. It needs ranges in which times rise with ids: what isn't read of a range then stands behind what is.
func (r *run) showFirstMessages(ctx context.Context, limits textsearch.IDRange) (goOn bool, err error) {
	if r.Runs == nil || r.hasPrefix() {
		return true, nil
	}
	ids, err := textsearch.MatchingMessages(ctx, r.db, r.expression, limits, r.oldest(), lastPage)
	if err != nil || len(ids) < lastPage {
		return true, err
	}
	runs := slices.Clone(r.Runs)
	slices.SortStableFunc(runs, func(a, b textsearch.TimeRun) int {
		return boolOrder(r.isAhead(r.start(b), r.start(a)), r.isAhead(r.start(a), r.start(b)))
	})
	var found []textsearch.MessageTime
	var unread, next time.Time // The first times that what isn't read may have: in the ranges so far, and in the others.
	hasUnread := false
	for i, in := range runs[:min(len(runs), firstRuns)] {
		ids, err := textsearch.MatchingMessages(ctx, r.db, r.expression, intersect(in.IDRange, limits), r.oldest(), firstPage)
		if err != nil {
			return false, err
		}
		times, err := textsearch.MessageTimes(ctx, r.db, ids, r.conditions.of(MessageKind))
		if err != nil {
			return false, err
		}
		sortTimes(times, r.oldest())
		found = append(found, times...)
		if len(ids) == firstPage {
			at := r.start(in)
			for _, m := range times { // Those without a valid time stand last.
				if m.At.Valid() {
					at = m.At.Time
				}
			}
			if !hasUnread || r.isAhead(at, unread) {
				unread, hasUnread = at, true
			}
		}
		if next = unread; i+1 < len(runs) && (!hasUnread || r.isAhead(r.start(runs[i+1]), unread)) {
			next = r.start(runs[i+1])
		}
		first := slices.DeleteFunc(slices.Clone(found), func(m textsearch.MessageTime) bool { return !m.At.Valid() || !r.isAhead(m.At.Time, next) })
		if len(first) >= firstPage || i+1 == min(len(runs), firstRuns) {
			found = first
			break
		}
	}
	if len(found) == 0 {
		return true, nil
	}
	sortTimes(found, r.oldest())
	found = found[:min(len(found), firstPage)]
	r.shown = make(map[int64]bool, len(found))
	for _, m := range found {
		r.shown[m.ID] = true
	}
	goOn, err = r.showMessages(ctx, found)
	r.out.await(ctx, MessageKind)
	return goOn, err
}

// hasPrefix reports whether the query has the beginning of words: the search table collects all of their messages before it finds the
// first, so that each question takes long.
func (r *run) hasPrefix() bool {
	return slices.ContainsFunc(r.words.Groups, func(terms []textsearch.IndexTerm) bool {
		return slices.ContainsFunc(terms, func(t textsearch.IndexTerm) bool { return t.Prefix })
	})
}

// start returns the time at which the reading of a range begins.
func (r *run) start(in textsearch.TimeRun) time.Time {
	if r.oldest() {
		return in.First
	}
	return in.Last
}

// isAhead reports whether a time stands before another one in the order of hits.
func (r *run) isAhead(a, b time.Time) bool {
	if r.oldest() {
		return a.Before(b)
	}
	return a.After(b)
}

// unshown leaves out the messages that were looked at first.
func (r *run) unshown(times []textsearch.MessageTime) []textsearch.MessageTime {
	return slices.DeleteFunc(times, func(m textsearch.MessageTime) bool { return r.shown[m.ID] })
}
