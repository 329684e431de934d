package search

import (
	"strings"
	"unicode"
)

// token is a word of a query as it was typed: what stands between blanks, where quotes and
// slashes hold blanks together.
type token struct {
	text   string // Without the minus.
	not    bool
	name   string // Of a filter: what stands before the colon.
	values []string
	kind   TermKind
	isOr   bool
}

// tokens splits a query. A quote without its partner reaches to the end, because the user
// hasn't typed the rest yet.
func tokens(text string) (out []token) {
	for {
		text = strings.TrimLeftFunc(text, unicode.IsSpace)
		if text == "" {
			return out
		}
		var t token
		if t, text = nextToken(text); t.text != "" || t.name != "" {
			out = append(out, t)
		}
	}
}

func nextToken(text string) (t token, rest string) {
	if len(text) > 1 && text[0] == '-' && !startsWithSpace(text[1:]) {
		t.not, text = true, text[1:]
	}
	if text[0] == '"' {
		t.kind = Phrase
		t.text, rest = quoted(text)
		return t, rest
	}
	if pattern, after, ok := slashed(text); ok {
		t.kind, t.text = Regexp, pattern
		return t, after
	}
	if name, value, ok := filterName(text); ok {
		t.name = name
		t.values, rest = filterValues(value)
		t.text = text[:len(text)-len(rest)]
		return t, rest
	}
	t.text, rest = untilSpace(text)
	t.isOr = t.text == "OR" && !t.not
	if beginning, ok := strings.CutSuffix(t.text, "*"); ok {
		t.kind, t.text = Prefix, strings.TrimRight(beginning, "*")
	}
	return t, rest
}

func startsWithSpace(s string) bool { return strings.TrimLeftFunc(s, unicode.IsSpace) != s }

func untilSpace(text string) (word, rest string) {
	i := strings.IndexFunc(text, unicode.IsSpace)
	if i < 0 {
		return text, ""
	}
	return text[:i], text[i:]
}

// quoted takes a text in double quotes from the start.
func quoted(text string) (inside, rest string) {
	i := strings.IndexByte(text[1:], '"')
	if i < 0 {
		return text[1:], ""
	}
	return text[1 : 1+i], text[i+2:]
}

// slashed takes a regular expression in slashes from the start: the last slash stands before
// a blank or at the end, and no backslash before it.
func slashed(text string) (pattern, rest string, ok bool) {
	if text[0] != '/' {
		return "", "", false
	}
	for i := 1; i < len(text); i++ {
		switch {
		case text[i] == '\\':
			i++
		case text[i] == '/' && (i+1 == len(text) || startsWithSpace(text[i+1:])):
			return text[1:i], text[i+1:], i > 1
		}
	}
	return "", "", false
}

// filterName takes the name of a filter and its colon from the start. An address such as
// https://… is no filter.
func filterName(text string) (name, value string, ok bool) {
	i := strings.IndexByte(text, ':')
	if i < 2 || strings.HasPrefix(text[i:], "://") {
		return "", "", false
	}
	for _, r := range text[:i] {
		if r < 'a' || r > 'z' {
			return "", "", false
		}
	}
	return text[:i], text[i+1:], true
}

// filterValues takes the values of a filter, with commas between them, from the start.
func filterValues(text string) (values []string, rest string) {
	var value strings.Builder
	end := func() {
		if v := strings.TrimSpace(value.String()); v != "" {
			values = append(values, v)
		}
		value.Reset()
	}
	for text != "" && !startsWithSpace(text) {
		switch text[0] {
		case '"':
			var inside string
			inside, text = quoted(text)
			value.WriteString(inside)
		case ',':
			end()
			text = text[1:]
		default:
			value.WriteByte(text[0])
			text = text[1:]
		}
	}
	end()
	return values, text
}
