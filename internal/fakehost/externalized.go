package fakehost

import (
	"regexp"

	"lcm-tui/engine/identity"
)

// fileReference matches what stands in a stored text for a payload that the host moved into a file:
// a picture, a user's file, the output of a tool, or a whole message.
var fileReference = regexp.MustCompile(`\| LCM file: file_[0-9a-f]{16}\]|\[LCM (?:File|Tool Output|Raw Payload): file_[0-9a-f]{16} \|`)

// handedOver returns the text that an agent hands over of a message that is stored with this text. Of a
// message with a payload in a file that is another text, with the payload, so that no row has its hash.
func handedOver(stored string) string {
	return fileReference.ReplaceAllString(stored, "[payload")
}

// handedIdentity returns the hash of what an agent hands over of a message.
func (m Message) handedIdentity() string {
	if m.HandedOver != "" {
		return identity.Hash(m.Role, m.HandedOver)
	}
	return identity.Hash(m.Role, m.Content)
}
