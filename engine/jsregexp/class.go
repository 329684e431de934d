package jsregexp

// class returns what stands in brackets.
func (p *parser) class() *node {
	p.at++
	negated := p.take("^")
	var set charset
	for !p.take("]") {
		if p.at >= len(p.in) {
			p.fail("Unterminated character class")
			return nil
		}
		set = append(set, p.classRange()...)
	}
	set = set.normalized()
	if negated {
		set = set.negated()
	}
	return &node{kind: matchSet, set: set}
}

// classRange returns one character of a class, a range of them, or a set. A hyphen beside a set is
// itself.
func (p *parser) classRange() charset {
	from := p.classAtom()
	if !p.follows("-") || p.peek(1) < 0 || p.peek(1) == ']' {
		return from
	}
	p.at++
	to := p.classAtom()
	lo, first := from.one()
	hi, second := to.one()
	switch {
	case p.err != "":
		return nil
	case !first || !second:
		return append(append(charset{{'-', '-'}}, from...), to...)
	case lo > hi:
		p.fail("Range out of order in character class")
		return nil
	}
	return charset{{lo, hi}}
}

func (p *parser) classAtom() charset {
	u := p.peek(0)
	if u != '\\' {
		p.at++
		return unitSet(u)
	}
	if p.peek(1) < 0 {
		p.fail(`\ at end of pattern`)
		return nil
	}
	if set, ok := p.classEscape(); ok {
		return set
	}
	if p.take(`\b`) {
		return unitSet('\b')
	}
	return unitSet(p.characterEscape(true))
}
