package model

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
)

// Secret is a key. No way of printing, logging or encoding it shows what it is;
// only the package wire reads it.
type Secret struct {
	// A function, and not a string, because fmt looks into unexported fields of
	// other structs without asking for a String method.
	value func() string
}

// NewSecret hides a key. White space around it is no part of it.
func NewSecret(key string) Secret {
	key = strings.TrimSpace(key)
	if key == "" {
		return Secret{}
	}
	return Secret{func() string { return key }}
}

// Set reports whether there is a key.
func (s Secret) Set() bool { return s.value != nil }

const mask = "[key]"

func (s Secret) String() string {
	if !s.Set() {
		return ""
	}
	return mask
}

// GoString masks %#v.
func (s Secret) GoString() string { return s.String() }

// Format masks every verb.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.String()) }

// LogValue masks what goes to a log.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText masks what is encoded, as JSON or otherwise.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// MarshalJSON masks what is encoded.
func (s Secret) MarshalJSON() ([]byte, error) { return []byte(`"` + s.String() + `"`), nil }

// Reveal gives the key itself, for the header of a request and for nothing else.
func (s Secret) Reveal() string {
	if !s.Set() {
		return ""
	}
	return s.value()
}

// HasPrefix reports whether the key begins with one of these texts, which tell whose it is.
func (s Secret) HasPrefix(prefixes ...string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return s.Set() && strings.HasPrefix(s.value(), p) })
}

// Scrub takes the key out of a text of others, such as the message of a server
// that repeats what it was sent.
func (s Secret) Scrub(text string) string { return string(s.ScrubBytes([]byte(text))) }

// ScrubBytes takes the key out of a whole answer.
func (s Secret) ScrubBytes(text []byte) []byte {
	const short = 8 // A shorter one may be part of any word.
	if key := s.Reveal(); len(key) >= short && bytes.Contains(text, []byte(key)) {
		return bytes.ReplaceAll(text, []byte(key), []byte(mask))
	}
	return text
}
