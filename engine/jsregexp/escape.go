package jsregexp

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// atomEscape returns what a backslash outside of a class begins.
func (p *parser) atomEscape() *node {
	u := p.peek(1)
	switch {
	case u < 0:
		p.fail(`\ at end of pattern`)
		return nil
	case u >= '1' && u <= '9':
		at := p.at
		p.at++
		if n, _ := p.number(); n <= p.groups {
			return &node{kind: matchSame, group: n}
		}
		p.at = at
	case u == 'k' && p.named:
		p.at += 2
		name, ok := "", p.take("<")
		if ok {
			name, ok = p.groupName()
		}
		if !ok {
			p.fail("Invalid named reference")
			return nil
		}
		p.uses = append(p.uses, name)
		return &node{kind: matchSame, group: -len(p.uses)}
	}
	if set, ok := p.classEscape(); ok {
		return &node{kind: matchSet, set: set}
	}
	return &node{kind: matchSet, set: unitSet(p.characterEscape(false))}
}

// classEscape returns a backslash with one of the letters that stand for a set.
func (p *parser) classEscape() (set charset, ok bool) {
	switch p.peek(1) {
	case 'd':
		set = digitSet
	case 'D':
		set = digitSet.negated()
	case 's':
		set = spaceSet
	case 'S':
		set = spaceSet.negated()
	case 'w':
		set = wordSet
	case 'W':
		set = wordSet.negated()
	default:
		return nil, false
	}
	p.at += 2
	return set, true
}

// characterEscape returns the code unit that a backslash with what follows stands for. What isn't
// an escape is the character itself.
func (p *parser) characterEscape(inClass bool) rune {
	p.at++
	u := p.peek(0)
	p.at++
	switch u {
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'c':
		return p.control(inClass)
	case 'x':
		return p.hexadecimal(u, 2)
	case 'u':
		return p.hexadecimal(u, 4)
	case 'k':
		if p.named {
			p.fail("Invalid escape")
		}
	}
	if u >= '0' && u <= '7' {
		p.at--
		return p.octal()
	}
	return u
}

// control returns the control character after \c; without a letter the backslash stands for itself.
func (p *parser) control(inClass bool) rune {
	u := p.peek(0)
	if isLetter(u) || inClass && (isDigit(u) || u == '_') {
		p.at++
		return u % 32
	}
	p.at--
	return '\\'
}

// hexadecimal returns a code unit of so many digits, or the letter itself where they are missing.
func (p *parser) hexadecimal(letter rune, count int) (u rune) {
	for i := range count {
		digit := strings.IndexRune("0123456789abcdef", unicode.ToLower(p.peek(i)))
		if p.peek(i) < 0 || p.peek(i) > 'f' || digit < 0 {
			return letter
		}
		u = u<<4 | rune(digit)
	}
	p.at += count
	return u
}

// octal returns a code unit of at most three octal digits, below 256.
func (p *parser) octal() (u rune) {
	for range 3 {
		c := p.peek(0)
		if c < '0' || c > '7' || u*8+c-'0' > 255 {
			break
		}
		u = u*8 + c - '0'
		p.at++
	}
	return u
}

// groupName returns the name of a group up to its bracket.
func (p *parser) groupName() (name string, ok bool) {
	var units []uint16
	for !p.take(">") {
		u := p.peek(0)
		switch {
		case u < 0:
			return "", false
		case u == '\\':
			if units, ok = p.nameEscape(units); !ok {
				return "", false
			}
		default:
			units = append(units, uint16(u))
			p.at++
		}
	}
	name = jstext.FromUnits(units)
	for i, r := range name {
		start := r == '$' || r == '_' || unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)
		more := unicode.In(r, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc, unicode.Other_ID_Continue) || r == '\u200c' || r == '\u200d'
		if r == utf8.RuneError || !start && (i == 0 || !more) {
			return "", false
		}
	}
	return name, name != ""
}

// nameEscape reads \uXXXX or \u{X…} in the name of a group.
func (p *parser) nameEscape(units []uint16) ([]uint16, bool) {
	if !p.take(`\u`) {
		return nil, false
	}
	if !p.take("{") {
		at := p.at
		u := p.hexadecimal(-1, 4)
		return append(units, uint16(u)), p.at > at
	}
	var r rune
	for count := 0; !p.take("}"); count++ {
		digit := strings.IndexRune("0123456789abcdef", unicode.ToLower(p.peek(0)))
		if p.peek(0) < 0 || p.peek(0) > 'f' || digit < 0 || r > unicode.MaxRune {
			return nil, false
		}
		r = r<<4 | rune(digit)
		p.at++
	}
	return utf16.AppendRune(units, r), r <= unicode.MaxRune
}
