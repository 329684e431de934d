package redact

import "slices"

// automaton finds many words in one pass over a text (Aho and Corasick's). Its alphabet is the
// bytes that stand in words, and one letter for all others, so that its table stays in the
// processor's cache.
type automaton struct {
	letters [256]uint16 // The letter of a byte; 0 is every byte that stands in no word.
	width   int         // How many letters there are.
	next    []uint32    // By state and letter: the next state, as find reads it when all are connected.
	ends    [][]int     // By state: the words that end there.
	lengths []int       // By word, in bytes.
}

// wordEnds is set in a next state at which a word ends.
const wordEnds = 1 << 31

// newAutomaton builds the automaton of some words, none of them empty. With fold it finds them
// in upper and lower case alike, where they must be in lower case.
func newAutomaton(words []string, fold bool) *automaton {
	a := &automaton{width: 1}
	for _, w := range words {
		a.lengths = append(a.lengths, len(w))
		for i := range len(w) {
			if a.letters[w[i]] == 0 {
				a.letters[w[i]] = uint16(a.width)
				a.width++
			}
		}
	}
	if fold {
		for b := byte('A'); b <= 'Z'; b++ {
			a.letters[b] = a.letters[b+'a'-'A']
		}
	}
	a.addState()
	for i, w := range words {
		a.addWord(w, i)
	}
	a.connect()
	for i, s := range a.next { // The place of its first letter instead of its number.
		a.next[i] = s * uint32(a.width)
		if len(a.ends[s]) > 0 {
			a.next[i] |= wordEnds
		}
	}
	return a
}

func (a *automaton) addState() uint32 {
	a.next = append(a.next, make([]uint32, a.width)...)
	a.ends = append(a.ends, nil)
	return uint32(len(a.ends) - 1)
}

func (a *automaton) addWord(w string, index int) {
	state := uint32(0)
	for i := range len(w) {
		at := int(state)*a.width + int(a.letters[w[i]])
		if a.next[at] == 0 {
			n := a.addState()
			a.next[at] = n
		}
		state = a.next[at]
	}
	a.ends[state] = append(a.ends[state], index)
}

// connect leads every state on where its words don't go on: to the longest end of what was read
// that begins a word.
func (a *automaton) connect() {
	fail := make([]uint32, len(a.ends))
	var queue []uint32
	for l := range a.width {
		if s := a.next[l]; s != 0 {
			queue = append(queue, s)
		}
	}
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		for l := range a.width {
			at, other := int(s)*a.width+l, a.next[int(fail[s])*a.width+l]
			if a.next[at] == 0 {
				a.next[at] = other
				continue
			}
			child := a.next[at]
			fail[child] = other
			a.ends[child] = slices.Concat(a.ends[child], a.ends[other])
			queue = append(queue, child)
		}
	}
}

// find calls hit for each word of the text with its place, until hit returns false.
func (a *automaton) find(text string, hit func(word, start, end int) bool) {
	state := uint32(0)
	for i := range len(text) {
		state = a.next[state+uint32(a.letters[text[i]])]
		if state&wordEnds == 0 {
			continue
		}
		state &^= wordEnds
		for _, w := range a.ends[int(state)/a.width] {
			if !hit(w, i+1-a.lengths[w], i+1) {
				return
			}
		}
	}
}
