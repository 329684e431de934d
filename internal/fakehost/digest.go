package fakehost

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"
)

// Digest returns the lower-case hex of a SHA-256.
func Digest(s string) string {
	b := sha256.Sum256([]byte(s))
	return hex.EncodeToString(b[:])
}

// IdentityHash returns what the engine stores to know a message again; it holds for every
// content without an untrusted-metadata prelude.
func IdentityHash(role, content string) string { return Digest(role + "\x00" + content) }

// id makes the next deterministic identifier: the prefix and 16 hex digits.
func (h *Writer) id(prefix, content string) string {
	h.ids++
	return prefix + Digest(content + strconv.Itoa(h.ids))[:16]
}

// uuid makes a version 4 shaped UUID out of a text.
func uuid(s string) string {
	d := Digest(s)
	return fmt.Sprintf("%s-%s-4%s-8%s-%s", d[:8], d[8:12], d[13:16], d[17:20], d[20:32])
}
