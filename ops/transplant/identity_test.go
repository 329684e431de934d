package transplant

import "testing"

// TestIdentity: hosts make up what is left open, and never correct what isn't.
func TestIdentity(t *testing.T) {
	t.Parallel()
	const hash = "b8d1b91a5a5ee6e0a3bb5b1e1f3a7c0e" // Of nothing in particular.
	if got := identity("user", "hello"); got == nil || got == hash || len(got.(string)) != 64 {
		t.Errorf("hello: %v", got)
	}
	if identity("user", "hello") == identity("assistant", "hello") {
		t.Error("roles make no difference")
	}
	if got := identity("user", "Conversation info (untrusted metadata):\n```json\n{}\n```\n\nhello"); got != nil {
		t.Errorf("with what the host puts around it: %v", got)
	}
}
