package summarize

import (
	"fmt"
	"regexp"
	"strings"

	"lcm-tui/data/jstext"
)

// directiveInline stands in a fallback for a sentence that was left out of it.
const directiveInline = "[LCM fallback summary omitted directive-shaped untrusted content]."

// defaultFallbackTokens and leastFallbackTokens are the reference engine's.
const (
	defaultFallbackTokens = 512
	leastFallbackTokens   = 64
)

// fallback is the start of the source, with a marker on its last line that no model made it. It
// leaves out sentences that give a model orders, because no model has checked the text before
// it enters a context.
func (j Job) fallback() string {
	limit := j.FallbackTokens
	if limit <= 0 {
		limit = defaultFallbackTokens
	}
	limit = max(limit, leastFallbackTokens)
	note := fmt.Sprintf("%s%d tokens]", truncatedMark, j.Estimator.Count(j.Source))
	text, some := withoutDirectives(trim(j.Source))
	if some {
		note = directiveMark + "\n" + note
	}
	text = j.Estimator.Truncate(text, limit-j.Estimator.Count("\n"+note))
	return trim(strings.TrimRightFunc(text, jstext.IsSpace) + "\n" + note)
}

// directives match sentences that give a model other instructions.
var directives = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:ignore|disregard|forget)\b[^.!?\n]{0,60}\b(?:instructions?|prompts?|rules|guidelines|orders)\b`),
	regexp.MustCompile(`(?i)\b(?:override|bypass)\b[^.!?\n]{0,40}\b(?:your|system|safety|previous)\b[^.!?\n]{0,40}\b(?:instructions?|prompts?|rules|guidelines)\b`),
	regexp.MustCompile(`(?i)\b(?:reveal|print|show|repeat|output|leak|disclose)\b[^.!?\n]{0,40}\b(?:system|hidden|developer|initial)\s+(?:prompt|message|instructions?)\b`),
	regexp.MustCompile(`(?i)\byou\s+are\s+now\s+(?:a|an|the|in)\b|\bfrom\s+now\s+on,?\s+you\b|\bpretend\s+(?:to\s+be|you\s+are)\b`),
	regexp.MustCompile(`(?i)\bnew\s+(?:system\s+)?instructions?\s*:`),
	regexp.MustCompile(`(?i)<\|?/?(?:im_start|im_end|system|developer)\b[^>\n]{0,40}>`),
}

// sentence is one with what ends it, or a line's last.
var sentence = regexp.MustCompile(`[^.!?\n]*(?:[.!?]+|\n|$)`)

// withoutDirectives puts a note in the place of each sentence that gives a model
// orders. The lines above messages stay.
func withoutDirectives(text string) (out string, some bool) {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = sentence.ReplaceAllStringFunc(line, func(s string) string {
			if !isDirective(s) {
				return s
			}
			some = true
			return s[:len(s)-len(strings.TrimLeft(s, " \t"))] + directiveInline
		})
	}
	return strings.Join(lines, "\n"), some
}

func isDirective(s string) bool {
	for _, d := range directives {
		if d.MatchString(s) {
			return true
		}
	}
	return false
}
