package summarize

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// directiveInline stands in a fallback for a sentence that was left out of it.
const directiveInline = "[LCM fallback summary omitted directive-shaped untrusted content]."

// defaultFallbackTokens and leastFallbackTokens are the reference engine's.
const (
	defaultFallbackTokens = 512
	leastFallbackTokens   = 64
)

// standIn returns the start of the source in the place of an answer that was empty: no model made it,
// says its last line.
func (j Job) standIn() string {
	text, directives := WithoutDirectives(trim(j.Source))
	if directives {
		return j.cutFor(text, directiveMark)
	}
	return j.cutFor(text, fallbackMark)
}

// fallback returns the start of the source where no answer, nor what stands in for one, is smaller
// than the source.
func (j Job) fallback() string {
	note := fmt.Sprintf("%s%d tokens]", truncatedMark, j.Estimator.Count(j.Source))
	text, directives := WithoutDirectives(trim(j.Source))
	if directives {
		note = directiveMark + "\n" + note
	}
	return j.cutFor(text, note)
}

// cutFor returns the start of a text, so much that there is room for a note behind it.
func (j Job) cutFor(text, note string) string {
	limit := j.FallbackTokens
	if limit <= 0 {
		limit = defaultFallbackTokens
	}
	limit = max(limit, leastFallbackTokens)
	text = j.Estimator.Truncate(text, limit-j.Estimator.Count("\n"+note))
	return trim(strings.TrimRightFunc(text, jstext.IsSpace) + "\n" + note)
}

// directives match sentences that give a model other instructions. No model has checked the start
// of a source before it enters a context, so it is without them. The list is the reference
// engine's.
var directives = []*lazyregexp.Regexp{
	lazyregexp.New(jstext.Pattern(`(?i)\b(?:ignore|disregard|forget|override)\b[^.!?\n]{0,60}\b(?:all|any|the|these|those|your|previous|prior|above|earlier|preceding|existing|system|developer)\b` +
		`[^.!?\n]{0,60}\b(?:instructions?|prompts?|rules?)\b`)),
	lazyregexp.New(jstext.Pattern(`(?i)\byou\s+are\s+now\b|\bfrom\s+now\s+on\b|\breply\s+only\s+with\b`)),
	lazyregexp.New(jstext.Pattern(`(?i)\b(?:reveal|print|show|dump|exfiltrate|provide|give|send)\b[^.!?\n]{0,60}\b(?:system|developer)\s+prompts?\b`)),
	lazyregexp.New(jstext.Pattern(`(?i)\bjailbreak\b|\bDAN\s+(?:mode|prompt)\b`)),
}

// followUp matches a sentence that goes on with the directive before it.
var followUp = lazyregexp.New(jstext.Pattern(`(?i)^\s*(?:answer|reply|respond|say|output|print|write|return|repeat)\b`))

// sentence is one with what ends it, or a line's last.
var sentence = lazyregexp.New(`[^.!?\n]*(?:[.!?]+|\n|$)`)

// WithoutDirectives puts a note in the place of each sentence that gives a model orders, and drops
// one behind it that goes on with it. The lines above messages stay.
func WithoutDirectives(text string) (out string, some bool) {
	lines := strings.Split(text, "\n")
	after := false // Whether the sentence before is a directive.
	for i, line := range lines {
		lines[i] = sentence.ReplaceAllStringFunc(line, func(s string) string {
			compared := asCompared(s)
			switch {
			case trim(s) == "":
				return s
			case isDirective(compared):
				some, after = true, true
				return s[:len(s)-len(strings.TrimLeft(s, " \t"))] + directiveInline
			case after && followUp.MatchString(compared):
				after = false
				return ""
			}
			after = false
			return s
		})
	}
	return strings.Join(lines, "\n"), some
}

// asCompared returns a sentence in which the patterns of Go find what those of JavaScript find: a character of two UTF-16 units counts
// twice, and the letters that Go takes for other forms of s and k are none.
func asCompared(sentence string) string {
	var b strings.Builder
	for _, r := range sentence {
		if r > 0xffff {
			b.WriteRune(utf8.RuneError)
		}
		if r > 0xffff || r == '\u017f' || r == '\u212a' {
			r = utf8.RuneError
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isDirective(s string) bool {
	for _, d := range directives {
		if d.MatchString(s) {
			return true
		}
	}
	return false
}
