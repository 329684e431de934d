package ops

import (
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
	"github.com/sergi/go-diff/diffmatchpatch"

	"lcm-tui/data/lcm"
)

// Mark says on which side a piece of a difference stands.
type Mark int8

// The marks.
const (
	Same    Mark = 0
	Removed Mark = -1
	Added   Mark = 1
)

// Piece is a run of text of one mark.
type Piece struct {
	Mark Mark
	Text string
}

// Pair is one row of two contexts side by side; one side may be absent.
type Pair struct {
	Before, After *lcm.ContextItem
}

// Mark of a pair: Same if both sides are there.
func (p Pair) Mark() Mark {
	switch {
	case p.Before == nil:
		return Added
	case p.After == nil:
		return Removed
	}
	return Same
}

// Align puts the items of two contexts side by side, equal ones in one row, and
// what was removed beside what came in its place.
func (c ContextChange) Align() []Pair {
	var pairs []Pair
	i, j := 0, 0
	for _, r := range runs(itemKeys(c.Before), itemKeys(c.After)) {
		for range r.n {
			switch r.mark {
			case Same:
				pairs, i, j = append(pairs, Pair{&c.Before[i], &c.After[j]}), i+1, j+1
			case Removed:
				pairs, i = append(pairs, Pair{&c.Before[i], nil}), i+1
			case Added:
				pairs, j = append(pairs, Pair{nil, &c.After[j]}), j+1
			}
		}
	}
	return pairs
}

func itemKeys(items []lcm.ContextItem) []string {
	keys := make([]string, len(items))
	for i, it := range items {
		keys[i] = it.Type + " " + it.Ref()
	}
	return keys
}

type run struct {
	mark Mark
	n    int
}

// runs returns the shortest way from a to b, as runs of elements.
func runs(a, b []string) []run {
	index := map[string]rune{}
	encode := func(list []string) []rune {
		out := make([]rune, len(list))
		for i, s := range list {
			r, ok := index[s]
			if !ok {
				r = runeOf(len(index))
				index[s] = r
			}
			out[i] = r
		}
		return out
	}
	d := diffmatchpatch.New()
	d.DiffTimeout = 0 // The same on every machine.
	var out []run
	for _, x := range d.DiffMainRunes(encode(a), encode(b), false) {
		out = append(out, run{Mark(x.Type), len([]rune(x.Text))})
	}
	return out
}

// runeOf returns the i-th rune that a string can hold: the surrogates can't be.
func runeOf(i int) rune {
	if i++; i >= 0xd800 {
		i += 0x800
	}
	return rune(i)
}

// maxWords is how many words two blocks, or lines two texts, may have together to be compared;
// above it they are shown as replaced.
const maxWords = 8000

// Words returns the difference of two texts: by lines first, and word by word inside
// the blocks of lines that differ.
func Words(before, after string) []Piece {
	if before == after {
		return []Piece{{Same, before}}
	}
	a, b := lines(before), lines(after)
	if len(a)+len(b) > maxWords {
		return pieces([]run{{Removed, len(a)}, {Added, len(b)}}, a, b)
	}
	var out []Piece
	var old, fresh strings.Builder
	flush := func() {
		out = append(out, words(old.String(), fresh.String())...)
		old.Reset()
		fresh.Reset()
	}
	i, j := 0, 0
	for _, r := range runs(a, b) {
		switch r.mark {
		case Same:
			flush()
			out = append(out, Piece{Same, strings.Join(a[i:i+r.n], "")})
			i, j = i+r.n, j+r.n
		case Removed:
			old.WriteString(strings.Join(a[i:i+r.n], ""))
			i += r.n
		case Added:
			fresh.WriteString(strings.Join(b[j:j+r.n], ""))
			j += r.n
		}
	}
	flush()
	return out
}

func words(before, after string) []Piece {
	a, b := split(before), split(after)
	if len(a)+len(b) > maxWords {
		return pieces([]run{{Removed, len(a)}, {Added, len(b)}}, a, b)
	}
	return pieces(runs(a, b), a, b)
}

func pieces(rs []run, a, b []string) (out []Piece) {
	i, j := 0, 0
	for _, r := range rs {
		if r.n == 0 {
			continue
		}
		switch r.mark {
		case Same:
			out = append(out, Piece{Same, strings.Join(a[i:i+r.n], "")})
			i, j = i+r.n, j+r.n
		case Removed:
			out = append(out, Piece{Removed, strings.Join(a[i:i+r.n], "")})
			i += r.n
		case Added:
			out = append(out, Piece{Added, strings.Join(b[j:j+r.n], "")})
			j += r.n
		}
	}
	return out
}

func lines(s string) (out []string) {
	for l := range strings.Lines(s) {
		out = append(out, l)
	}
	return out
}

// split cuts a text into words, runs of blanks, and single other characters; of
// scripts that are written without blanks, every character is a word. A mark that
// combines with what stands before it stays with it.
func split(s string) (out []string) {
	start, last := 0, 0
	for i, r := range s {
		c := runeClass(r)
		if i > start && (c != last || c == other) && c != combining {
			out = append(out, s[start:i])
			start = i
		}
		if c != combining {
			last = c
		}
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

const (
	blank = iota + 1
	word
	other
	combining
)

func runeClass(r rune) int {
	switch {
	case unicode.IsSpace(r):
		return blank
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Mc) || r == '\u200d':
		return combining
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai):
		return other
	case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_':
		return word
	}
	return other
}

// Unified returns a changed text as a unified difference that patch(1) takes.
func Unified(t Text) string { return udiff.Unified(t.ID, t.ID, t.Before, t.After) }
