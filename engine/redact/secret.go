package redact

import (
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
	"unique"
)

// Secret is the value of a finding. Every way of printing it, and JSON, gives Masked instead. Two
// of the same value are equal.
type Secret struct {
	// A handle and not a string: where a Secret is a field that isn't exported, fmt calls no
	// method of it and prints what it finds, which is an address then.
	handle unique.Handle[string]
}

// NewSecret returns the secret with this value.
func NewSecret(value string) Secret { return Secret{unique.Make(value)} }

// Reveal returns the value itself: only what replaces it, or proves that it is gone, may ask for it.
func (s Secret) Reveal() string {
	if s == (Secret{}) {
		return ""
	}
	return s.handle.Value()
}

// Len returns the length of the value in characters.
func (s Secret) Len() int { return utf8.RuneCountInString(s.Reveal()) }

// maxShown is how many of its first characters are shown, at most.
const maxShown = 4

// Masked returns what people may see: the first characters, never more than four and never more than
// a fifth of it.
func (s Secret) Masked() string {
	n := min(maxShown, s.Len()/5)
	var shown strings.Builder
	for _, r := range s.Reveal() {
		if n--; n < 0 {
			break
		}
		if r < ' ' || r == utf8.RuneError || !strconv.IsPrint(r) {
			r = '?'
		}
		shown.WriteRune(r)
	}
	return shown.String() + "…"
}

// String implements fmt.Stringer with Masked.
func (s Secret) String() string { return s.Masked() }

// GoString implements fmt.GoStringer with Masked.
func (s Secret) GoString() string { return s.Masked() }

// Format implements fmt.Formatter with Masked, whatever the verb is.
func (s Secret) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, s.Masked()) }

// MarshalText implements encoding.TextMarshaler with Masked; encoding/json uses it as well.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.Masked()), nil }
