package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Line works as Sanitize on one line: every run of white space is one space, and there
// is none at the ends.
func Line(s string) string { return strings.Join(strings.Fields(Sanitize(s)), " ") }

// ErrorLine returns the text of an error on one line. The errors that were joined in it are apart, and each is there once.
func ErrorLine(err error) string {
	var each []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		if line = Line(line); line != "" && !slices.Contains(each, line) {
			each = append(each, line)
		}
	}
	return strings.ReplaceAll(strings.Join(each, "; "), ":; ", ": ")
}

// LastLine works as Line on the last line of s with something in it.
func LastLine(s string) string {
	s = strings.TrimSpace(s)
	return Line(s[strings.LastIndexByte(s, '\n')+1:])
}

// LineN works as Line cut to width cells. It reads only as much of s as that takes,
// so a row of a list may be made of a text of any size.
func LineN(s string, width int) string {
	if width <= 0 {
		return ""
	}
	for n := 8*width + 64; n < len(s); n *= 4 {
		out := Line(dropCutRune(s[:n]))
		if ansi.StringWidth(out) > width {
			return Cut(out, width)
		}
		if n > 256*width+1<<16 { // Nothing but white space or zero-width marks.
			return Cut(out+strings.Repeat("…", width+1), width)
		}
	}
	return Cut(Line(s), width)
}

// dropCutRune drops a rune that was cut in two from the end of s.
func dropCutRune(s string) string {
	for i := 1; i <= utf8.UTFMax && i <= len(s); i++ {
		tail := s[len(s)-i:]
		if utf8.RuneStart(tail[0]) {
			if !utf8.FullRuneInString(tail) {
				return s[:len(s)-i]
			}
			break
		}
	}
	return s
}
