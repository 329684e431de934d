package redact_test

import (
	"math/rand/v2"
	"regexp/syntax"
	"strings"

	"lcm-tui/engine/redact"
)

// generated makes a made-up secret of each rule whose pattern is a form of its own, by the pattern.
func generated(seed uint64) (out []planted) {
	random := rand.New(rand.NewPCG(seed, seed))
	for _, r := range redact.BuiltIn() {
		if r.Class != redact.Sure || r.Pattern == "" {
			continue
		}
		tree, err := syntax.Parse(r.Pattern, syntax.Perl)
		if err != nil {
			continue
		}
		for range 20 { // Not every text that matches is random enough.
			var b strings.Builder
			write(&b, tree.Simplify(), random)
			p := planted{r.ID, b.String(), "please use " + b.String() + " from now on"}
			if p.isFound(redact.Scan(p.text)) {
				out = append(out, p)
				break
			}
		}
	}
	return out
}

// write writes a random text that a regular expression matches.
func write(b *strings.Builder, re *syntax.Regexp, random *rand.Rand) {
	times := func(low, high int) {
		for range low + random.IntN(high-low+1) {
			write(b, re.Sub[0], random)
		}
	}
	switch re.Op {
	case syntax.OpLiteral:
		b.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		b.WriteRune(runeOf(re.Rune, random))
	case syntax.OpConcat, syntax.OpCapture:
		for _, sub := range re.Sub {
			write(b, sub, random)
		}
	case syntax.OpAlternate:
		write(b, re.Sub[random.IntN(len(re.Sub))], random)
	case syntax.OpStar:
		times(0, 8)
	case syntax.OpPlus:
		times(1, 8)
	case syntax.OpQuest:
		times(0, 1)
	}
}

// runeOf returns a random character of a class, a letter or a digit where it has any.
func runeOf(class []rune, random *rand.Rand) rune {
	var all, plain []rune
	for i := 0; i < len(class); i += 2 {
		for r := class[i]; r <= min(class[i+1], '~'); r++ {
			all = append(all, r)
			if strings.ContainsRune(alnum, r) {
				plain = append(plain, r)
			}
		}
	}
	if len(plain) > 0 {
		all = plain
	}
	return all[random.IntN(len(all))]
}
