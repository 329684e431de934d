package jsregexp

import (
	"slices"
	"strings"
)

// charset is a set of UTF-16 code units: ranges in order that don't touch.
type charset []unitRange

// unitRange is the code units from lo to hi, both included.
type unitRange struct{ lo, hi rune }

// The code units that are halves of a surrogate pair.
const (
	lastUnit       = 0xffff
	firstSurrogate = 0xd800
	lastSurrogate  = 0xdfff
	firstLow       = 0xdc00
)

// The sets that have an escape or a sign of their own.
var (
	digitSet   = charset{{'0', '9'}}
	wordSet    = charset{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	spaceSet   = charset{{'\t', '\r'}, {' ', ' '}, {0xa0, 0xa0}, {0x1680, 0x1680}, {0x2000, 0x200a}, {0x2028, 0x2029}, {0x202f, 0x202f}, {0x205f, 0x205f}, {0x3000, 0x3000}, {0xfeff, 0xfeff}}
	notLineSet = charset{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}.negated()
)

func unitSet(u rune) charset { return charset{{u, u}} }

// normalized returns the set of ranges in any order.
func (c charset) normalized() charset {
	c = slices.Clone(c)
	slices.SortFunc(c, func(a, b unitRange) int { return int(a.lo - b.lo) })
	out := c[:0]
	for _, r := range c {
		if n := len(out); n > 0 && r.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, r.hi)
			continue
		}
		out = append(out, r)
	}
	return out
}

// negated returns all code units that aren't in the set.
func (c charset) negated() (out charset) {
	next := rune(0)
	for _, r := range c {
		if r.lo > next {
			out = append(out, unitRange{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= lastUnit {
		out = append(out, unitRange{next, lastUnit})
	}
	return out
}

// one returns the only code unit of the set, if it has one only.
func (c charset) one() (u rune, ok bool) {
	if len(c) == 1 && c[0].lo == c[0].hi {
		return c[0].lo, true
	}
	return 0, false
}

// halfOffset is what is added to half a pair in texts and patterns: Go's strings have no halves, and
// regexp2 mistakes sets of halves for each other, because it tells sets apart by their UTF-8.
const halfOffset = 0x100000

// moved returns the set with halves of pairs as they are in texts of moved code units.
func (c charset) moved() (out charset) {
	for _, r := range c {
		if r.lo < firstSurrogate {
			out = append(out, unitRange{r.lo, min(r.hi, firstSurrogate-1)})
		}
		if lo, hi := max(r.lo, firstSurrogate), min(r.hi, lastSurrogate); lo <= hi {
			out = append(out, unitRange{lo + halfOffset, hi + halfOffset})
		}
		if r.hi > lastSurrogate {
			out = append(out, unitRange{max(r.lo, lastSurrogate+1), r.hi})
		}
	}
	return out
}

// write writes the set as a class, with what writes one code unit.
func (c charset) write(b *strings.Builder, unit func(rune) string) {
	if u, ok := c.one(); ok {
		b.WriteString(unit(u))
		return
	}
	b.WriteByte('[')
	for _, r := range c {
		b.WriteString(unit(r.lo))
		if r.hi > r.lo {
			b.WriteString("-" + unit(r.hi))
		}
	}
	b.WriteByte(']')
}
