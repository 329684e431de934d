package transplant

import "testing"

// TestIdentity: hosts compute missing hashes, and never correct wrong ones.
func TestIdentity(t *testing.T) {
	t.Parallel()
	const hash = "b8d1b91a5a5ee6e0a3bb5b1e1f3a7c0e" // Of nothing in particular.
	if got := identityHash("user", "hello"); got == nil || got == hash || len(got.(string)) != 64 {
		t.Errorf("hello: %v", got)
	}
	if identityHash("user", "hello") == identityHash("assistant", "hello") {
		t.Error("roles make no difference")
	}
	if got := identityHash("user", "Conversation info (untrusted metadata):\n```json\n{}\n```\n\nhello"); got != nil {
		t.Errorf("with what the host puts around it: %v", got)
	}
}
