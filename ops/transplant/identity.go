package transplant

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"lcm-tui/data"
)

// identityHash returns the hash by which hosts recognize a message, for a text without a stored
// hash. It is nil where hosts hash only a part of the text, without what they put around
// it: they add missing hashes whenever they open a file, and never correct wrong ones.
func identityHash(role, content string) any {
	if role == "user" && strings.Contains(content, "Conversation info (untrusted metadata)") {
		return nil
	}
	return hashMessage(role, content)
}

func hashMessage(role, content string) string {
	sum := sha256.Sum256([]byte(role + "\x00" + content))
	return hex.EncodeToString(sum[:])
}

// setIdentityHash sets the hash of a copied row: the original's, as long as the text is the
// same, or where a host knows the original's text.
func (m *messageCopier) setIdentityHash(copied, original data.Row) {
	if !m.db.Schema().Has("messages", "identity_hash") {
		return
	}
	role, content := data.CellText(copied["role"]), data.CellText(copied["content"])
	if m.keepHashes && data.CellText(copied["identity_hash"]) != "" {
		return
	}
	if data.CellText(copied["identity_hash"]) == "" || content != data.CellText(original["content"]) || role != data.CellText(original["role"]) {
		copied["identity_hash"] = identityHash(role, content)
	}
}
