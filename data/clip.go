package data

import (
	"strconv"
	"unicode/utf8"
)

// WholeText asks for a text of any length.
const WholeText = -1

// Clip returns an SQL expression for the first n bytes of a text column. It goes by
// bytes because SQLite's own functions on text stop at a NUL.
func Clip(expr string, n int) string {
	switch n {
	case WholeText:
		return expr
	case 0:
		return "''"
	}
	return "substr(CAST(" + expr + " AS BLOB), 1, " + strconv.Itoa(n) + ")"
}

// ByteLength returns an SQL expression for the length of a text column in bytes.
func ByteLength(expr string) string { return "coalesce(length(CAST(" + expr + " AS BLOB)), 0)" }

// WholeRunes cuts a rune that was split at the end of a clipped text.
func WholeRunes(s string, clipped bool) string {
	if !clipped {
		return s
	}
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
		return WholeRunes(text[:n], true)
	}
	return text
}

// Preview returns the beginning of a text for a line of a list.
func Preview(text string) string { return StartOfText(text, PreviewBytes) }

// PreviewBytes is how much of a text a list may show.
const PreviewBytes = 240
