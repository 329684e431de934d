package redact

import "strings"

// blankEscapes returns a text of the same length in which escape sequences of strings, as \n in a
// quoted program, are blanks: a letter of theirs is no part of a word.
func blankEscapes(text string) string {
	i := strings.IndexByte(text, '\\')
	if i < 0 {
		return text
	}
	b := []byte(text)
	for i < len(b) {
		n := strings.IndexByte(text[i:], '\\')
		if n < 0 {
			break
		}
		start := i + n
		i = start
		for i < len(b) && b[i] == '\\' {
			i++
		}
		size := escapeSize(text[i:])
		for j := start; j < i+size; j++ {
			b[j] = ' '
		}
		if size == 1 && text[i] == '"' {
			b[i] = '"'
		}
		i += size
	}
	return string(b)
}

// escapeSize returns the length of an escape sequence of a string without its backslash, or 0.
func escapeSize(s string) int {
	switch {
	case s == "":
		return 0
	case strings.IndexByte(`nrt"`, s[0]) >= 0:
		return 1
	case s[0] == 'u' && areHex(s, 1, 5):
		return 5
	case s[0] == 'x' && areHex(s, 1, 3):
		return 3
	}
	return 0
}

// areHex reports whether a text has hexadecimal digits from one place to another.
func areHex(s string, from, to int) bool {
	if len(s) < to {
		return false
	}
	for i := from; i < to; i++ {
		if b := s[i]; !isDigit(b) && (b|0x20 < 'a' || b|0x20 > 'f') {
			return false
		}
	}
	return true
}

// boundary says what stands before a word.
type boundary int

const (
	wordBegins  boundary = iota // Nothing that may belong to it.
	nameBefore                  // An underscore: a name may end here, or the word go on.
	lettersLead                 // A letter or a digit: the word goes on.
)

// boundaryBefore looks at what stands before a place of a text. A letter that belongs to a colour of a
// terminal whose escape character is lost, or to an escape of a URL, is none of the word.
func boundaryBefore(text string, at int) boundary {
	if at == 0 || !isWord(text[at-1]) {
		return wordBegins
	}
	if text[at-1] == '_' {
		return nameBefore
	}
	if at >= 3 && text[at-3] == '%' && areHex(text, at-2, at) {
		return nameBefore
	}
	if text[at-1] == 'm' || text[at-1] == 'K' {
		i := at - 1
		for i > 0 && (isDigit(text[i-1]) || text[i-1] == ';') {
			i--
		}
		if i > 0 && text[i-1] == '[' {
			return nameBefore
		}
	}
	return lettersLead
}
