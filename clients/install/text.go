package install

import (
	"bytes"
	"unicode/utf8"
)

// byteOrderMark may stand at the start of a file. It isn't a part of the JSON or TOML.
const byteOrderMark = "\xef\xbb\xbf"

// invalidUTF8 returns the place of the first byte that isn't UTF-8, or -1.
func invalidUTF8(src []byte) int {
	for i := 0; i < len(src); {
		r, n := utf8.DecodeRune(src[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// lineBreak returns how the lines of a text end.
func lineBreak(src []byte) string {
	if i := bytes.IndexByte(src, '\n'); i > 0 && src[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// lineBreakBefore returns the line break that ends at a place, or empty.
func lineBreakBefore(src []byte, at int) string {
	for _, b := range []string{"\r\n", "\n"} {
		if bytes.HasSuffix(src[:at], []byte(b)) {
			return b
		}
	}
	return ""
}

// lineBreakAt returns the line break that begins at a place, or empty.
func lineBreakAt(src []byte, at int) string {
	for _, b := range []string{"\r\n", "\n"} {
		if bytes.HasPrefix(src[at:], []byte(b)) {
			return b
		}
	}
	return ""
}

// lineStart returns the start of the line of a place, behind a mark of the byte order.
func lineStart(src []byte, at int) int {
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if start == 0 && bytes.HasPrefix(src, []byte(byteOrderMark)) {
		start = min(at, len(byteOrderMark))
	}
	return start
}

// lineEnd returns the place of the line break after a place, or the end of the text.
func lineEnd(src []byte, at int) int {
	if i := bytes.IndexAny(src[at:], "\r\n"); i >= 0 {
		return at + i
	}
	return len(src)
}

// replaceBytes returns a text with another in the place of some bytes.
func replaceBytes(src []byte, start, end int, text string) []byte {
	return bytes.Join([][]byte{src[:start], []byte(text), src[end:]}, nil)
}
