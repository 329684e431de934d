package pending

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"unicode/utf8"

	"lcm-tui/data"
	"lcm-tui/data/lcm"
)

// A fingerprint is the hexadecimal SHA-256 of a prefix and of parts, each after a NUL. Numbers
// are decimal texts, times are ISO with milliseconds and Z. Message parts, links, models and
// file ids have no part in it.

// ItemFingerprint returns that of a place of the context with what it names. It is empty where that
// doesn't exist, since the host would have nothing to take it of.
func ItemFingerprint(i *lcm.PendingItem) string {
	switch {
	case i.Missing:
		return ""
	case i.Summary != "":
		return digest("pending-summary-item", number(i.Ordinal), i.Summary, i.Position.String(), i.Tokens.String(),
			isoTime(i.CreatedAt), digest("summary-content", i.Content.Text))
	}
	return digest("pending-message-item", number(i.Ordinal), number(i.Message), i.Position.String(), i.Role, i.Tokens.String(),
		isoTime(i.CreatedAt), digest("message-content", i.Content.Text))
}

// RangeFingerprint returns that of the part of a context that a batch replaces.
func RangeFingerprint(conversation, first, last int64, items []Item) string {
	parts := []string{number(conversation), number(first), number(last)}
	for _, i := range items {
		parts = append(parts, number(i.Ordinal)+":"+i.Fingerprint)
	}
	return digest("pending-projection-range", parts...)
}

// SourceFingerprint returns that of what a node is made of.
func SourceFingerprint(sources []string) string { return digest("pending-node-source", sources...) }

// ContextHash returns the same with the range of the node.
func ContextHash(first, last int64, sources []string) string {
	return digest("pending-node-context", append([]string{number(first), number(last)}, sources...)...)
}

func digest(prefix string, parts ...string) string {
	size := len(prefix)
	for _, p := range parts {
		size += 1 + len(p)
	}
	b := append(make([]byte, 0, size), prefix...)
	for _, p := range parts {
		b = append(append(b, 0), decodeUTF8(p)...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func number(n int64) string { return strconv.FormatInt(n, 10) }

// isoTime returns a time as JavaScript prints it. What isn't a time stays as it is.
func isoTime(t data.Time) string {
	if !t.Valid() {
		return t.Raw
	}
	return data.FormatTimeMillis(t.Time)
}

// decodeUTF8 returns a text as JavaScript gets it from SQLite: of bytes that are no UTF-8, each
// beginning of a character that isn't finished becomes one U+FFFD, as does every other byte.
func decodeUTF8(s string) string {
	if utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s)+utf8.UTFMax)
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if r == utf8.RuneError && n == 1 {
			n = unfinished(s)
		}
		b = utf8.AppendRune(b, r)
		s = s[n:]
	}
	return string(b)
}

// unfinished returns how many bytes at the start of s could begin a character, at least 1.
func unfinished(s string) int {
	low, high, most := byte(0x80), byte(0xBF), 1
	switch c := s[0]; {
	case c == 0xE0:
		low, most = 0xA0, 2
	case c == 0xED:
		high, most = 0x9F, 2
	case c >= 0xE1 && c <= 0xEF:
		most = 2
	case c == 0xF0:
		low, most = 0x90, 3
	case c == 0xF4:
		high, most = 0x8F, 3
	case c >= 0xF1 && c <= 0xF3:
		most = 3
	}
	n := 1
	for n < most && n < len(s) && low <= s[n] && s[n] <= high {
		low, high = 0x80, 0xBF
		n++
	}
	return n
}
