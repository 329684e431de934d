package translate

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// class is what a token is.
type class int

const (
	end        class = iota
	word             // An identifier or a keyword without quotes.
	quotedName       // An identifier in quotes; its text is without them.
	number
	text // A literal with its quotes.
	blob // A literal such as x'00'; its text is the digits.
	mark // A parameter: ? or ?2; its text is the number, or empty.
	symbol
)

// token is one word of a statement.
type token struct {
	class class
	text  string
	upper string // Of a word: in capital letters.
}

// tokens splits a statement into its words, without comments. The last one is of class end.
func tokens(query string) (out []token, err error) {
	for at := 0; ; {
		at = skipBlanks(query, at)
		if at >= len(query) {
			return append(out, token{class: end}), nil
		}
		t, next, err := tokenAt(query, at)
		if err != nil {
			return nil, err
		}
		out, at = append(out, t), next
	}
}

// skipBlanks returns where the next token begins.
func skipBlanks(s string, at int) int {
	for at < len(s) {
		switch {
		case strings.IndexByte(" \t\r\n\f", s[at]) >= 0:
			at++
		case strings.HasPrefix(s[at:], "--"):
			n := strings.IndexByte(s[at:], '\n')
			if n < 0 {
				return len(s)
			}
			at += n
		case strings.HasPrefix(s[at:], "/*"):
			n := strings.Index(s[at+2:], "*/")
			if n < 0 {
				return len(s)
			}
			at += n + 4
		default:
			return at
		}
	}
	return at
}

// tokenAt reads the token that begins at a place.
func tokenAt(s string, at int) (t token, next int, err error) {
	c := s[at]
	switch {
	case c == '\'':
		_, next, err = quoted(s, at, '\'')
		return token{class: text, text: s[at:next]}, next, err
	case c == '"' || c == '`':
		name, next, err := quoted(s, at, c)
		return token{class: quotedName, text: name}, next, err
	case c == '[':
		n := strings.IndexByte(s[at:], ']')
		if n < 0 {
			return t, at, fmt.Errorf("%w: a name without its end", ErrUnknown)
		}
		return token{class: quotedName, text: s[at+1 : at+n]}, at + n + 1, nil
	case (c == 'x' || c == 'X') && at+1 < len(s) && s[at+1] == '\'':
		digits, next, err := quoted(s, at+1, '\'')
		return token{class: blob, text: digits}, next, err
	case c == '?':
		next = span(s, at+1, isDigit)
		return token{class: mark, text: s[at+1 : next]}, next, nil
	case isDigit(c) || c == '.' && at+1 < len(s) && isDigit(s[at+1]):
		next = numberEnd(s, at)
		return token{class: number, text: s[at:next]}, next, nil
	case isLetter(c):
		next = span(s, at, func(c byte) bool { return isLetter(c) || isDigit(c) })
		return token{class: word, text: s[at:next], upper: strings.ToUpper(s[at:next])}, next, nil
	}
	for _, long := range []string{"->>", "||", "<=", ">=", "<>", "!=", "==", "->", "<<", ">>"} {
		if strings.HasPrefix(s[at:], long) {
			return token{class: symbol, text: long}, at + len(long), nil
		}
	}
	if strings.IndexByte("()+-*/%,.<>=;&|~", c) < 0 {
		_, n := utf8.DecodeRuneInString(s[at:])
		return t, at, fmt.Errorf("%w: the character %q", ErrUnknown, s[at:at+n])
	}
	return token{class: symbol, text: s[at : at+1]}, at + 1, nil
}

// quoted reads what stands in quotes at a place; the quote itself is written twice there.
func quoted(s string, at int, quote byte) (inside string, next int, err error) {
	var b strings.Builder
	for i := at + 1; i < len(s); i++ {
		switch {
		case s[i] != quote:
			b.WriteByte(s[i])
		case i+1 < len(s) && s[i+1] == quote:
			b.WriteByte(quote)
			i++
		default:
			return b.String(), i + 1, nil
		}
	}
	return "", len(s), fmt.Errorf("%w: a quote without its end", ErrUnknown)
}

// numberEnd returns where a number ends.
func numberEnd(s string, at int) int {
	next := span(s, at, func(c byte) bool { return isDigit(c) || c == '.' })
	if next < len(s) && (s[next] == 'e' || s[next] == 'E') {
		digits := next + 1
		if digits < len(s) && (s[digits] == '-' || s[digits] == '+') {
			digits++
		}
		if after := span(s, digits, isDigit); after > digits {
			next = after
		}
	}
	return next
}

// span returns where the bytes end for which a function holds.
func span(s string, at int, holds func(byte) bool) int {
	for at < len(s) && holds(s[at]) {
		at++
	}
	return at
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isLetter(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c >= utf8.RuneSelf
}
