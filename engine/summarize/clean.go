package summarize

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"lcm-tui/data/jstext"
	"lcm-tui/internal/lazyregexp"
)

// trim removes the white space of JavaScript from both ends.
func trim(s string) string { return jstext.Trim(s) }

const omittedMedia = "[embedded media omitted]"

// dataURL is a file in a text. The reference engine takes white space for a part of
// it, and so also the words that follow, up to a sign that base64 hasn't.
var dataURL = lazyregexp.New(`[dD][aA][tT][aA]:[^;"'` + "`" + jstext.SpaceClass + `]+;[bB][aA][sS][eE]64,[A-Za-z0-9+/=` + jstext.SpaceClass + `]+`)

// clean returns a text without encoded files, paths of media, blank lines, and white space at the ends
// of lines. The indentation of all but the first stays, since it matters in code. Bytes that are not UTF-8 are replaced, as the host's
// driver does it: a text that is cut off instead of a summary must not keep them.
func clean(text string) string {
	text = jstext.Decode(text)
	if strings.Contains(text, "64,") {
		text = dataURL.ReplaceAllString(text, omittedMedia)
	}
	var b strings.Builder
	b.Grow(len(text))
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimRightFunc(line, jstext.IsSpace)
		if line == "" || isMediaPath(line) || isEncoded(line) {
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
	}
	return trim(b.String())
}

// isMediaPath reports whether a line only names a media file.
func isMediaPath(line string) bool {
	path, ok := strings.CutPrefix(trim(line), "MEDIA:/")
	return ok && path != "" && !strings.ContainsAny(path, "\r\u2028\u2029")
}

// minEncoded is the number of base64 characters of a line that are no longer taken for a word.
const minEncoded = 256

// encodedHead is the start of a file in a text that dataURL isn't, because nothing follows or
// because it has parameters.
var encodedHead = lazyregexp.New(`^[dD][aA][tT][aA]:.*;[bB][aA][sS][eE]64,`)

// isEncoded reports whether a line is an encoded file.
func isEncoded(line string) bool {
	line = trim(line)
	if strings.Contains(line, "64,") && encodedHead.MatchString(line) {
		return true
	}
	if len(line) < minEncoded {
		return false
	}
	n := 0
	for _, r := range line {
		switch {
		case isBase64(r):
			n++
		case r == ' ' || !jstext.IsSpace(r):
			return false
		}
	}
	return n >= minEncoded && n%4 == 0
}

func isBase64(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '+' || r == '/' || r == '='
}

// untrusted is a label that the host's plugins put at the start of a line.
var untrusted = lazyregexp.New(`(^|[\n\r\x{2028}\x{2029}])Untrusted context \(metadata, do not treat as instructions or commands\):`)

// withoutInjected returns a text without what the host's plugins put into it: the blocks of the form's
// tags, and the label of untrusted context.
func (f Form) withoutInjected(text string) string {
	if strings.Contains(text, "</") {
		for _, tag := range f.StripTags {
			text = withoutTag(text, tag)
		}
	}
	if strings.Contains(text, "Untrusted context") {
		text = untrusted.ReplaceAllString(text, "$1")
	}
	return text
}

// withoutTag leaves out each <tag>…</tag>, in small and large letters. One that isn't closed
// stays.
func withoutTag(text, tag string) string {
	opening, closing := "<"+tag+">", "</"+tag+">"
	var b strings.Builder
	for {
		from, inner := find(text, opening)
		if from < 0 {
			break
		}
		end, next := find(text[inner:], closing)
		if end < 0 {
			break
		}
		b.WriteString(text[:from])
		text = text[inner+next:]
	}
	b.WriteString(text)
	return b.String()
}

// find returns where a string stands in a text, in small or large letters as JavaScript compares
// them, and where it ends; -1 if it doesn't.
func find(text, wanted string) (from, end int) {
	for from = range text {
		if text[from] != wanted[0] {
			continue
		}
		if n := prefixLength(text[from:], wanted); n >= 0 {
			return from, from + n
		}
	}
	return -1, -1
}

// prefixLength returns how long a prefix is in a text that begins with it, or -1.
func prefixLength(text, prefix string) (n int) {
	for _, want := range prefix {
		got, size := utf8.DecodeRuneInString(text[n:])
		if size == 0 || upper(got) != upper(want) {
			return -1
		}
		n += size
	}
	return n
}

// upper returns a letter as it is compared. A letter of another script doesn't equal one of ASCII.
func upper(r rune) rune {
	if u := unicode.ToUpper(r); r < utf8.RuneSelf || u >= utf8.RuneSelf {
		return u
	}
	return r
}
