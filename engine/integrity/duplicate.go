package integrity

import (
	"cmp"
	"fmt"
	"slices"
)

// duplicateCheck finds messages of a conversation that are stored more than once.
type duplicateCheck struct {
	found    *findings
	messages []scannedMessage // By seq.
	imported map[int64]bool   // Those that the host imported from the transcript.
}

// checkDuplicates finds messages that are stored more than once.
func (c *duplicateCheck) checkDuplicates() {
	c.checkEqualMessages()
	c.checkRuns()
	c.checkDeliveryMirrors()
	c.checkStoredAgain()
}

// checkEqualMessages finds messages with the same text, role and second. Somebody may
// repeat a short text within a second: a single short one is Info, and a single one that
// isn't long is for the user to decide.
func (c *duplicateCheck) checkEqualMessages() {
	type key struct{ text, stamp, role uint64 }
	first := map[key][]int{}
	copies := map[int]int{}
	for i := range c.messages {
		m := &c.messages[i]
		if m.isHostNote || m.isForgotten || m.isBlank && m.partCount == 0 {
			continue
		}
		k := key{m.textHash, m.createdAtHash, hash(m.role)}
		for _, j := range first[k] {
			if haveSameParts(&c.messages[j], m) {
				copies[i] = j
				break
			}
		}
		if _, again := copies[i]; !again {
			first[k] = append(first[k], i)
		}
	}
	for i := range c.messages {
		j, ok := copies[i]
		if !ok {
			continue
		}
		m, kept := &c.messages[i], &c.messages[j]
		f := c.found.add(MessageDuplicate, messageAt(m.id), fmt.Sprintf("has the same text as message %d (#%d), in the same second", kept.id, kept.seq), formatID(kept.id), formatID(m.id))
		_, before := copies[i-1]
		_, after := copies[i+1]
		f.NeedsNoChoice = (before || after || m.runes >= unrepeatableRunes) && m.partsHash == kept.partsHash && m.partCount == kept.partCount
		if m.runes < repeatableRunes && !before && !after {
			f.downgrade()
			f.Detail += "; short enough to be a real repetition"
		}
	}
}

// haveSameParts reports whether two messages of the same text have the same parts. A
// message that lost its parts counts as the same.
func haveSameParts(a, b *scannedMessage) bool {
	return a.partsHash == b.partsHash && a.partCount == b.partCount || !a.isBlank && (a.partCount == 0 || b.partCount == 0)
}

// repeatableRunes is the length below which somebody may repeat a text within a second.
const repeatableRunes = 20

// unrepeatableRunes is the length from which on nobody repeats a text within a second.
const unrepeatableRunes = 120

// messageRun is a run of messages that equals an earlier one.
type messageRun struct {
	from, distance, length int
	longMessages           int   // How many of them are longer than leastRunes.
	shift                  int64 // The seconds between a message and the one that it repeats.
	sameShift              bool  // It is the same for all messages of the run.
}

const (
	leastRunes  = 12 // A run begins with a message of more letters.
	leastRun    = 3
	mostRepeats = 48 // How many earlier messages with the same text are compared.
)

// checkRuns finds runs of three or more messages that equal an earlier run at one
// distance. An agent in a loop repeats itself at other intervals.
func (c *duplicateCheck) checkRuns() {
	type key struct{ text, role uint64 }
	earlier := map[key][]int{}
	running := map[int]*messageRun{}
	var found []*messageRun
	for i := range c.messages {
		m := &c.messages[i]
		k := key{m.textHash, hash(m.role)}
		going := map[int]*messageRun{}
		for d, r := range running {
			if c.isRepeated(i, d) {
				c.extendRun(r, i)
				going[d] = r
			} else {
				found = append(found, r)
			}
		}
		if m.runes > leastRunes && !m.isHostNote && !m.isForgotten {
			for _, j := range earlier[k] {
				if going[i-j] == nil {
					going[i-j] = &messageRun{from: i, distance: i - j, sameShift: true}
					c.extendRun(going[i-j], i)
				}
			}
			list := append(earlier[k], i)
			earlier[k] = list[max(0, len(list)-mostRepeats):]
		}
		running = going
	}
	for _, r := range running {
		found = append(found, r)
	}
	c.addRuns(found)
}

// isRepeated reports whether message i equals the one that lies distance before it.
func (c *duplicateCheck) isRepeated(i, distance int) bool {
	a, b := &c.messages[i-distance], &c.messages[i]
	return a.textHash == b.textHash && a.role == b.role && !b.isForgotten
}

// extendRun adds message i to a run.
func (c *duplicateCheck) extendRun(r *messageRun, i int) {
	shift := c.messages[i].unixTime - c.messages[i-r.distance].unixTime
	if r.length == 0 {
		r.shift = shift
	}
	r.sameShift = r.sameShift && shift == r.shift
	r.length++
	if c.messages[i].runes > leastRunes {
		r.longMessages++
	}
}

