package data

import (
	"context"
	"errors"
	"slices"
)

// Columns in which hosts note things by the way: that one has another value now is no
// reason to refuse an undo.
const (
	touched = "updated_at"
	hashed  = "identity_hash" // Filled in where there was none.
)

// essential leaves out of changes that undo others what an undo needn't compare: columns
// that the record didn't change, when something was last touched, and hashes that a host
// has filled in. What is newer there stays.
func (t *tx) essential(ctx context.Context, cs []Change) ([]Change, error) {
	out := make([]Change, 0, len(cs))
	for _, c := range cs {
		if c.Before == nil || c.Table == "context_items" {
			out = append(out, c)
			continue
		}
		got, err := t.present(ctx, c)
		if err != nil {
			return nil, err
		}
		if got == nil {
			return nil, stale(c, nil)
		}
		if c.After == nil {
			c.Before = c.Before.asNoted(got)
		} else {
			c = c.changed(got)
		}
		if c.After == nil || len(c.After) > len(c.Key) {
			out = append(out, c)
		}
	}
	return out, nil
}

// asNoted is a row with what a host notes by the way as it is now.
func (r Row) asNoted(got Row) Row {
	if r.brief() {
		for _, less := range [][]string{{touched}, {hashed}, {touched, hashed}} {
			rest := got
			for _, column := range less {
				rest = rest.without(column)
			}
			if r[digestColumn] == rest.digest() {
				n := r.pick(r.Columns())
				n[digestColumn] = got.digest()
				return n
			}
		}
		return r
	}
	n := r.pick(r.Columns())
	if at, ok := got[touched]; ok {
		if _, own := r[touched]; own {
			n[touched] = at
		}
	}
	if hash, own := r[hashed]; own && hash == nil {
		n[hashed] = got[hashed]
	}
	return n
}

// changed is a change of only the columns in which its images differ, without what was
// touched since.
func (c Change) changed(got Row) Change {
	columns := slices.DeleteFunc(c.After.Columns(), func(column string) bool {
		was, known := c.Before[column]
		switch {
		case slices.Contains(c.Key, column):
			return false
		case column == touched && !sameValue(got[column], was):
			return true
		}
		return known && sameValue(was, c.After[column])
	})
	for _, k := range c.Key {
		if !slices.Contains(columns, k) {
			columns = append(columns, k)
		}
	}
	before := slices.DeleteFunc(slices.Clone(columns), func(column string) bool { _, known := c.Before[column]; return !known })
	c.Before, c.After = c.Before.pick(before), c.After.pick(columns)
	return c
}

// blocked makes a BlockedError of the failure to undo a record, if a later one that isn't
// undone changed the same rows, or rows that name those which it made.
func (db *DB) blocked(ctx context.Context, r Record, cs []Change, failure error) error {
	var changed *StaleError
	var broken *InvariantError
	if failure == nil || !errors.As(failure, &changed) && !errors.As(failure, &broken) && !errors.Is(failure, ErrConstraint) {
		return failure
	}
	touches := touching(cs)
	later, err := db.History(ctx)
	if err != nil {
		return failure
	}
	for _, l := range later { // The newest first: it is the one that can be undone.
		if l.ID <= r.ID || l.Undone() {
			continue
		}
		_, changes, err := db.RecordChanges(ctx, l.ID)
		if err == nil && slices.ContainsFunc(changes, touches) {
			return &BlockedError{Record: r.ID, By: l.ID, Title: l.Title, Err: failure}
		}
	}
	return failure
}

// namedBy are the columns by which rows of other tables name a row.
var namedBy = map[string]string{"messages": "message_id", "summaries": "summary_id", "conversations": "conversation_id"}

// names reports whether a changed row names one of these.
func (c Change) names(ids map[string]bool) bool {
	for _, r := range []Row{c.Before, c.After} {
		for _, column := range []string{"message_id", "summary_id", "parent_summary_id"} {
			if v, ok := r[column]; ok && v != nil && ids[asText(v)] {
				return true
			}
		}
	}
	return false
}
