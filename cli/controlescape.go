package cli

import (
	"fmt"
	"io"
	"unicode/utf8"
)

// controlEscaper writes JSON with those control characters escaped that JSON allows and
// that a terminal obeys: the eight-bit controls, and those that reorder text. In JSON they
// stand only in strings, so the value stays the same.
type controlEscaper struct{ to io.Writer }

// Write implements io.Writer.
func (h controlEscaper) Write(b []byte) (int, error) {
	start := 0
	for i := 0; i < len(b); {
		if c := b[i]; c < utf8.RuneSelf && c != 0x7f {
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if isControl(r) {
			if _, err := h.to.Write(b[start:i]); err != nil {
				return start, err
			}
			if _, err := fmt.Fprintf(h.to, `\u%04x`, r); err != nil {
				return i, err
			}
			start = i + n
		}
		i += n
	}
	if _, err := h.to.Write(b[start:]); err != nil {
		return start, err
	}
	return len(b), nil
}

func isControl(r rune) bool {
	return r >= 0x7f && r <= 0x9f || r == 0x200e || r == 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}
