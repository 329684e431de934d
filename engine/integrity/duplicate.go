package integrity

import (
	"cmp"
	"fmt"
	"slices"
)

// duplicates are messages stored more than once.
func (t *talk) duplicates() {
	t.exact()
	t.replays()
	t.mirrors()
}

// exact are rows that say the same in the same second. Short words may be said twice
// in one, so a single short one is good to know only; and a single one that isn't long
// is for the user to decide.
func (t *talk) exact() {
	type key struct{ text, stamp, role uint64 }
	first := map[key][]int{}
	copies := map[int]int{}
	for i := range t.said {
		s := &t.said[i]
		if s.note || s.blank && s.parts == 0 {
			continue
		}
		k := key{s.text, s.stamp, hash(s.role)}
		for _, j := range first[k] {
			if same(&t.said[j], s) {
				copies[i] = j
				break
			}
		}
		if _, again := copies[i]; !again {
			first[k] = append(first[k], i)
		}
	}
	for i := range t.said {
		j, ok := copies[i]
		if !ok {
			continue
		}
		s, kept := &t.said[i], &t.said[j]
		f := t.add(MessageDuplicate, message(s.id), fmt.Sprintf("says the same as message %d (#%d), in the same second", kept.id, kept.seq), number(kept.id), number(s.id))
		_, before := copies[i-1]
		_, after := copies[i+1]
		f.Decided = (before || after || s.letters >= longSaid) && s.same == kept.same && s.parts == kept.parts
		if s.letters < shortWords && !before && !after {
			f.mild()
			f.Detail += "; short enough to have been said twice"
		}
	}
}

// same reports whether two messages of the same text have the same parts. One that
// lost its parts is still the same.
func same(a, b *said) bool {
	return a.same == b.same && a.parts == b.parts || !a.blank && (a.parts == 0 || b.parts == 0)
}

// shortWords are so few letters that they may be said twice in a second.
const shortWords = 20

// longSaid are so many letters that nobody says them twice in a second.
const longSaid = 120

// replay is a stretch of messages that equals an earlier one.
type replay struct {
	from, distance, length int
	long                   int   // Messages of more than a word or two.
	shift                  int64 // The seconds between both.
	steady                 bool  // That is the same for all.
}

const (
	longWords   = 12 // Letters of which a message must have more, to begin a replay.
	leastReplay = 3
	mostRepeats = 48 // How many earlier messages of the same text are looked at.
)

// replays: three or more messages in a row that equal an earlier stretch at one
// distance. What an agent in a loop says is stamped otherwise.
func (t *talk) replays() {
	type key struct{ text, role uint64 }
	earlier := map[key][]int{}
	running := map[int]*replay{}
	var found []*replay
	for i := range t.said {
		s := &t.said[i]
		k := key{s.text, hash(s.role)}
		going := map[int]*replay{}
		for d, r := range running {
			if t.repeats(i, d) {
				t.extend(r, i)
				going[d] = r
			} else {
				found = append(found, r)
			}
		}
		if s.letters > longWords && !s.note {
			for _, j := range earlier[k] {
				if going[i-j] == nil {
					going[i-j] = &replay{from: i, distance: i - j, steady: true}
					t.extend(going[i-j], i)
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
	t.replayed(found)
}

func (t *talk) repeats(i, distance int) bool {
	a, b := &t.said[i-distance], &t.said[i]
	return a.text == b.text && a.role == b.role
}

func (t *talk) extend(r *replay, i int) {
	shift := t.said[i].at - t.said[i-r.distance].at
	if r.length == 0 {
		r.shift = shift
	}
	r.steady = r.steady && shift == r.shift
	r.length++
	if t.said[i].letters > longWords {
		r.long++
	}
}

// replayed tells of the stretches that can't be a loop.
func (t *talk) replayed(found []*replay) {
	found = slices.DeleteFunc(found, func(r *replay) bool { return r.long < leastReplay })
	slices.SortFunc(found, func(a, b *replay) int { return cmp.Or(a.from-b.from, b.distance-a.distance) })
	told := -1
	for _, r := range found {
		a, b := r.from, r.from+r.length-1
		imported := t.said[b].at-t.said[a].at <= 1 && t.said[b-r.distance].at-t.said[a-r.distance].at > 1
		if r.from != told && (imported || r.steady && (r.shift == 0 || !r.looping(found))) {
			told = r.from // Of a third copy the first is the one to be told of.
			t.replay(r)
		}
	}
}

// looping reports whether a stretch is part of one that goes round more than once.
func (r *replay) looping(all []*replay) bool {
	return slices.ContainsFunc(all, func(o *replay) bool {
		return o.length > o.distance && o.from-o.distance <= r.from && r.from < o.from+o.length
	})
}

func (t *talk) replay(r *replay) {
	var ids, kept []int64
	for i, s := range t.said[r.from : r.from+r.length] {
		ids, kept = append(ids, s.id), append(kept, t.said[r.from+i-r.distance].id)
	}
	a, b := t.said[r.from-r.distance], t.said[r.from]
	f := t.add(MessageRunDuplicate, message(b.id), fmt.Sprintf("%d messages from #%d on repeat those from #%d on", r.length, b.seq, a.seq), numbers(ids)...)
	f.Kept = numbers(kept)
	f.Decided = r.steady && r.shift == 0 && t.equalParts(r)
}

// equalParts reports whether a stretch has the parts of the one that it repeats.
func (t *talk) equalParts(r *replay) bool {
	for i := r.from; i < r.from+r.length; i++ {
		a, b := &t.said[i-r.distance], &t.said[i]
		if a.same != b.same || a.parts != b.parts {
			return false
		}
	}
	return true
}

// mirrors are answers that were delivered and then stored once more, without what
// the provider's answer had.
func (t *talk) mirrors() {
	const within = 120
	for i := 1; i < len(t.said); i++ {
		a, b := &t.said[i-1], &t.said[i]
		if a.role != "assistant" || b.role != "assistant" || a.text != b.text || b.letters <= longWords || a.stamp == b.stamp {
			continue
		}
		if a.response && !b.response && b.at-a.at <= within {
			t.add(MessageDuplicate, message(b.id), fmt.Sprintf("says the same as message %d right before it, without its response id: a mirror of its delivery", a.id),
				number(a.id), number(b.id)).Severity = Warn
		}
	}
}
