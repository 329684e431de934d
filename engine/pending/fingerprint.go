package pending

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"

	"lcm-tui/data"
	"lcm-tui/data/jstext"
	"lcm-tui/data/lcm"
)

// A fingerprint is the hexadecimal SHA-256 of a prefix and of parts, each after a NUL. Numbers
// are decimal texts, times are ISO with milliseconds and Z, and texts are as JavaScript gets them from
// SQLite. Message parts, links, models and file ids have no part in it.

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
		b = append(append(b, 0), jstext.Decode(p)...)
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
