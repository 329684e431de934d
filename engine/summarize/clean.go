package summarize

import (
	"regexp"
	"strings"

	"lcm-tui/data/jstext"
	"lcm-tui/engine/thinking"
)

// cleanText is a message's text as the model sees it: without the blocks of plugins, paths of
// media, encoded files and blank lines. Of JSON only the text in it stays, which may be empty.
func (f Form) cleanText(text string) string {
	text = f.plainText(text)
	if v := container(text); v.Defined() {
		return f.plainText(textIn(v))
	}
	return text
}

// Summary is the text of a stored summary as the model sees it: cleaned as a message, and without
// the reasoning at its start. JSON in it stays.
func (f Form) Summary(content string) string {
	return f.plainText(thinking.TrimStored(withoutTags(content, f.StripTags)))
}

func (f Form) plainText(text string) string {
	return trim(trimLines(withoutEncoded(withoutTags(text, f.StripTags))))
}

// container is the value of a text that is a list or an object.
func container(text string) jstext.Value {
	if text == "" || text[0] != '[' && text[0] != '{' {
		return ""
	}
	return jstext.Parse(text)
}

// trim removes the white space of JavaScript from both ends.
func trim(s string) string { return jstext.Trim(s) }

// trimLines removes blank lines, lines that name a media file, and white space at the ends of
// lines. The indentation stays, since it matters in code.
func trimLines(text string) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRightFunc(line, jstext.IsSpace)
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

const omittedMedia = "[embedded media omitted]"

// dataURL is a file in a text. The reference engine takes white space for a part of
// it, and so also the words that follow, up to a sign that base64 hasn't.
var dataURL = regexp.MustCompile(`(?i:data:[a-z0-9.+-]+/[a-z0-9.+-]+(?:;[a-z0-9=.+-]+)*;base64,)[A-Za-z0-9+/=` + jstext.SpaceClass + `]+`)

// minEncoded is the number of base64 characters in a row that are no longer taken for a word.
const minEncoded = 1024

// withoutEncoded replaces encoded files.
func withoutEncoded(text string) string {
	if strings.Contains(text, "64,") {
		text = dataURL.ReplaceAllString(text, omittedMedia)
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
		b.WriteString(omittedMedia)
		text = strings.TrimLeft(text, "=")
	}
	b.WriteString(text)
	return b.String()
}

func isBase64(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '/'
}
