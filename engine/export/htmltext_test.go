package export

import (
	"strings"
	"testing"
)

// TestBulletsAreLists: a list may follow a line of text, have lists in it, and items of several lines; text after it is
// a paragraph again. What is no item stays as it was typed.
func TestBulletsAreLists(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"- a\n- **b**":           "<ul><li>a</li><li><strong>b</strong></li></ul>",
		"Next:\n* a\n* b\nthen":  "<p>Next:</p><ul><li>a</li><li>b</li></ul><p>then</p>",
		"- a\n  - b\n  - c\n- d": "<ul><li>a<ul><li>b</li><li>c</li></ul></li><li>d</li></ul>",
		"- a\n  goes on\n- b":    "<ul><li>a\ngoes on</li><li>b</li></ul>",
		"# Head\n- a":            `<p class="heading">Head</p><ul><li>a</li></ul>`,
		"  - a\n- b":             "<ul><li>a</li><li>b</li></ul>",
		"a - b\n-c\n--- x":       "<p>a - b\n-c\n--- x</p>",
		"- <b>":                  "<ul><li>&lt;b&gt;</li></ul>",
	} {
		if got := paragraph(strings.Split(text, "\n")); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}

// TestFirstWords: the line of a folded summary says how it begins, without marks of headings and bold words.
func TestFirstWords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{"## **Deploy**\n\n- the `pipeline`": "Deploy - the pipeline", "": ""} {
		if got := firstWords(text); got != want {
			t.Errorf("%q begins %q, want %q", text, got, want)
		}
	}
}
