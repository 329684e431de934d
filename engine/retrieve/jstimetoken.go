package retrieve

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// jsToken is a piece of a time as JavaScript reads it.
type jsToken struct {
	kind   jsTokenKind
	symbol byte
	value  int // Of a number, a month, half a day or a zone in hours.
	length int // In characters, of a number and a word.
}

type jsTokenKind int

const (
	jsEnd jsTokenKind = iota
	jsNumber
	jsSymbol
	jsSpace
	jsOther
	jsWord // One that says nothing.
	jsMonth
	jsAMPM
	jsZoneName
	jsTimeSeparator
)

func (t jsToken) isSymbol(s byte) bool { return t.kind == jsSymbol && t.symbol == s }

func (t jsToken) isSign() bool { return t.isSymbol('+') || t.isSymbol('-') }

func (t jsToken) isWord() bool { return t.kind >= jsWord }

func (t jsToken) isZ() bool { return t.kind == jsZoneName && t.length == 1 }

func (t jsToken) sign() int {
	if t.symbol == '-' {
		return -1
	}
	return 1
}

// mostDigits is how many digits of a number count.
const mostDigits = 9

// milliseconds returns a number as the digits behind a point.
func (t jsToken) milliseconds() int {
	n := t.value
	for length := t.length; length < 3; length++ {
		n *= 10
	}
	for length := min(t.length, mostDigits); length > 3; length-- {
		n /= 10
	}
	return n
}

// jsWords are the words that mean something, with no more than their first three letters.
var jsWords = map[string]jsToken{
	"jan": {kind: jsMonth, value: 1}, "feb": {kind: jsMonth, value: 2}, "mar": {kind: jsMonth, value: 3}, "apr": {kind: jsMonth, value: 4},
	"may": {kind: jsMonth, value: 5}, "jun": {kind: jsMonth, value: 6}, "jul": {kind: jsMonth, value: 7}, "aug": {kind: jsMonth, value: 8},
	"sep": {kind: jsMonth, value: 9}, "oct": {kind: jsMonth, value: 10}, "nov": {kind: jsMonth, value: 11}, "dec": {kind: jsMonth, value: 12},
	"am": {kind: jsAMPM, value: 0}, "pm": {kind: jsAMPM, value: 12},
	"ut": {kind: jsZoneName}, "utc": {kind: jsZoneName}, "z": {kind: jsZoneName}, "gmt": {kind: jsZoneName},
	"est": {kind: jsZoneName, value: -5}, "edt": {kind: jsZoneName, value: -4}, "cst": {kind: jsZoneName, value: -6}, "cdt": {kind: jsZoneName, value: -5},
	"mst": {kind: jsZoneName, value: -7}, "mdt": {kind: jsZoneName, value: -6}, "pst": {kind: jsZoneName, value: -8}, "pdt": {kind: jsZoneName, value: -7},
	"t": {kind: jsTimeSeparator},
}

// scanJSTime splits a text into tokens. The last one is the end.
func scanJSTime(text string) (out []jsToken) {
	for text != "" {
		r, size := utf8.DecodeRuneInString(text)
		var t jsToken
		switch {
		case isDigit(r):
			t, size = scanNumber(text)
		case strings.ContainsRune(":-+.)", r):
			t = jsToken{kind: jsSymbol, symbol: text[0]}
		case isWordRune(r):
			t, size = scanWord(text)
		case r == '(':
			t.kind, size = jsOther, parenthesesEnd(text)
		case isJSSpace(r):
			t.kind, size = jsSpace, len(text)-len(strings.TrimLeftFunc(text, isJSSpace))
		default:
			t.kind = jsOther
		}
		out, text = append(out, t), text[size:]
	}
	return append(out, jsToken{})
}

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isWordRune(r rune) bool { return r >= 'A' && !isJSSpace(r) }

// isJSSpace reports whether JavaScript takes a character for white space.
func isJSSpace(r rune) bool { return unicode.IsSpace(r) && r != 0x85 || r == 0xfeff }

func scanNumber(text string) (t jsToken, size int) {
	t.kind = jsNumber
	counted := 0
	for ; size < len(text) && isDigit(rune(text[size])); size++ {
		if digit := int(text[size] - '0'); counted > 0 || digit > 0 {
			if counted++; counted <= mostDigits {
				t.value = t.value*10 + digit
			}
		}
	}
	t.length = size
	return t, size
}

// scanWord reads a word. Of a longer one only the names of months are known.
func scanWord(text string) (t jsToken, size int) {
	size = len(text) - len(strings.TrimLeftFunc(text, isWordRune))
	word := strings.ToLower(text[:size])
	t, is := jsWords[word[:min(len(word), 3)]]
	if !is || len(word) > 3 && t.kind != jsMonth {
		t.kind = jsWord
	}
	t.length = len(word)
	return t, size
}

// parenthesesEnd returns the length of a text in parentheses, which may hold others. One that has no end goes to that of
// the text.
func parenthesesEnd(text string) int {
	depth := 0
	for i := range len(text) {
		switch text[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i + 1
			}
		}
	}
	return len(text)
}
