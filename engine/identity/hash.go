package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strings"
	"unicode/utf8"

	"lcm-tui/data/jstext"
)

// Hash returns the identity_hash that hosts write since 0.13.1: of the role and the
// canonical content.
func Hash(role, content string) string { return RawHash(role, Canonical(role, content)) }

// RawHash returns the identity_hash that hosts before 0.13.1 and other programs write: of
// the role and the content as it is.
func RawHash(role, content string) string {
	const short = 2 << 10 // Most messages: they need no memory but for the hash that is returned.
	if len(role)+1+len(content) <= short {
		sum := sha256.Sum256(append(append(append(make([]byte, 0, short), role...), 0), content...))
		return hex.EncodeToString(sum[:])
	}
	h := sha256.New()
	for _, s := range []string{role, "\x00", content} {
		WriteText(h, s)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// WriteText adds a text to a hash, piece by piece: a conversion of a long text would double it.
func WriteText(h hash.Hash, s string) {
	var piece [4 << 10]byte
	for s != "" {
		n := copy(piece[:], s)
		_, _ = h.Write(piece[:n]) // A hash takes everything.
		s = s[n:]
	}
}

// IsValid reports whether a stored hash fits the message. Hosts accept a hash of either kind,
// and add a missing one when they start. The number of line ends before the user's text, and
// the end of a recap in prose, may differ.
func IsValid(role, content, hash string) bool {
	if hash == RawHash(role, content) {
		return true
	}
	p, ok := Split(role, content)
	if !ok {
		return false
	}
	head := p.Blocks + "\n\n"
	return p.Recap || hash == Hash(role, content) || hash == RawHash(role, head+p.Body) || hash == RawHash(role, head+strings.TrimLeft(p.Body, "\n"))
}

// EntryHash returns the hash that a host stores of the last entry that it has read from a session
// file.
func EntryHash(role, content string) string {
	h := sha256.New()
	WriteText(h, `{"role":`+string(jstext.Quote(role))+`,"content":"`)
	const piece = 64 << 10 // A long content isn't quoted as a whole.
	for rest := Canonical(role, content); rest != ""; {
		n := min(piece, len(rest))
		for n < len(rest) && !utf8.RuneStart(rest[n]) {
			n++
		}
		quoted := jstext.Quote(rest[:n])
		WriteText(h, string(quoted[1:len(quoted)-1]))
		rest = rest[n:]
	}
	WriteText(h, `"}`)
	return hex.EncodeToString(h.Sum(nil))
}
