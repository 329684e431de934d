package integrity

import (
	"fmt"
	"time"

	"lcm-tui/data"
)

// slack is how far times may be apart.
const slack = 2 * time.Second

func differ(a, b time.Time) bool { return a.Sub(b).Abs() > slack }

// timeFault is a leaf whose range is off.
type timeFault struct {
	n      *node
	lo, hi time.Time
}

// leafTimes: a leaf spans its messages. Where all leaves that are off are off by
// the same quarters of an hour, the host took UTC for its local time.
func (t *talk) leafTimes() {
	var off []timeFault
	shifts := map[time.Duration]int{}
	for _, n := range t.order {
		lo, hi, ok := t.span(n)
		if n.condensed() || !ok || n.EarliestAt.Valid() && n.LatestAt.Valid() && !differ(n.EarliestAt.Time, lo) && !differ(n.LatestAt.Time, hi) {
			continue
		}
		off = append(off, timeFault{n, lo, hi})
		if a, b := n.EarliestAt.Sub(lo).Round(time.Second), n.LatestAt.Sub(hi).Round(time.Second); a == b && a%(15*time.Minute) == 0 {
			shifts[a]++
		}
	}
	zone := time.Duration(0)
	for shift, n := range shifts {
		if n == len(off) && n > 1 {
			zone = shift
		}
	}
	for _, f := range off {
		detail := fmt.Sprintf("%s to %s, its messages are from %s to %s", told(f.n.EarliestAt), told(f.n.LatestAt), f.lo.Format(time.DateTime), f.hi.Format(time.DateTime))
		if zone != 0 {
			detail += fmt.Sprintf("; all of them are off by %s, as when UTC is taken for local time", zone)
		}
		t.add(LeafTimeRangeWrong, summary(f.n.ID), detail)
	}
}

func told(v data.Time) string {
	if v.Null || v.Raw == "" {
		return "none"
	}
	return clipped(v.Raw)
}

// span is from the oldest of a leaf's messages to the newest.
func (t *talk) span(n *node) (lo, hi time.Time, ok bool) {
	var first, last int64
	for _, id := range n.members {
		i, known := t.place[id]
		if !known || t.said[i].at == 0 {
			continue
		}
		at := t.said[i].at
		if first == 0 || at < first {
			first = at
		}
		last = max(last, at)
	}
	return time.Unix(first, 0).UTC(), time.Unix(last, 0).UTC(), first != 0
}

// condensedTimes: a condensed summary spans its sources.
func (t *talk) condensedTimes(n *node) {
	var lo, hi time.Time
	for _, id := range n.sources {
		s := t.nodes[id]
		if s == nil || s == n {
			continue
		}
		from, to := orElse(s.EarliestAt, s.CreatedAt), orElse(s.LatestAt, s.CreatedAt)
		if lo.IsZero() || !from.IsZero() && from.Before(lo) {
			lo = from
		}
		if to.After(hi) {
			hi = to
		}
	}
	switch {
	case lo.IsZero() || hi.IsZero():
	case !n.EarliestAt.Valid() || !n.LatestAt.Valid(), differ(n.EarliestAt.Time, lo), differ(n.LatestAt.Time, hi):
		t.add(CondensedTimeRangeWrong, summary(n.ID), fmt.Sprintf("%s to %s, its sources are from %s to %s", told(n.EarliestAt), told(n.LatestAt), lo.Format(time.DateTime), hi.Format(time.DateTime)))
	}
}

// orElse is the time, or where none is stored another.
func orElse(v, other data.Time) time.Time {
	if v.Null || v.Raw == "" {
		return other.Time
	}
	return v.Time
}
