package compare

import "slices"

// Aligned says which stored message is which entry.
type Aligned struct {
	Stored []int32 // Of each entry the index of its message, or -1.
	Masked []bool  // The message has the text that is masked in the entry; nil if none has.
	byID   []bool
	// outOfOrder are the entries whose message stands in another place.
	outOfOrder []bool
}

// Unaligned is in the place of a message that an entry doesn't have.
const Unaligned = -1

// Align matches stored messages and entries, both in their order: by the ids of entries, then by
// texts between those. The text of a stored message is asked for only where the entry beside it
// has masks.
func Align(stored, entries []Mark, text func(stored int) (role, content string)) Aligned {
	a := &aligner{stored: stored, entries: entries, text: text, taken: make([]bool, len(stored))}
	a.Stored, a.byID, a.outOfOrder = make([]int32, len(entries)), make([]bool, len(entries)), make([]bool, len(entries))
	for k := range a.Stored {
		a.Stored[k] = Unaligned
	}
	byID := make(map[uint64]int32, len(stored))
	for i, m := range stored {
		if m.entry != 0 {
			byID[m.entry] = int32(i)
		}
	}
	var anchors []pair
	for k, e := range entries {
		if i, ok := byID[e.entry]; ok && e.entry != 0 && !a.taken[i] {
			a.Stored[k], a.taken[i], a.byID[k] = i, true, true
			anchors = append(anchors, pair{i, int32(k)})
		}
	}
	from := pair{}
	for _, at := range append(longestRising(anchors), pair{int32(len(stored)), int32(len(entries))}) {
		a.fill(a.free(from, at))
		from = pair{at.stored + 1, at.entry + 1}
	}
	a.fillOutOfOrder()
	return a.Aligned
}

// IsRenumbered reports whether the ids by which most messages name entries stand at entries that say something else by
// now: ids that are made of the places of lines, in a file that was rewritten.
func IsRenumbered(stored, entries []Mark) bool {
	byID := make(map[uint64]*Mark, len(entries))
	for k := range entries {
		byID[entries[k].entry] = &entries[k]
	}
	same, other := 0, 0
	for i := range stored {
		m := &stored[i]
		switch e := byID[m.entry]; {
		case m.entry == 0 || e == nil || m.isForgotten || m.size == 0 && e.size == 0:
		case m.text == e.text:
			same++
		default:
			other++
		}
	}
	return other > same
}

// ForgetIDs makes marks compare by their texts alone.
func ForgetIDs(marks []Mark) {
	for i := range marks {
		marks[i].entry = 0
	}
}

// fillOutOfOrder aligns what is left with messages in other places that say the same: a host that
// stores a part of a transcript again leaves out the results of tools that it knows.
func (a *aligner) fillOutOfOrder() {
	var left map[uint64][]int32
	for k, e := range a.entries {
		if a.Stored[k] != Unaligned {
			continue
		}
		if left == nil {
			left = map[uint64][]int32{}
			for i, m := range a.stored {
				if !a.taken[i] {
					left[m.text] = append(left[m.text], int32(i))
				}
			}
		}
		for n, i := range left[e.text] {
			if a.align(i, int32(k)) {
				left[e.text] = left[e.text][n+1:]
				a.outOfOrder[k] = true
				break
			}
		}
	}
}

// Sure reports whether an entry is stored for certain. One that is known only by a short text
// must stand beside another that is aligned, since much is said more than once.
func (a *Aligned) Sure(k int, entries []Mark) bool {
	const long = 40 // Bytes.
	near := func(k int) bool {
		return k >= 0 && k < len(a.Stored) && a.Stored[k] != Unaligned && !a.outOfOrder[k]
	}
	return near(k) && (a.byID[k] || near(k-1) || near(k+1) || entries[k].size >= long || len(entries) == 1)
}

// pair is a message and its entry.
type pair struct{ stored, entry int32 }

type aligner struct {
	Aligned
	stored, entries []Mark
	text            func(int) (string, string)
	taken           []bool // The stored messages that have an entry.
}

// free returns the messages and entries from one pair up to another that aren't aligned.
func (a *aligner) free(from, to pair) (stored, entries []int32) {
	for i := from.stored; i < to.stored; i++ {
		if !a.taken[i] {
			stored = append(stored, i)
		}
	}
	for k := from.entry; k < to.entry; k++ {
		if a.Stored[k] == Unaligned {
			entries = append(entries, k)
		}
	}
	return stored, entries
}

