package data

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// WholeText asks for a text of any length.
const WholeText = -1

// Clip returns an SQL expression for the first n bytes of a text column. It goes by
// bytes because SQLite's own functions on text stop at a NUL. In a file of UTF-16 it
// gives n units, since only SQLite itself makes UTF-8 of them; Clipped cuts the rest.
func (s *Schema) Clip(expr string, n int) string {
	switch {
	case n == WholeText:
		return expr
	case n == 0:
		return "''"
	case s.isUTF16():
		return "CASE typeof(" + expr + ") WHEN 'blob' THEN substr(" + expr + ", 1, " + strconv.Itoa(n) + ") ELSE CAST(substr(CAST(" + expr + " AS BLOB), 1, " +
			strconv.Itoa(2*n) + ") AS TEXT) END"
	}
	return "substr(CAST(" + expr + " AS BLOB), 1, " + strconv.Itoa(n) + ")"
}

// ByteLength returns an SQL expression for the length of a text column in bytes of the file, from which
// TextBytes makes the length of the text.
func (s *Schema) ByteLength(expr string) string {
	if s.isUTF16() {
		return "coalesce(CASE typeof(" + expr + ") WHEN 'blob' THEN 2 * length(" + expr + ") ELSE length(CAST(" + expr + " AS BLOB)) END, 0)"
	}
	return "coalesce(length(CAST(" + expr + " AS BLOB)), 0)"
}

// StoredLength works as ByteLength, and reads no text of a file in UTF-8. A home counts the bytes of an encoded text.
func (s *Schema) StoredLength(expr string) string {
	if s.isUTF16() {
		return s.ByteLength(expr)
	}
	return "octet_length(" + expr + ")"
}

// isUTF16 reports whether texts are stored in UTF-16.
func (s *Schema) isUTF16() bool { return strings.HasPrefix(s.encoding, "UTF-16") }

// TextBytes returns the length in bytes of a text of which Clip gave this beginning, and ByteLength the
// length. Of a longer text in UTF-16 it is estimated.
func (s *Schema) TextBytes(beginning string, length int64) int64 {
	if !s.isUTF16() {
		return length
	}
	var units int64
	for _, r := range beginning {
		units += int64(utf16.RuneLen(r))
	}
	if length <= 2*units {
		return int64(len(beginning))
	}
	return max(length/2, int64(len(beginning))+1)
}

// Clipped returns what Clip gave of a text, at most n bytes and without a rune that was split at its end.
func Clipped(s string, n int) string {
	switch {
	case n == WholeText:
		return s
	case len(s) > n:
		return StartOfText(s, n)
	}
	return WholeRunes(s)
}

// WholeRunes cuts a rune that was split at the end of a text.
func WholeRunes(s string) string {
	for i := len(s) - 1; i >= 0 && i >= len(s)-utf8.UTFMax; i-- {
		if utf8.RuneStart(s[i]) {
			if !utf8.FullRuneInString(s[i:]) {
				return s[:i]
			}
			return s
		}
	}
	return s
}

// StartOfText returns the beginning of a text, at most n bytes, cut between two characters.
func StartOfText(text string, n int) string {
	if n = max(0, n); len(text) > n {
		return WholeRunes(text[:n])
	}
	return text
}

// Preview returns the beginning of a text for a line of a list.
func Preview(text string) string { return StartOfText(text, PreviewBytes) }

// PreviewBytes is how much of a text a list may show.
const PreviewBytes = 240
