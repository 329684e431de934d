package summarize_test

import (
	"strings"
	"testing"

	"lcm-tui/engine/summarize"
)

func TestDetect(t *testing.T) {
	t.Parallel()
	const (
		fallback  = "[LCM fallback summary; truncated for context management]"
		directive = "[LCM fallback summary; directive-shaped untrusted content omitted]"
		emergency = "[Truncated for context management]"
	)
	body := strings.Repeat("The team moved the deploy pipeline. ", 9)
	for _, c := range []struct {
		name, content, model string
		want                 summarize.Marker
	}{
		{"a healthy summary", body, "m", summarize.None},
		{"the engine's note on the last line", body + "\n[Truncated from 512 tokens]", "m", summarize.Truncated},
		{"a blank source", "[Truncated from 0 tokens]", "m", summarize.Truncated},
		{"the note quoted early", "The log said [Truncated from 512 tokens]. " + body, "m", summarize.None},
		{"the note quoted early and real at the end", "It said [Truncated from 5 tokens]. " + body + "\n[Truncated from 99 tokens]", "m", summarize.Truncated},
		{"the fallback mark first, as old builds wrote", fallback + "\n" + body, "m", summarize.Old},
		{"the fallback mark last", body + "\n" + fallback, "m", summarize.Fallback},
		{"the fallback mark quoted", "They saw " + fallback + " and moved on. " + body, "m", summarize.None},
		{"the fallback mark quoted early and real at the end", "They saw " + fallback + ". " + body + "\n" + fallback, "m", summarize.Fallback},
		{"the directive mark before the note", body + "\n" + directive + "\n[Truncated from 44 tokens]", "m", summarize.Fallback},
		{"the directive mark alone", directive, "m", summarize.Fallback},
		{"the directive mark quoted in a sentence", "They saw " + directive + " in the output. " + body, "m", summarize.None},
		{"an emergency by its model", body, "emergency-fallback", summarize.Emergency},
		{"an emergency by its old mark", body + emergency, "unknown", summarize.Emergency},
		{"the old mark under a known model", body + emergency, "m", summarize.None},
		{"a capped summary is none of these", body + "\n[Capped from 900 tokens to ~600]", "m", summarize.None},
		{"windows count UTF-16 units", body + "[Truncated from " + strings.Repeat("𝒳", 11) + "]", "m", summarize.Truncated},
		{"and a longer tail is a quotation", body + "[Truncated from " + strings.Repeat("𝒳", 12) + "]", "m", summarize.None},
	} {
		if got := summarize.Detect(c.content, c.model); got != c.want {
			t.Errorf("%s: %q, not %q", c.name, got, c.want)
		}
	}
}
