package thinking_test

import (
	"testing"

	"lcm-tui/engine/thinking"
)

// TestTrim: what each of the two readings takes for a block.
func TestTrim(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, stored, answer string }{
		{"none", "plain", "plain", "plain"},
		{"one block", "<think>a</think>b", "b", "b"},
		{"several, in any case", " <THINK>a</think>\n<reasoning>b</reasoning> c", " c", "c"},
		{"attributes", `<think x="1">a</think>b`, `<think x="1">a</think>b`, `<think x="1">a</think>b`},
		{"not closed", "<think>a", "<think>a", ""},
		{"closed by another", "<think>a</thinking>b", "<think>a</thinking>b", "b"},
		{"white space of JavaScript only", "\ufeff<think>a</think>\ufeffb", "\ufeff<think>a</think>\ufeffb", "\ufeff<think>a</think>\ufeffb"},
		{"behind words", "a <think>b</think>", "a <think>b</think>", "a <think>b</think>"},
	} {
		if got := thinking.TrimStored(c.text); got != c.stored {
			t.Errorf("%s: stored %q, want %q", c.name, got, c.stored)
		}
		if got, found := thinking.TrimAnswer(c.text); got != c.answer || found != (got != c.text) {
			t.Errorf("%s: answer %q, %v, want %q", c.name, got, found, c.answer)
		}
	}
}

// TestHasTag: a tag anywhere, opened or closed.
func TestHasTag(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, "a </think> b": true, "<thinking": true, "<reason>": false, "</reasoning>": true} {
		if got := thinking.HasTag(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}
