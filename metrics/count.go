package metrics

import (
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
	// Records are those that made or deleted summaries, by number: what they did is counted again when they are undone.
	Records map[int64]recordEffect `json:"records,omitempty"`
}

// recordEffect is what a counted record did.
type recordEffect struct {
	Made    kindCounts `json:"made,omitempty"`
	Deleted kindCounts `json:"deleted,omitempty"`
	Undone  bool       `json:"undone,omitempty"`
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
	out := count{Created: kindCounts{}, Records: map[int64]recordEffect{}}
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
		known, ok := was.Records[e.Record]
		isNew := e.Record > was.LastRecord
		switch {
		case isNew && e.Undone:
			more.add(e.Made, 1)
			undone.add(e.Made, 1)
		case isNew:
			more.add(e.Deleted, 1)
		case ok && e.Undone && !known.Undone:
			more.add(known.Made, 1)
			more.add(known.Deleted, -1)
		}
		if isNew {
			known, ok = recordEffect{Made: e.Made, Deleted: e.Deleted}, len(e.Made)+len(e.Deleted) > 0
			if e.Op == compactOp && e.Reason == "" {
				out.Runs++
			}
		}
		if known.Undone = e.Undone; ok {
			out.Records[e.Record] = known
		}
		out.LastRecord = e.Record
	}
	for _, kind := range kinds {
		n := more[kind]
		if c.newer != nil { // They are told from rows that come back by the times at which they were made.
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
