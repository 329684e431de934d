package thinking_test

import (
	"testing"

	"lcm-tui/engine/thinking"
)

// TestTrim: what is reasoning in a stored summary and in an answer. An empty answer in the table
// is the same as the stored text.
func TestTrim(t *testing.T) {
	t.Parallel()
	const same = "\x00"
	for _, c := range []struct{ name, text, stored, answer string }{
		{"none", " plain\n", "plain", same},
		{"one block", "<think>a</think>b", "b", same},
		{"several, in any case", " <THINK>a</think>\n<reasoning>b</Reasoning>\n c", "c", same},
		{"attributes", `<think x="1" y>a</think>b`, "b", same},
		{"white space in the tags", "< thinking >a< / thinking\n>b", "b", same},
		{"another name", "<thinker>a</thinker>b", "<thinker>a</thinker>b", same},
		{"white space of JavaScript", "\ufeff<think>a</think>\ufeffb", "b", same},
		{"the sign of Kelvin isn't a k", "<thin\u212a>a</think>b", "<thin\u212a>a</think>b", same},
		{"nothing else", "<think>a</think>", "", same},
		{"not closed", "<think>a", "", same},
		{"closed by another", "<think>a</thinking>b", "", same},
		{"one of two closed", "<think>a<think>b</think>c", "c", same},

		{"on a line of its own", "a\n<think>b</think>\nc", "a\n\nc", same},
		{"over whole lines", "a\n  <reasoning>b\n\nc</reasoning>\t\r\nd", "a\n\r\nd", same},
		{"behind words", "a <think>b</think>", "a <think>b</think>", same},
		{"behind words, not closed", "a <think>b", "a <think>b", same},
		{"before words", "a\n<think>b</think> c", "a\n<think>b</think> c", same},
		{"before words, and closed again at the end of a line", "a\n<think>b</think> c\nd</think>\ne", "a\n\ne", same},
		{"two lines", "a\n<think>b</think>\n<think>c</think>\nd", "a\n\n\nd", same},
		{"from an opening on", "a\n <thinking n=1>b\nc", "a", same},
		{"from a mark on", "a\n<|Think|>\nb", "a", same},
		{"from another mark on", "a\n\t<|start_of_reasoning|>b\nc", "a", same},
		{"from brackets on", "a\n[THINKING]\nb\n[/THINKING]\nc", "a", same},
		{"amid a line", "a [think] b <|think|> c", "a [think] b <|think|> c", same},
		{"at the start", "[reasoning] a", "", same},
		{"behind a line end of JavaScript", "a\u2028<think>b", "a", same},

		{"words for it", "Thinking process:\n1. a", "Thinking process:\n1. a", ""},
		{"words behind the answer", "a\n### Chain of thought: b\nc", "a\n### Chain of thought: b\nc", "a"},
		{"other words", "a\nThinking process\nThe thought process: b", "a\nThinking process\nThe thought process: b", same},
	} {
		if got := thinking.TrimStored(c.text); got != c.stored {
			t.Errorf("%s: stored %q, want %q", c.name, got, c.stored)
		}
		want := c.answer
		if want == same {
			want = c.stored
		}
		if got, _ := thinking.TrimAnswer(c.text); got != want {
			t.Errorf("%s: answer %q, want %q", c.name, got, want)
		}
	}
}

// TestFound: only a text with reasoning in it is said to have some.
func TestFound(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{"": false, " a\n": false, "<think>b</think>a": true, "<think>": true} {
		if _, found := thinking.TrimAnswer(text); found != want {
			t.Errorf("%q: %v, want %v", text, found, want)
		}
	}
}

// TestTrimStart: only closed blocks at the start go, so that nothing else is lost.
func TestTrimStart(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"<think>a</think>\n<reasoning>b</reasoning> c\n<think>d": "c\n<think>d", "<think>a": "<think>a", " a": " a",
		"a\n<think>b</think>": "a\n<think>b</think>",
	} {
		if got := thinking.TrimStart(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
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