// fill aligns messages with entries by their texts: those at both ends, those whose text stands
// once on either side, and what is between these.
func (a *aligner) fill(stored, entries []int32) {
	for len(stored) > 0 && len(entries) > 0 && (a.align(stored[0], entries[0]) || a.alignFile(stored[0], entries[0])) {
		stored, entries = stored[1:], entries[1:]
	}
	for len(stored) > 0 && len(entries) > 0 && (a.align(stored[len(stored)-1], entries[len(entries)-1]) || a.alignFile(stored[len(stored)-1], entries[len(entries)-1])) {
		stored, entries = stored[:len(stored)-1], entries[:len(entries)-1]
	}
	if len(stored) == 0 || len(entries) == 0 {
		return
	}
	common := a.unique(stored, entries)
	if len(common) == 0 {
		a.fillInOrder(stored, entries)
		return
	}
	from := pair{}
	for _, at := range append(common, pair{int32(len(stored)), int32(len(entries))}) {
		a.fill(stored[from.stored:at.stored], entries[from.entry:at.entry])
		if int(at.stored) < len(stored) {
			a.align(stored[at.stored], entries[at.entry])
		}
		from = pair{at.stored + 1, at.entry + 1}
	}
}

// align aligns a message with an entry if they say the same, or if the message's text was
// forgotten and was as long as the entry's. What names another entry came from there, whatever it
// says.
func (a *aligner) align(i, k int32) bool {
	e := &a.entries[k]
	if id := a.stored[i].entry; id != 0 && e.entry != 0 && id != e.entry {
		return false
	}
	if a.stored[i].text != e.text && !a.stored[i].wasAsLong(e) {
		if e.masked == nil || !e.masked.hides(a.text(int(i))) {
			return false
		}
		if a.Masked == nil {
			a.Masked = make([]bool, len(a.entries))
		}
		a.Masked[k] = true
	}
	a.Stored[k], a.taken[i] = i, true
	return true
}

// wasAsLong reports whether a forgotten text was as long as an entry's of the same role.
func (m *Mark) wasAsLong(e *Mark) bool {
	return m.isForgotten && !e.isForgotten && m.role == e.role && m.size == e.size
}

// alignFile aligns a message of which a part went into a file with an entry in the same place that
// is long enough to be the one.
func (a *aligner) alignFile(i, k int32) bool {
	const long = 1000 // Bytes.
	m, e := &a.stored[i], &a.entries[k]
	if !m.hasFile || e.hasFile || m.role != e.role || e.size < min(m.size, long) || m.entry != 0 && e.entry != 0 && m.entry != e.entry {
		return false
	}
	a.Stored[k], a.taken[i] = i, true
	return true
}

// unique returns pairs of texts that stand once on either side, in order, as indexes into both.
func (a *aligner) unique(stored, entries []int32) []pair {
	type places struct{ stored, entry, storedCount, entryCount int32 }
	found := make(map[uint64]*places, len(stored))
	for n, i := range stored {
		p := found[a.stored[i].text]
		if p == nil {
			p = &places{}
			found[a.stored[i].text] = p
		}
		p.stored = int32(n)
		p.storedCount++
	}
	for n, k := range entries {
		if p := found[a.entries[k].text]; p != nil {
			p.entry = int32(n)
			p.entryCount++
		}
	}
	var out []pair
	for n, k := range entries {
		if p := found[a.entries[k].text]; p != nil && p.storedCount == 1 && p.entryCount == 1 {
			out = append(out, pair{p.stored, int32(n)})
		}
	}
	return longestRising(out)
}

// fillInOrder aligns each entry with the next message that says the same, up to a distance.
func (a *aligner) fillInOrder(stored, entries []int32) {
	const most = 200 // Messages that are passed over.
	for _, k := range entries {
		for n, i := range stored[:min(most, len(stored))] {
			if a.align(i, k) {
				stored = stored[n+1:]
				break
			}
		}
	}
}

// longestRising returns the longest part of some pairs, which are in the order of entries, in which
// messages rise too.
func longestRising(pairs []pair) []pair {
	var tails []int // By length, the index of the pair with the lowest message that ends such a part.
	before := make([]int, len(pairs))
	for n, p := range pairs {
		at, _ := slices.BinarySearchFunc(tails, p.stored, func(t int, stored int32) int { return int(pairs[t].stored) - int(stored) })
		before[n] = -1
		if at > 0 {
			before[n] = tails[at-1]
		}
		if at == len(tails) {
			tails = append(tails, n)
		} else {
			tails[at] = n
		}
	}
	if len(tails) == 0 {
		return nil
	}
	out := make([]pair, 0, len(tails))
	for n := tails[len(tails)-1]; n >= 0; n = before[n] {
		out = append(out, pairs[n])
	}
	slices.Reverse(out)
	return out
}
