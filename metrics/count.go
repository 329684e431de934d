package metrics

import (
	"slices"

	"lcm-tui/data/change"
)

// count is what is counted from one sample to the next, and never falls: not where summaries are deleted or writes
// undone, and not where old records are.
type count struct {
	Created kindCounts `json:"created"`
	// Runs are the compactions that no job asked for.
	Runs int64 `json:"runs"`
	// LastRecord is the newest record that was counted.
	LastRecord int64 `json:"last_record"`
	// Undone are the records that are undone.
	Undone []int64 `json:"undone,omitempty"`
}

// The operations of records that are counted in a way of their own.
const (
	compactOp = "compact"
	pruneOp   = "prune"
	restoreOp = "restore"
)

// counted returns what is counted with the contents of a database, after the sample before; nil is none.
//
// What was created since then is what more is stored, and what was deleted meanwhile. So records that delete add to
// it, and an undo, which puts rows back or removes them, changes nothing.
func (c *contents) counted(before *sample) count {
	out := count{Created: kindCounts{}}
	var was sample // Nothing.
	if before != nil {
		was = *before
		out.Runs = was.Runs
		out.Created.add(was.Created, 1)
	}
	more, undone := kindCounts{}, kindCounts{}
	more.add(c.Stored, 1)
	more.add(was.Stored, -1)
	for _, e := range c.effects {
		isNew := e.Record > was.LastRecord
		switch {
		case isNew && e.Undone:
			more.add(e.Made, 1)
			undone.add(e.Made, 1)
		case isNew:
			more.add(e.Deleted, 1)
		case e.Undone && !slices.Contains(was.Undone, e.Record):
			more.add(e.Made, 1)
			more.add(e.Deleted, -1)
		}
		if isNew && e.Op == compactOp && e.Reason == "" {
			out.Runs++
		}
		if e.Undone {
			out.Undone = append(out.Undone, e.Record)
		}
		out.LastRecord = e.Record
	}
	for _, kind := range kinds {
		n := more[kind]
		if c.newer != nil { // Rows that come back were made before.
			n = c.newer[kind] + undone[kind]
		}
		out.Created[kind] += max(0, n)
	}
	return out
}

// movesSets reports whether summaries may have gone to the trash or come from it since a sample: records keep no images
// of these rows.
func movesSets(effects []change.SummaryEffect, before *sample, stored kindCounts) bool {
	more := int64(0)
	for _, kind := range kinds {
		more += stored[kind] - before.Stored[kind]
	}
	for _, e := range effects {
		if (e.Op == pruneOp || e.Op == restoreOp) && (e.Record > before.LastRecord || more > 0) {
			return true
		}
	}
	return false
}

// add adds a multiple of other numbers.
func (k kindCounts) add(more kindCounts, times int64) {
	for kind, n := range more {
		k[kind] += times * n
	}
}
