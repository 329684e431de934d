package redact

import (
	"strings"

	"lcm-tui/internal/sorting"
)

// sequence is a control sequence of a terminal in a text: a colour, a title, a link. It may be spelled, as
// \x1b[32m in a program or \u001b[32m in JSON.
type sequence struct {
	from, to int
	// payload and end are the place of what a command of the operating system (OSC) carries: a title or
	// the address of a link. Both are 0 for other sequences.
	payload, end int
}

// maxControl and maxPayload are how long a sequence, and what one carries, may be.
const (
	maxControl = 64
	maxPayload = 4 << 10
)

// sequences returns the control sequences of a text, in order.
func sequences(text string) (out []sequence) {
	for _, first := range []byte(startBytes) {
		for i := 0; i < len(text); {
			n := strings.IndexByte(text[i:], first)
			if n < 0 {
				break
			}
			i += n
			s, ok := sequenceAt(text, i)
			switch {
			case ok:
				out = append(out, s)
				i = s.to
			case first == '\\':
				i += backslashes(text, i)
			default:
				i++
			}
		}
	}
	if len(out) == 0 {
		return nil
	}
	return inSequence(out)
}

// inSequence sorts control sequences that were found by their first bytes. One that lies in another
// belongs to it.
func inSequence(all []sequence) []sequence {
	sorting.Stable(all, func(a, b *sequence) int { return a.from - b.from })
	out := all[:1]
	for _, s := range all[1:] {
		if s.from >= out[len(out)-1].to {
			out = append(out, s)
		}
	}
	return out
}

// startBytes are those with which a sequence may begin.
const startBytes = "\x1b\\^\xc2"

// sequenceAt returns the control sequence that begins at a place.
func sequenceAt(text string, from int) (s sequence, ok bool) {
	var i int
	var kind byte
	switch {
	case strings.HasPrefix(text[from:], "\u009b"):
		i, kind = from+2, '['
	case strings.HasPrefix(text[from:], "\u009d"):
		i, kind = from+2, ']'
	default:
		if i = escapeAt(text, from); i == from || i >= len(text) {
			return s, false
		}
		kind = text[i]
		i++
	}
	switch kind {
	case '[':
		end := controlEnd(text, i)
		return sequence{from: from, to: end}, end > i
	case ']':
		payload, to := payloadEnd(text, i)
		return sequence{from: from, to: to, payload: i, end: payload}, true
	case '(', ')', '#', '%': // One letter or digit says which characters follow.
		return sequence{from: from, to: i + 1}, i < len(text) && isWord(text[i])
	}
	return sequence{from: from, to: i}, text[from] == '\x1b' && strings.IndexByte("78=>cDEHMNOPXZ\\^_", kind) >= 0
}

// spelledEscapes are how programs and JSON write the escape character behind a backslash.
var spelledEscapes = []string{"u001b", "u001B", "x1b", "x1B", "033", "e", "E", "u{1b}", "u{1B}", "x{1b}", "x{1B}"}

// escapeAt returns the place behind an escape character, spelled or not, or i where there is none.
func escapeAt(text string, i int) int {
	switch {
	case text[i] == '\x1b':
		return i + 1
	case strings.HasPrefix(text[i:], "^["):
		return i + 2
	case text[i] != '\\':
		return i
	}
	j := i + backslashes(text, i)
	if j == len(text) || strings.IndexByte("ux0eE", text[j]) < 0 {
		return i
	}
	for _, s := range spelledEscapes {
		if strings.HasPrefix(text[j:], s) {
			return j + len(s)
		}
	}
	return i
}

// controlEnd returns the place behind the parameters and the last letter of a control sequence, or i.
func controlEnd(text string, i int) int {
	for j := i; j < min(len(text), i+maxControl); j++ {
		switch b := text[j]; {
		case b >= 0x40 && b <= 0x7e:
			return j + 1
		case b < 0x20 || b > 0x3f:
			return i
		}
	}
	return i
}

// payloadEnd returns where what a sequence carries ends, and where the sequence does. Of one without an end
// only the start is taken.
func payloadEnd(text string, i int) (payload, to int) {
	for j := i; j < min(len(text), i+maxPayload); j++ {
		switch text[j] {
		case '\n':
			return i, i
		case '\a':
			return j, j + 1
		case '\x1b', '\\', '^', '\xc2':
			if to := terminatorAt(text, j); to > j {
				return j, to
			}
		}
	}
	return i, i
}

// spelledBells are how programs and JSON write the bell behind a backslash.
var spelledBells = []string{"u0007", "x07", "007", "a"}

// terminatorAt returns the place behind what ends a payload, or i.
func terminatorAt(text string, i int) int {
	if strings.HasPrefix(text[i:], "\u009c") || strings.HasPrefix(text[i:], "^G") {
		return i + 2
	}
	if j := escapeAt(text, i); j > i { // A backslash follows, which is two for each with which the escape is spelled.
		size := max(1, 2*backslashes(text, i))
		if backslashes(text, j) >= size {
			return j + size
		}
		return i
	}
	j := i + backslashes(text, i)
	for _, s := range spelledBells {
		if j > i && strings.HasPrefix(text[j:], s) {
			return j + len(s)
		}
	}
	return i
}

// backslashes returns how many of them stand one behind the other.
func backslashes(text string, i int) (n int) {
	for i+n < len(text) && text[i+n] == '\\' {
		n++
	}
	return n
}

// visible returns a text without its control sequences.
func visible(text string) string {
	return removeSequences(text, sequences(text)).text
}

// view is a text on which rules are matched, and where it stands in the text that it was made of.
type view struct {
	text string
	cuts []cut // What was left out, in order.
}

// cut is a place in a view before which something was left out.
type cut struct{ at, removed int } // removed are all bytes up to there.

// removeSequences returns the view of a text without sequences.
func removeSequences(text string, all []sequence) view {
	if len(all) == 0 {
		return view{text: text}
	}
	var b strings.Builder
	cuts := make([]cut, 0, len(all))
	at, removed := 0, 0
	for _, s := range all {
		b.WriteString(text[at:s.from])
		removed += s.to - s.from
		cuts = append(cuts, cut{b.Len(), removed})
		at = s.to
	}
	b.WriteString(text[at:])
	return view{b.String(), cuts}
}

// place gives a place in the view its place in the text: of the byte that stands there.
func (v view) place(i int) int {
	lo, hi := 0, len(v.cuts) // The cuts before lo are at or before i.
	for lo < hi {
		if mid := (lo + hi) / 2; v.cuts[mid].at <= i {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo == 0 {
		return i
	}
	return i + v.cuts[lo-1].removed
}

// span returns the place in the text of what stands in the view, without sequences around it.
func (v view) span(from, to int) (int, int) { return v.place(from), v.place(to-1) + 1 }

// blankSequences returns a text of the same length in which control sequences are blanks, but for what they
// carry.
func blankSequences(text string, all []sequence) string {
	if len(all) == 0 {
		return text
	}
	b := []byte(text)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			b[i] = ' '
		}
	}
	for _, s := range all {
		if s.end > s.payload {
			blank(s.from, s.payload)
			blank(s.end, s.to)
			continue
		}
		blank(s.from, s.to)
	}
	return string(b)
}

// coloursIn returns the control sequences of a text one behind the other, without those that carry a payload.
func coloursIn(text string) string {
	var b strings.Builder
	for _, s := range sequences(text) {
		if s.payload == 0 {
			b.WriteString(text[s.from:s.to])
		}
	}
	return b.String()
}
