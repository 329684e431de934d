package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"io"

	"lcm-tui/data/jstext"
)

// Hash is the identity_hash that hosts write since 0.13.1: of the role and the
// canonical content.
func Hash(role, content string) string { return Raw(role, Canonical(role, content)) }

// Raw is the identity_hash that hosts before 0.13.1 and other programs write: of
// the role and the content as it is.
func Raw(role, content string) string {
	h := sha256.New()
	for _, s := range []string{role, "\x00", content} {
		_, _ = io.WriteString(h, s) // A hash takes everything.
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Valid is whether a stored hash is that of the message by one recipe or the other;
// hosts accept both, and fill in a missing one when they start.
func Valid(role, content, hash string) bool {
	return hash == Raw(role, content) || hash == Hash(role, content)
}

// Entry is the hash by which a host remembers the last entry of a transcript that
// it has read.
func Entry(role, content string) string {
	var o jstext.Object
	o.Put("role", jstext.Quote(role))
	o.Put("content", jstext.Quote(Canonical(role, content)))
	sum := sha256.Sum256([]byte(o.Value()))
	return hex.EncodeToString(sum[:])
}
