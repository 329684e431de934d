package jstext

import (
	"strings"
	"unicode"
)

// IsSpace is what JavaScript takes for white space, which isn't quite what Go does.
func IsSpace(r rune) bool {
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

// Trim is a text without the white space around it.
func Trim(s string) string { return strings.TrimFunc(s, IsSpace) }
