package summarize

import (
	"regexp"
	"strings"
	"unicode"
)

// clean is a stored text as the model is to see it: without blocks that plugins
// put in, reasoning at its start, paths of media and encoded files, and without
// blank lines. JSON gives the text in it.
func (f Form) clean(text string) string {
	return trim(structured(f.Summary(text)))
}

// Summary is a stored summary as the model is to see it, for it may carry what the
// messages did.
func (f Form) Summary(content string) string {
	return trim(lines(withoutEncoded(withoutThinking(withoutTags(content, f.StripTags)))))
}

// structured is the text in blocks of a message that were stored as JSON. Other JSON
// stays: it may be what the message is about.
func structured(text string) string {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return text
	}
	if v, ok := decoded(text); ok && isBlocks(v) {
		return strings.Join(within(v, 0), "\n")
	}
	return text
}

// trim takes from both ends what JavaScript takes for white space.
func trim(s string) string { return strings.TrimFunc(s, blankRune) }

func blankRune(r rune) bool { return r == '\ufeff' || r != '\u0085' && unicode.IsSpace(r) }

// lines are those that aren't blank and don't name a media file, without white
// space at their ends. How they are indented matters in code.
func lines(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRightFunc(line, blankRune)
		if line != "" && !strings.HasPrefix(trim(line), "MEDIA:/") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "\n")
}

// withoutTags leaves out each <tag …>…</tag>. One that isn't closed stays.
func withoutTags(text string, tags []string) string {
	for _, t := range tags {
		if !strings.Contains(text, "</") {
			return text
		}
		name := regexp.QuoteMeta(t)
		text = regexp.MustCompile(`(?is)<`+name+`(?:\s[^>]*)?>.*?</`+name+`\s*>`).ReplaceAllString(text, "")
	}
	return text
}

var thinking = regexp.MustCompile(`(?is)^\s*<(?:think>.*?</think|thinking>.*?</thinking|reasoning>.*?</reasoning)\s*>`)

// withoutThinking leaves out what a model thought aloud before it answered, if it
// stopped thinking.
func withoutThinking(text string) string {
	for {
		at := thinking.FindStringIndex(text)
		if at == nil {
			return text
		}
		text = text[at[1]:]
	}
}

const omitted = "[embedded media omitted]"

var dataURL = regexp.MustCompile(`(?i)data:[a-z0-9.+-]+/[a-z0-9.+-]+(?:;[a-z0-9=.+-]+)*;base64,[a-z0-9+/=_-]+`)

// minEncoded is how many characters of base64 in a row are no word any more.
const minEncoded = 1024

// withoutEncoded replaces what only a program can read.
func withoutEncoded(text string) string {
	if strings.Contains(text, ";base64,") {
		text = dataURL.ReplaceAllString(text, omitted)
	}
	if len(text) < minEncoded {
		return text
	}
	return withoutRuns(text)
}

// withoutRuns replaces each long run of base64, with the signs that fill it up.
func withoutRuns(text string) string {
	var b strings.Builder
	for text != "" {
		start := strings.IndexFunc(text, isBase64)
		if start < 0 {
			break
		}
		run := text[start:]
		if end := strings.IndexFunc(run, func(r rune) bool { return !isBase64(r) }); end >= 0 {
			run = run[:end]
		}
		b.WriteString(text[:start])
		text = text[start+len(run):]
		if len(run) < minEncoded {
			b.WriteString(run)
			continue
		}
		b.WriteString(omitted)
		text = strings.TrimLeft(text, "=")
	}
	b.WriteString(text)
	return b.String()
}

func isBase64(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '/'
}

// WithoutThinking is a text without what a model thought aloud at its start, if that
// has an end.
func WithoutThinking(text string) string { return withoutThinking(text) }
