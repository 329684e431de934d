package jstext

import (
	"strings"
	"unicode"
)

// Space is every character that JavaScript trims, and that its \s matches.
const Space = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// SpaceClass is Space as a regular expression of Go has it between brackets.
const SpaceClass = `\s\v\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// IsSpace is what JavaScript takes for white space, which isn't quite what Go does.
func IsSpace(r rune) bool {
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

// Trim is a text without the white space around it.
func Trim(s string) string { return strings.TrimFunc(s, IsSpace) }
