package data

import (
	"math"
	"slices"
)

// Layout is a context whose items have their ordinals.
//
// A host that compacts chooses places by their ordinals, asks a model for minutes, and
// then deletes by these ordinals without another look. So an item that was there keeps
// its ordinal; what replaces some items stands at the last of their ordinals, where the
// host's deletion takes it only together with all that it stands for; and gaps stay.
type Layout struct {
	Items []ContextItem
	// Moves says that items which were there get other ordinals.
	Moves bool
	// Inserts says that items come between two others in the place of none: a host that
	// chose the two before would delete them unseen.
	Inserts bool
	// Precedes says that items come into a gap before the first: a host that chose what
	// stood in it, before that was replaced, would delete them unseen.
	Precedes bool
}

// Safe reports whether the layout can be written beside a host that is at work.
func (l Layout) Safe() bool { return !l.Moves && !l.Inserts }

// LayOut gives the items of after their ordinals. Items that were read from the file
// are those of before with the same ordinal; all others are new.
func LayOut(before, after []ContextItem) Layout {
	l := &layoutBuilder{given: after, after: slices.Clone(after)}
	kept, last := map[int64]bool{}, int64(-1)
	for _, it := range after {
		if !it.fromFile {
			continue
		}
		if it.Ordinal <= last {
			return Dense(after)
		}
		last = it.Ordinal
		kept[last] = true
	}
	for _, it := range before {
		if !kept[it.Ordinal] {
			l.freed = append(l.freed, it.Ordinal)
		}
	}
	for from := 0; from < len(l.after); {
		to := from
		for to < len(l.after) && !l.after[to].fromFile {
			to++
		}
		if to > from {
			l.fill(from, to)
		}
		from = to + 1
	}
	return l.layout()
}

// layoutBuilder builds a layout.
type layoutBuilder struct {
	given   []ContextItem
	after   []ContextItem
	freed   []int64 // Ordinals of items that are no longer there, ascending.
	inserts bool

	precedes bool
}

// Dense is a layout without gaps.
func Dense(items []ContextItem) Layout {
	out := Layout{Items: make([]ContextItem, len(items))}
	for i, it := range items {
		out.Moves = out.Moves || it.fromFile && it.Ordinal != int64(i)
		out.Items[i] = it.MovedTo(int64(i))
	}
	return out
}

// fill gives the new items from:to ordinals between their neighbours, the highest free ones.
// Where there is no room they follow the item before them, and the items after them have to
// move.
func (l *layoutBuilder) fill(from, to int) {
	low, high := int64(-1), int64(-1) // Of the neighbors; there is no high at the end.
	if from > 0 {
		low = l.after[from-1].Ordinal
	}
	if to < len(l.after) {
		high = l.after[to].Ordinal
	}
	last, replaces := l.lastGone(low, high)
	switch {
	case replaces:
	case high < 0:
		last = low + int64(to-from)
	default:
		last = high - 1
		l.inserts, l.precedes = l.inserts || low >= 0, l.precedes || low < 0
	}
	next := last + 1
	for i := to - 1; i >= from; i-- {
		at := next - 1
		if it := l.after[i]; it.replaces && it.Ordinal < at {
			at = it.Ordinal
		}
		l.after[i] = l.after[i].MovedTo(at)
		next = at
	}
	for i := from; i < to; i++ { // Up again, where that was too far down.
		if at := l.after[i].Ordinal; at <= low {
			l.after[i] = l.after[i].MovedTo(low + 1)
		}
		low = l.after[i].Ordinal
	}
}

// lastGone is the highest free ordinal between two that something had.
func (l *layoutBuilder) lastGone(low, high int64) (last int64, ok bool) {
	i := len(l.freed)
	if high >= 0 {
		i, _ = slices.BinarySearch(l.freed, high)
	}
	if i == 0 || l.freed[i-1] <= low {
		return -1, false
	}
	return l.freed[i-1], true
}

// layout moves items up whose ordinals were taken. Where the numbers end it returns a layout
// without gaps.
func (l *layoutBuilder) layout() Layout {
	out := Layout{Items: l.after, Inserts: l.inserts, Precedes: l.precedes}
	last := int64(-1)
	for i, it := range l.after {
		if it.Ordinal <= last {
			if last == math.MaxInt64 {
				return Dense(l.given)
			}
			out.Moves = out.Moves || it.fromFile
			l.after[i] = it.MovedTo(last + 1)
		}
		last = l.after[i].Ordinal
	}
	return out
}
