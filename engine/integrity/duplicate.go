package integrity

import (
	"cmp"
	"fmt"
	"slices"

	"lcm-tui/engine/integrity/scan"
)

// duplicateCheck finds messages of a conversation that are stored more than once.
type duplicateCheck struct {
	found    *findings
	messages []scan.Message // By seq.
	imported map[int64]bool // Those that the host imported from the transcript.
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
		if m.IsHostNote || m.IsForgotten || m.IsBlank && m.PartCount == 0 {
			continue
		}
		k := key{m.TextHash, m.CreatedAtHash, scan.Hash(m.Role)}
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
		f := c.found.add(MessageDuplicate, messageAt(m.ID), fmt.Sprintf("has the same text as message %d (#%d), in the same second", kept.ID, kept.Seq), formatID(kept.ID), formatID(m.ID))
		_, before := copies[i-1]
		_, after := copies[i+1]
		f.NeedsNoChoice = (before || after || m.Runes >= unrepeatableRunes) && m.PartsHash == kept.PartsHash && m.PartCount == kept.PartCount
		if m.Runes < repeatableRunes && !before && !after {
			f.downgrade()
			f.Detail += "; short enough to be a real repetition"
		}
	}
}

// haveSameParts reports whether two messages of the same text have the same parts. A
// message that lost its parts counts as the same.
func haveSameParts(a, b *scan.Message) bool {
	return a.PartsHash == b.PartsHash && a.PartCount == b.PartCount || !a.IsBlank && (a.PartCount == 0 || b.PartCount == 0)
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
		k := key{m.TextHash, scan.Hash(m.Role)}
		going := map[int]*messageRun{}
		for d, r := range running {
			if c.isRepeated(i, d) {
				c.extendRun(r, i)
				going[d] = r
			} else {
				found = append(found, r)
			}
		}
		if m.Runes > leastRunes && !m.IsHostNote && !m.IsForgotten {
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
	return a.TextHash == b.TextHash && a.Role == b.Role && !b.IsForgotten
}

// extendRun adds message i to a run.
func (c *duplicateCheck) extendRun(r *messageRun, i int) {
	shift := c.messages[i].UnixTime - c.messages[i-r.distance].UnixTime
	if r.length == 0 {
		r.shift = shift
	}
	r.sameShift = r.sameShift && shift == r.shift
	r.length++
	if c.messages[i].Runes > leastRunes {
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
		imported := c.messages[b].UnixTime-c.messages[a].UnixTime <= 1 && c.messages[b-r.distance].UnixTime-c.messages[a-r.distance].UnixTime > 1
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
		ids, kept = append(ids, m.ID), append(kept, c.messages[r.from+i-r.distance].ID)
	}
	a, b := c.messages[r.from-r.distance], c.messages[r.from]
	f := c.found.add(MessageRunDuplicate, messageAt(b.ID), fmt.Sprintf("%d messages from #%d on repeat those from #%d on", r.length, b.Seq, a.Seq), formatIDs(ids)...)
	f.Originals = formatIDs(kept)
	f.NeedsNoChoice = r.sameShift && r.shift == 0 && c.equalParts(r)
}

// equalParts reports whether a run has the same parts as the one that it repeats.
func (c *duplicateCheck) equalParts(r *messageRun) bool {
	for i := r.from; i < r.from+r.length; i++ {
		a, b := &c.messages[i-r.distance], &c.messages[i]
		if a.PartsHash != b.PartsHash || a.PartCount != b.PartCount {
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
		if a.Role != "assistant" || b.Role != "assistant" || a.TextHash != b.TextHash || b.Runes <= leastRunes || b.IsForgotten || a.CreatedAtHash == b.CreatedAtHash {
			continue
		}
		if b.IsMirror && !a.HasReasoning {
			continue
		}
		if a.HasResponseID && !b.HasResponseID && b.UnixTime-a.UnixTime <= within {
			c.found.add(MessageDuplicate, messageAt(b.ID), fmt.Sprintf("has the same text as message %d right before it, without its response id: a second delivery", a.ID),
				formatID(a.ID), formatID(b.ID)).Severity = Warn
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
	nameless := map[key][]*scan.Message{}
	for i := range c.messages {
		m := &c.messages[i]
		k := key{m.IdentityHash, m.CreatedAtHash, scan.Hash(m.Role)}
		if m.IdentityHash == 0 {
			continue
		}
		if c.imported[m.ID] {
			for _, first := range nameless[k] {
				if first.Seq < m.Seq {
					c.addStoredAgain(first, m)
				}
			}
		}
		if !m.NamesEntry {
			nameless[k] = append(nameless[k], m)
		}
	}
}

// addStoredAgain adds the finding of a message that is stored a second time.
func (c *duplicateCheck) addStoredAgain(first, again *scan.Message) {
	detail := fmt.Sprintf("stored again from the transcript after a restart; message %d (#%d) is the first", first.ID, first.Seq)
	f := c.found.add(TurnStoredAgain, messageAt(again.ID), detail, formatID(first.ID), formatID(again.ID))
	// The transcript masks secrets, such as signatures, in the metadata of parts; the first row has them.
	f.NeedsNoChoice = first.TextHash == again.TextHash && first.CallsHash == again.CallsHash && first.PartCount == again.PartCount
}
