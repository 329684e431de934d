package transplant

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"lcm-tui/data"
)

// identity is the hash by which hosts know a message again, for a text that isn't
// the original's or that has none. It is nil where hosts wouldn't take the text as
// it is but leave out what they put around it: they make up missing hashes
// themselves whenever they open a file, and never look at wrong ones again.
func identity(role, content string) any {
	if role == "user" && strings.Contains(content, "Conversation info (untrusted metadata)") {
		return nil
	}
	return plainHash(role, content)
}

func plainHash(role, content string) string {
	sum := sha256.Sum256([]byte(role + "\x00" + content))
	return hex.EncodeToString(sum[:])
}

// identify sets a copy's hash: the original's, as long as the text is the same.
func (t *transfer) identify(copied, original data.Row) {
	if !t.to.Schema().Has("messages", "identity_hash") {
		return
	}
	role, content := data.CellText(copied["role"]), data.CellText(copied["content"])
	if data.CellText(copied["identity_hash"]) == "" || content != data.CellText(original["content"]) || role != data.CellText(original["role"]) {
		copied["identity_hash"] = identity(role, content)
	}
}
