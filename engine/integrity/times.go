package integrity

import (
	"fmt"
	"time"

	"lcm-tui/data"
	"lcm-tui/engine/integrity/scan"
)

// slack is the difference of two times that counts as none.
const slack = 2 * time.Second

func differByMore(a, b time.Time) bool { return a.Sub(b).Abs() > slack }

// wrongRange is a leaf with a wrong time range, and the right one.
type wrongRange struct {
	n      *scan.Summary
	lo, hi time.Time
}

// checkLeafTimes compares each leaf's time range with its messages. Where all wrong leaves
// are off by the same quarters of an hour, the host took UTC for its local time.
func (c *summaryCheck) checkLeafTimes() {
	var off []wrongRange
	shifts := map[time.Duration]int{}
	for _, n := range c.rows.Summaries {
		lo, hi, ok := c.rows.MessageTimes(n)
		if n.IsCondensed() || !ok || n.EarliestAt.Valid() && n.LatestAt.Valid() && !differByMore(n.EarliestAt.Time, lo) && !differByMore(n.LatestAt.Time, hi) {
			continue
		}
		off = append(off, wrongRange{n, lo, hi})
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
		detail := fmt.Sprintf("%s to %s, its messages are from %s to %s", formatTime(f.n.EarliestAt), formatTime(f.n.LatestAt), f.lo.Format(time.DateTime), f.hi.Format(time.DateTime))
		if zone != 0 {
			detail += fmt.Sprintf("; all of them are off by %s, as when UTC is taken for local time", zone)
		}
		c.found.add(LeafTimeRangeWrong, summaryAt(f.n.ID), detail)
	}
}

// formatTime returns a stored time as the row has it.
func formatTime(v data.Time) string {
	if v.Null || v.Raw == "" {
		return "none"
	}
	return clip(v.Raw)
}

// checkCondensedTimes compares a condensed summary's time range with its sources.
func (c *summaryCheck) checkCondensedTimes(n *scan.Summary) {
	var lo, hi time.Time
	for _, id := range n.Sources {
		source := c.rows.Nodes[id]
		if source == nil || source == n {
			continue
		}
		from, to := timeOr(source.EarliestAt, source.CreatedAt), timeOr(source.LatestAt, source.CreatedAt)
		if lo.IsZero() || !from.IsZero() && from.Before(lo) {
			lo = from
		}
		if to.After(hi) {
			hi = to
		}
	}
	switch {
	case lo.IsZero() || hi.IsZero():
	case !n.EarliestAt.Valid() || !n.LatestAt.Valid(), differByMore(n.EarliestAt.Time, lo), differByMore(n.LatestAt.Time, hi):
		c.found.add(CondensedTimeRangeWrong, summaryAt(n.ID), fmt.Sprintf("%s to %s, its sources are from %s to %s", formatTime(n.EarliestAt), formatTime(n.LatestAt), lo.Format(time.DateTime), hi.Format(time.DateTime)))
	}
}

// timeOr returns a time, or another one where none is stored.
func timeOr(v, other data.Time) time.Time {
	if v.Null || v.Raw == "" {
		return other.Time
	}
	return v.Time
}