// addRuns adds a finding for each run that can't be an agent's loop.
func (c *duplicateCheck) addRuns(found []*messageRun) {
	found = slices.DeleteFunc(found, func(r *messageRun) bool { return r.longMessages < leastRun })
	slices.SortStableFunc(found, func(a, b *messageRun) int { return cmp.Or(a.from-b.from, b.distance-a.distance) })
	added := -1
	for _, r := range found {
		a, b := r.from, r.from+r.length-1
		imported := c.messages[b].unixTime-c.messages[a].unixTime <= 1 && c.messages[b-r.distance].unixTime-c.messages[a-r.distance].unixTime > 1
		if r.from != added && (imported || r.sameShift && (r.shift == 0 || !r.isLoop(found))) {
			added = r.from // A third copy is compared with the first.
			c.addRun(r)
		}
	}
}

// isLoop reports whether a run is part of one that repeats itself more than once.
func (r *messageRun) isLoop(all []*messageRun) bool {
	return slices.ContainsFunc(all, func(o *messageRun) bool {
		return o.length > o.distance && o.from-o.distance <= r.from && r.from < o.from+o.length
	})
}

// addRun adds the finding of one run.
func (c *duplicateCheck) addRun(r *messageRun) {
	var ids, kept []int64
	for i, m := range c.messages[r.from : r.from+r.length] {
		ids, kept = append(ids, m.id), append(kept, c.messages[r.from+i-r.distance].id)
	}
	a, b := c.messages[r.from-r.distance], c.messages[r.from]
	f := c.found.add(MessageRunDuplicate, messageAt(b.id), fmt.Sprintf("%d messages from #%d on repeat those from #%d on", r.length, b.seq, a.seq), formatIDs(ids)...)
	f.Originals = formatIDs(kept)
	f.NeedsNoChoice = r.sameShift && r.shift == 0 && c.equalParts(r)
}

// equalParts reports whether a run has the same parts as the one that it repeats.
func (c *duplicateCheck) equalParts(r *messageRun) bool {
	for i := r.from; i < r.from+r.length; i++ {
		a, b := &c.messages[i-r.distance], &c.messages[i]
		if a.partsHash != b.partsHash || a.partCount != b.partCount {
			return false
		}
	}
	return true
}

// checkDeliveryMirrors finds answers that a delivery stored a second time, without the
// response id of the provider. A host stores its own copy of a plain answer on purpose, and leaves
// out only that of an answer with reasoning.
func (c *duplicateCheck) checkDeliveryMirrors() {
	const within = 120
	for i := 1; i < len(c.messages); i++ {
		a, b := &c.messages[i-1], &c.messages[i]
		if a.role != "assistant" || b.role != "assistant" || a.textHash != b.textHash || b.runes <= leastRunes || b.isForgotten || a.createdAtHash == b.createdAtHash {
			continue
		}
		if b.isMirror && !a.hasReasoning {
			continue
		}
		if a.hasResponseID && !b.hasResponseID && b.unixTime-a.unixTime <= within {
			c.found.add(MessageDuplicate, messageAt(b.id), fmt.Sprintf("has the same text as message %d right before it, without its response id: a second delivery", a.id),
				formatID(a.id), formatID(b.id)).Severity = Warn
		}
	}
}

// checkStoredAgain finds messages that the host imported from the transcript although an
// earlier row holds them, which names no entry.
func (c *duplicateCheck) checkStoredAgain() {
	if len(c.imported) == 0 {
		return
	}
	type key struct{ identity, stamp, role uint64 }
	nameless := map[key][]*scannedMessage{}
	for i := range c.messages {
		m := &c.messages[i]
		k := key{m.identityHash, m.createdAtHash, hash(m.role)}
		if m.identityHash == 0 {
			continue
		}
		if c.imported[m.id] {
			for _, first := range nameless[k] {
				if first.seq < m.seq {
					c.addStoredAgain(first, m)
				}
			}
		}
		if !m.namesEntry {
			nameless[k] = append(nameless[k], m)
		}
	}
}

// addStoredAgain adds the finding of a message that is stored a second time.
func (c *duplicateCheck) addStoredAgain(first, again *scannedMessage) {
	detail := fmt.Sprintf("stored again from the transcript after a restart; message %d (#%d) is the first", first.id, first.seq)
	f := c.found.add(TurnStoredAgain, messageAt(again.id), detail, formatID(first.id), formatID(again.id))
	// The transcript masks secrets, such as signatures, in the metadata of parts; the first row has them.
	f.NeedsNoChoice = first.textHash == again.textHash && first.callsHash == again.callsHash && first.partCount == again.partCount
}
