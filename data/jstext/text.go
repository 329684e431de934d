package jstext

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Quote returns the JSON string of a text. Bytes that are not UTF-8 are replaced as Decode
// does it, and so does the host's driver when it reads them.
func Quote(s string) Value {
	var b strings.Builder
	b.Grow(quotedLen(s))
	writeQuoted(&b, s)
	return Value(b.String())
}

const hexDigits = "0123456789abcdef"

// quotedLen returns the length of the JSON string of a text.
func quotedLen(s string) int {
	n := len(s) + 2
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				size = malformed(s[i:])
				n += len("\ufffd") - size
			}
			i += size
			continue
		case c == '"' || c == '\\' || c < ' ' && strings.IndexByte(escapable, c) >= 0:
			n++
		case c < ' ':
			n += len(`\u0000`) - 1
		}
		i++
	}
	return n
}

func writeQuoted(b *strings.Builder, s string) {
	b.WriteByte('"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b.WriteString(s[start:i])
				b.WriteString("\ufffd")
				n = malformed(s[i:])
				start = i + n
			}
			i += n
			continue
		}
		if c >= ' ' && c != '"' && c != '\\' {
			i++
			continue
		}
		b.WriteString(s[start:i])
		writeEscaped(b, c)
		i++
		start = i
	}
	b.WriteString(s[start:])
	b.WriteByte('"')
}

// shortEscapes are the letters that JSON has for some characters.
const (
	escapable    = "\"\\\b\f\n\r\t"
	shortEscapes = `"\bfnrt`
)

func writeEscaped(b *strings.Builder, c byte) {
	b.WriteByte('\\')
	if i := strings.IndexByte(escapable, c); i >= 0 {
		b.WriteByte(shortEscapes[i])
		return
	}
	b.WriteString("u00")
	b.WriteByte(hexDigits[c>>4])
	b.WriteByte(hexDigits[c&15])
}

// decode returns the text of what stands between the quotes of a JSON string. Half a
// surrogate pair, which Go can't hold, becomes U+FFFD.
func decode(s string) string {
	at := strings.IndexByte(s, '\\')
	if at < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for at >= 0 && at+1 < len(s) {
		b.WriteString(s[:at])
		r, n := unescape(s[at:])
		b.WriteRune(r)
		s = s[at+n:]
		at = strings.IndexByte(s, '\\')
	}
	b.WriteString(s)
	return b.String()
}

// unescape returns the character that an escape sequence at the start of s stands for,
// and the length of the sequence, or of the two of a surrogate pair.
func unescape(s string) (r rune, n int) {
	if s[1] != 'u' {
		if i := strings.IndexByte(shortEscapes, s[1]); i >= 0 {
			return rune(escapable[i]), 2
		}
		return rune(s[1]), 2 // A solidus.
	}
	r = unit(s)
	if r < 0 {
		return utf8.RuneError, min(6, len(s))
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 {
		if low := unit(s[6:]); low >= 0 {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
	}
	return utf8.RuneError, 6
}

// unit returns the UTF-16 unit of a \uXXXX at the start of s, or -1.
func unit(s string) rune {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

// Space has every character that JavaScript trims and that its \s matches.
const Space = "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"

// SpaceClass is Space for use between the brackets of a Go regular expression.
const SpaceClass = `\s\v\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`

// Pattern returns a regular expression in which \s and \S, outside of brackets, mean what they mean in
// JavaScript.
func Pattern(s string) string {
	return strings.NewReplacer(`\s`, "["+SpaceClass+"]", `\S`, "[^"+SpaceClass+"]").Replace(s)
}

// IsSpace reports whether a character is white space in JavaScript, whose set differs from Go's.
func IsSpace(r rune) bool {
	return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r)
}

// Trim returns a text without the white space around it.
func Trim(s string) string { return strings.TrimFunc(s, IsSpace) }
