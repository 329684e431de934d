package integrity

import "testing"

func TestMatchesMasked(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		masked, text string
		want         bool
	}{
		{"the key is ****** and stays", "the key is swordfish and stays", true},
		{"the key is [REDACTED] and stays", "the key is swordfish and stays", true},
		{"the key *** is *** and stays", "the key a is b and stays", true},
		{"the key is ****** and stays", "the key is swordfish and goes", false},
		{"***", "anything at all", false},
		{"no mask at all here", "no mask at all here", false},
	} {
		if got := matchesMasked(c.masked, c.text); got != c.want {
			t.Errorf("%q of %q: %v", c.masked, c.text, got)
		}
	}
}
